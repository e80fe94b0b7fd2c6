# Tests: every *.test.cpp is compiled, into one binary per room, because linking on two cores is what takes time.
#
#   src/gainsay/<room>/**  -> test_<room>         sees the library only
#   systems/**             -> test_systems        also the bundled systems and the papers'
#   tools/**               -> test_tools          also the command line and the bundled systems
#   papers/**              -> test_papers         all of these
#   tests/**               -> test_across         what crosses rooms; sees everything
#
# Tests run in the root of the tree, so they name files as a reader does. GAINSAY_TOOL holds the path of the tool.

include(GoogleTest)

# The rooms whose tests use threads; the tsan preset runs these alone.
set(gainsay_parallel_rooms base execution explorer model oracle)
add_custom_target(parallel_tests COMMENT "Building the tests that use threads")

# gainsay_test_flags(<target>): the tests have them all in common, so that they can share a precompiled header.
function(gainsay_test_flags target)
  gainsay_own_flags(${target})
  # The library is as fast as users get it; of the tests themselves only the time to compile them matters.
  target_compile_options(${target} PRIVATE "$<IF:$<CONFIG:Release>,-O1,-O0>")
  target_include_directories(${target} PRIVATE "${PROJECT_SOURCE_DIR}")
endfunction()

if(GAINSAY_PRECOMPILE)
  file(GENERATE OUTPUT "${PROJECT_BINARY_DIR}/generated/test_headers.cpp" CONTENT "// Has only a precompiled header.\n")
  add_library(test_headers OBJECT "${PROJECT_BINARY_DIR}/generated/test_headers.cpp")
  gainsay_test_flags(test_headers)
  target_link_libraries(test_headers PRIVATE
    GTest::gtest_main GTest::gmock gainsay_gtest nlohmann_json::nlohmann_json fmt::fmt)
  gainsay_precompile(test_headers
    ${gainsay_common_headers} <fmt/format.h> <gmock/gmock.h> <gtest/gtest.h> <gainsay/gainsay.hpp>)
endif()

