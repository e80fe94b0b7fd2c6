# gainsay_page(<out>): joins the modules and style sheets of src/gainsay/report/page into one script and one style
# sheet, as texts of a source file that is written to <out>.
#
# Modules come in the order of this list, each after those it imports; imports and the word `export` go away, since all
# of them share one scope in the page. tests/pages/lint.py checks the order and that no name is used twice.
set(gainsay_page_modules
  dom look values trace_model diagram overview details export trace_page compare_page history_page steer_page
  campaign_page space_page main)
set(gainsay_page_styles look trace history steer campaign)

function(gainsay_page out)
  set(folder "${PROJECT_SOURCE_DIR}/src/gainsay/report/page")
  set(PAGE_SCRIPT "")
  foreach(name IN LISTS gainsay_page_modules)
    file(READ "${folder}/${name}.js" text)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${folder}/${name}.js")
    string(REGEX REPLACE "\nimport [^\n]*" "" text "${text}")
    string(REGEX REPLACE "\nexport " "\n" text "${text}")
    string(APPEND PAGE_SCRIPT "${text}")
  endforeach()
  set(PAGE_STYLE "")
  foreach(name IN LISTS gainsay_page_styles)
    file(READ "${folder}/${name}.css" text)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${folder}/${name}.css")
    string(APPEND PAGE_STYLE "${text}")
  endforeach()
  set(file "${PROJECT_BINARY_DIR}/generated/page_text.cpp")
  configure_file("${PROJECT_SOURCE_DIR}/cmake/page_text.cpp.in" "${file}" @ONLY)
  set(${out} "${file}" PARENT_SCOPE)
endfunction()
