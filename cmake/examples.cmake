# Examples: every docs/examples/<name>.cpp is a program example_<name>, a user's program of one file. Tests run them.

file(GLOB example_sources CONFIGURE_DEPENDS docs/examples/*.cpp)
foreach(source IN LISTS example_sources)
  cmake_path(GET source STEM name)
  add_executable(example_${name} ${source})
  target_link_libraries(example_${name} PRIVATE gainsay_main)
endforeach()
if(TARGET example_lost_update AND Python3_FOUND)
  add_test(NAME readme COMMAND Python3::Interpreter "${PROJECT_SOURCE_DIR}/tests/readme/readme.py"
    --root "${PROJECT_SOURCE_DIR}" --build "${PROJECT_BINARY_DIR}")
  add_test(NAME example_page COMMAND Python3::Interpreter "${PROJECT_SOURCE_DIR}/scripts/example_page.py" --check
    --build "${PROJECT_BINARY_DIR}")
  add_test(NAME tutorial COMMAND Python3::Interpreter "${PROJECT_SOURCE_DIR}/tests/readme/tutorial.py"
    --root "${PROJECT_SOURCE_DIR}" --build "${PROJECT_BINARY_DIR}")
  add_test(NAME model_based_testing COMMAND Python3::Interpreter "${PROJECT_SOURCE_DIR}/tests/readme/tutorial.py"
    --root "${PROJECT_SOURCE_DIR}" --build "${PROJECT_BINARY_DIR}" --page model_based_testing)
  add_test(NAME examples COMMAND Python3::Interpreter "${PROJECT_SOURCE_DIR}/tests/readme/examples.py"
    --build "${PROJECT_BINARY_DIR}")
  add_test(NAME json_schema COMMAND Python3::Interpreter "${PROJECT_SOURCE_DIR}/tests/readme/json_schema.py"
    --root "${PROJECT_SOURCE_DIR}" --build "${PROJECT_BINARY_DIR}")
  if(TARGET gainsay_tool)
    add_test(NAME bad_input COMMAND Python3::Interpreter "${PROJECT_SOURCE_DIR}/tests/readme/bad_input.py"
      --build "${PROJECT_BINARY_DIR}")
    add_test(NAME false_alarms COMMAND Python3::Interpreter "${PROJECT_SOURCE_DIR}/tests/false_alarms/run.py"
      --tool "${PROJECT_BINARY_DIR}/gainsay" --quick)
  endif()
  add_test(NAME snippets COMMAND Python3::Interpreter "${PROJECT_SOURCE_DIR}/tests/readme/snippets.py"
    --root "${PROJECT_SOURCE_DIR}")
  add_test(NAME api_reference COMMAND Python3::Interpreter "${PROJECT_SOURCE_DIR}/scripts/api_reference.py" --check)
  add_test(NAME machine_example COMMAND example_printer
    hunt printer --runs 1000 --out "${PROJECT_BINARY_DIR}/example-traces")
  set_tests_properties(machine_example PROPERTIES
    PASS_REGULAR_EXPRESSION "printer \\(Printer\\) in state 'printing' does not handle Cancel \\(sent by outside\\)")
  # Each scenario of docs/examples/faults.cpp shows what its fault breaks.
  foreach(fault IN ITEMS
      "failing_write:a deposit is gone" "torn_write:a deposit is gone" "lost_write:a deposit is gone"
      "recreated:a deposit is gone" "isolated:nobody answered" "clock_back:the lease still holds")
    string(REPLACE ":" ";" fault "${fault}")
    list(GET fault 0 scenario)
    list(GET fault 1 complaint)
    add_test(NAME faults_${scenario} COMMAND example_faults
      hunt ${scenario} --runs 2000 --out "${PROJECT_BINARY_DIR}/example-traces")
    set_tests_properties(faults_${scenario} PROPERTIES PASS_REGULAR_EXPRESSION "${complaint}")
  endforeach()
  add_test(NAME own_strategy COMMAND example_own_strategy
    hunt overtaking --strategy newest --option share=0.9 --runs 1000 --out "${PROJECT_BINARY_DIR}/example-traces")
  set_tests_properties(own_strategy PROPERTIES PASS_REGULAR_EXPRESSION "mail overtook earlier mail")
endif()
