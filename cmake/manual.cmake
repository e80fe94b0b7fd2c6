# Manual pages and completion of shells, written by the tool itself from its option tables whenever it has been built.
# They cannot be made where the tool cannot be run.

if(TARGET gainsay_tool AND NOT CMAKE_CROSSCOMPILING)
  set(manual_folder "${PROJECT_BINARY_DIR}/manual")
  set(manual_stamp "${manual_folder}/gainsay.1")
  add_custom_command(OUTPUT "${manual_stamp}"
    COMMAND "${CMAKE_COMMAND}" -E rm -rf "${manual_folder}"
    COMMAND gainsay_tool man --all "${manual_folder}"
    COMMAND gainsay_tool completion bash --out "${manual_folder}/bash/gainsay"
    COMMAND gainsay_tool completion zsh --out "${manual_folder}/zsh/_gainsay"
    COMMAND gainsay_tool completion fish --out "${manual_folder}/fish/gainsay.fish"
    DEPENDS gainsay_tool
    COMMENT "Writing manual pages and completion"
    VERBATIM)
  add_custom_target(gainsay_manual ALL DEPENDS "${manual_stamp}")
  if(GAINSAY_INSTALL)
    install(DIRECTORY "${manual_folder}/" DESTINATION "${CMAKE_INSTALL_MANDIR}/man1"
      FILES_MATCHING PATTERN "*.1" PATTERN "bash" EXCLUDE PATTERN "zsh" EXCLUDE PATTERN "fish" EXCLUDE)
    install(FILES "${manual_folder}/bash/gainsay" DESTINATION "${CMAKE_INSTALL_DATADIR}/bash-completion/completions")
    install(FILES "${manual_folder}/zsh/_gainsay" DESTINATION "${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions")
    install(FILES "${manual_folder}/fish/gainsay.fish" DESTINATION "${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d")
  endif()
endif()
