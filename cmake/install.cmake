# What `cmake --install` lays down, so that find_package(gainsay) offers gainsay::gainsay, gainsay::main and,
# where GoogleTest is found, gainsay::gtest.

include(CMakePackageConfigHelpers)
set(package_folder "${CMAKE_INSTALL_LIBDIR}/cmake/gainsay")

install(DIRECTORY src/gainsay DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}"
  FILES_MATCHING PATTERN "*.hpp" PATTERN "*.test.hpp" EXCLUDE)
install(TARGETS gainsay EXPORT gainsay ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}")
if(TARGET gainsay_main)
  install(TARGETS gainsay_main EXPORT gainsay ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}")
endif()
if(TARGET gainsay_tool)
  install(TARGETS gainsay_tool RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
endif()

# What is installed has no debug information, which would make it several times as large. The prefix is the one that
# `cmake --install` is told.
if(CMAKE_STRIP)
  set(stripped "${CMAKE_INSTALL_LIBDIR}/$<TARGET_FILE_NAME:gainsay>")
  if(TARGET gainsay_main)
    list(APPEND stripped "${CMAKE_INSTALL_LIBDIR}/$<TARGET_FILE_NAME:gainsay_main>")
  endif()
  if(TARGET gainsay_tool)
    list(APPEND stripped "${CMAKE_INSTALL_BINDIR}/$<TARGET_FILE_NAME:gainsay_tool>")
  endif()
  foreach(file IN LISTS stripped)
    install(CODE "execute_process(COMMAND \"${CMAKE_STRIP}\" --strip-debug
      \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${file}\" COMMAND_ERROR_IS_FATAL ANY)")
  endforeach()
endif()

install(EXPORT gainsay NAMESPACE gainsay:: FILE gainsay-targets.cmake DESTINATION "${package_folder}")
configure_package_config_file(cmake/gainsay-config.cmake.in "${PROJECT_BINARY_DIR}/gainsay-config.cmake"
  INSTALL_DESTINATION "${package_folder}")
write_basic_package_version_file("${PROJECT_BINARY_DIR}/gainsay-config-version.cmake"
  COMPATIBILITY SameMinorVersion)
install(FILES
  "${PROJECT_BINARY_DIR}/gainsay-config.cmake" "${PROJECT_BINARY_DIR}/gainsay-config-version.cmake"
  DESTINATION "${package_folder}")

# `cpack -G TGZ` in the build folder makes an archive that can be unpacked anywhere; debian/ makes packages.
if(PROJECT_IS_TOP_LEVEL)
  set(CPACK_PACKAGE_NAME gainsay)
  set(CPACK_PACKAGE_VERSION "${PROJECT_VERSION}")
  set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
  set(CPACK_RESOURCE_FILE_LICENSE "${PROJECT_SOURCE_DIR}/LICENSE")
  set(CPACK_GENERATOR TGZ)
  set(CPACK_PACKAGE_FILE_NAME "gainsay-${PROJECT_VERSION}-${CMAKE_SYSTEM_NAME}-${CMAKE_SYSTEM_PROCESSOR}")
  include(CPack)
endif()
# A project to begin with: `cp PREFIX/share/gainsay/starter/* .`
install(FILES docs/starter/CMakeLists.txt DESTINATION "${CMAKE_INSTALL_DATADIR}/gainsay/starter")
install(FILES docs/examples/lost_update.cpp DESTINATION "${CMAKE_INSTALL_DATADIR}/gainsay/starter"
  RENAME my_scenarios.cpp)