# gainsay_room_tests(<room> <folder> [<library>...])
function(gainsay_room_tests room folder)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/${folder}/*.test.cpp")
  if(NOT TARGET system_libraft)
    list(FILTER sources EXCLUDE REGEX "systems/libraft/")
  endif()
  if(NOT sources)
    return()
  endif()
  add_executable(test_${room} ${sources})
  gainsay_test_flags(test_${room})
  # GoogleTest's main() comes first, so that the one in gainsay_main stays in its archive.
  target_link_libraries(test_${room} PRIVATE
    GTest::gtest_main GTest::gmock ${ARGN} gainsay_gtest nlohmann_json::nlohmann_json fmt::fmt)
  # Eight files at a time, because most of the time goes into headers. A file's names are in a namespace of its own
  # (gainsay::x_test for x.test.cpp), or no other file of the room has them.
  set_target_properties(test_${room} PROPERTIES UNITY_BUILD ${GAINSAY_JOIN} UNITY_BUILD_BATCH_SIZE 8)
  gainsay_share_precompiled(test_${room} test_headers)
  set(labels "")
  if(room IN_LIST gainsay_parallel_rooms)
    set(labels LABELS parallel)
    add_dependencies(parallel_tests test_${room})
  endif()
  if(TARGET gainsay_tool AND "gainsay_main" IN_LIST ARGN)
    add_dependencies(test_${room} gainsay_tool)
  endif()
  gtest_discover_tests(test_${room}
    DISCOVERY_MODE PRE_TEST
    DISCOVERY_TIMEOUT 60
    WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}"
    PROPERTIES ENVIRONMENT "GAINSAY_TOOL=${PROJECT_BINARY_DIR}/gainsay" ${labels})
endfunction()

file(GLOB room_folders CONFIGURE_DEPENDS LIST_DIRECTORIES true RELATIVE "${PROJECT_SOURCE_DIR}" src/gainsay/*)
foreach(folder IN LISTS room_folders)
  if(IS_DIRECTORY "${PROJECT_SOURCE_DIR}/${folder}")
    cmake_path(GET folder FILENAME room)
    gainsay_room_tests(${room} "${folder}")
  endif()
endforeach()

# Another solver of flow problems, for tests of covers: a program of its own, because LEMON needs an older C++. The test
# that asks it is skipped where it is not there.
find_path(LEMON_HEADERS lemon/network_simplex.h)
if(LEMON_HEADERS AND TARGET test_model)
  add_executable(lemon_reference tests/lemon/lemon_reference.cpp)
  set_target_properties(lemon_reference PROPERTIES CXX_STANDARD 17 CXX_EXTENSIONS OFF)
  target_include_directories(lemon_reference SYSTEM PRIVATE "${LEMON_HEADERS}")
  target_compile_options(lemon_reference PRIVATE -O1 -w)
  add_dependencies(test_model lemon_reference)
endif()

set(gainsay_everything gainsay_systems)
if(TARGET gainsay_main)
  list(PREPEND gainsay_everything gainsay_main)
endif()
gainsay_room_tests(systems systems gainsay_papers gainsay_systems)
gainsay_room_tests(tools tools ${gainsay_everything})
gainsay_room_tests(papers papers gainsay_papers ${gainsay_everything})
gainsay_room_tests(across tests gainsay_papers ${gainsay_everything})

# The tree itself: tests/tidy says what is checked, and is checked in turn.
find_package(Python3 COMPONENTS Interpreter)
if(Python3_FOUND)
  add_test(NAME tidy COMMAND Python3::Interpreter "${PROJECT_SOURCE_DIR}/tests/tidy/tidy.py"
    --root "${PROJECT_SOURCE_DIR}" --build "${PROJECT_BINARY_DIR}")
  add_test(NAME tidy_test COMMAND Python3::Interpreter "${PROJECT_SOURCE_DIR}/tests/tidy/tidy_test.py")
  set_tests_properties(tidy tidy_test PROPERTIES LABELS tidy)
  add_test(NAME compile_fail COMMAND Python3::Interpreter "${PROJECT_SOURCE_DIR}/tests/compile_fail/run.py")
  add_test(NAME compile_time COMMAND Python3::Interpreter "${PROJECT_SOURCE_DIR}/tests/compile_time/run.py")
endif()

# What only separate processes show of wrapped code.
if(Python3_FOUND AND TARGET system_libraft AND TARGET gainsay_tool)
  add_test(NAME libraft_replays COMMAND Python3::Interpreter "${PROJECT_SOURCE_DIR}/tests/libraft/replays.py"
    --tool "$<TARGET_FILE:gainsay_tool>")
endif()

# A user's code with sanitizers and a library without. The library is shown with its own by the dev preset.
if(Python3_FOUND AND TARGET gainsay_main AND NOT GAINSAY_SANITIZE)
  set(sanitizers -fsanitize=address,undefined -fno-sanitize-recover=all)
  include(CheckCXXSourceCompiles)
  set(CMAKE_REQUIRED_FLAGS "-fsanitize=address,undefined")
  check_cxx_source_compiles("int main() {}" GAINSAY_HAS_SANITIZERS)
  unset(CMAKE_REQUIRED_FLAGS)
  if(GAINSAY_HAS_SANITIZERS)
    add_executable(sanitized_subject tests/sanitizers/subject.cpp)
    gainsay_own_flags(sanitized_subject)
    target_compile_options(sanitized_subject PRIVATE ${sanitizers} -O1)
    target_link_options(sanitized_subject PRIVATE ${sanitizers})
    target_link_libraries(sanitized_subject PRIVATE gainsay_main)
    add_test(NAME sanitizers COMMAND Python3::Interpreter
      "${PROJECT_SOURCE_DIR}/tests/sanitizers/sanitizers_test.py" --program "$<TARGET_FILE:sanitized_subject>")
  endif()
endif()

# Pages, in a real browser (tests/pages).
if(Python3_FOUND AND TARGET gainsay_main AND TARGET gainsay_tool)
  add_executable(page_subjects tests/pages/subjects.cpp)
  gainsay_own_flags(page_subjects)
  target_link_libraries(page_subjects PRIVATE gainsay_main)
  add_test(NAME reports COMMAND Python3::Interpreter "${PROJECT_SOURCE_DIR}/tests/reports/reports_test.py"
    --build "${PROJECT_BINARY_DIR}")
  add_test(NAME shell COMMAND Python3::Interpreter "${PROJECT_SOURCE_DIR}/tests/shell/shell_test.py"
    --build "${PROJECT_BINARY_DIR}")
  add_test(NAME pages_lint COMMAND Python3::Interpreter "${PROJECT_SOURCE_DIR}/tests/pages/lint.py")
  add_test(NAME pages COMMAND Python3::Interpreter "${PROJECT_SOURCE_DIR}/tests/pages/pages_test.py"
    --build "${PROJECT_BINARY_DIR}")
  # What it needs from the network is fetched once; without a network it says so and counts as skipped.
  add_test(NAME pages_accessible COMMAND Python3::Interpreter "${PROJECT_SOURCE_DIR}/tests/pages/accessible_test.py"
    --build "${PROJECT_BINARY_DIR}")
  # Times are measured in a browser, so nothing else runs beside it.
  set_tests_properties(pages PROPERTIES SKIP_RETURN_CODE 77 RUN_SERIAL TRUE)
  set_tests_properties(pages_accessible PROPERTIES SKIP_RETURN_CODE 77)
endif()
