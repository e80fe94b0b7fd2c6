# What makes Gainsay's own build fast: headers that are read once, and files that are compiled together.
#
# Most of the time to compile a file goes into headers, and into functions of the standard library that every object
# gets a copy of. So each kind of target has one precompiled header, and the files of a folder are one translation
# unit; of systems, six files at a time are. Two files of a folder must not use one name for two things in an unnamed
# namespace, and two files of a system not in the namespace of the system.
#
# Both are for builds of Gainsay itself: who takes it by add_subdirectory compiles file by file, which is also what
# tells a file that lacks an include of its own (./test --long does that).

# The headers that are read most, none of ours: ours change.
set(gainsay_common_headers
  <algorithm> <array> <atomic> <bit> <charconv> <chrono> <cmath> <cstdint> <deque> <exception> <functional> <limits>
  <map> <memory> <mutex> <numeric> <optional> <ranges> <set> <span> <stdexcept> <string> <string_view> <thread> <tuple>
  <utility> <variant> <vector>)

# gainsay_precompile(<target> <header>...): the target has a precompiled header of its own.
function(gainsay_precompile target)
  if(GAINSAY_PRECOMPILE)
    target_precompile_headers(${target} PRIVATE ${ARGN})
    gainsay_read_precompiled(${target})
  endif()
endfunction()

# gainsay_share_precompiled(<target> <owner>): the target reads the header of another one with the same flags.
# That includes the level of optimisation: GCC 12 takes the one of the header for some of its passes, and can crash.
function(gainsay_share_precompiled target owner)
  if(GAINSAY_PRECOMPILE)
    target_precompile_headers(${target} REUSE_FROM ${owner})
    gainsay_read_precompiled(${target})
  endif()
endfunction()

function(gainsay_read_precompiled target)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(${target} PRIVATE -fpch-preprocess)  # ccache looks at the header's file, not into it
  endif()
endfunction()

# gainsay_join_all(<target>): all its sources become one translation unit.
function(gainsay_join_all target)
  gainsay_join_some(${target} 0)
endfunction()

# gainsay_join_some(<target> <number>): so many of its sources at a time become one translation unit.
function(gainsay_join_some target number)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${GAINSAY_JOIN} UNITY_BUILD_BATCH_SIZE ${number})
  gainsay_joined_flags(${target})
endfunction()

function(gainsay_joined_flags target)
  if(GAINSAY_JOIN AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # A type of an unnamed namespace is no danger outside the main file if that file is put together by CMake.
    target_compile_options(${target} PRIVATE -Wno-subobject-linkage)
  endif()
endfunction()

# gainsay_join(<target> <group> <source>...): these sources of the target become one translation unit.
function(gainsay_join target group)
  if(GAINSAY_JOIN)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
    gainsay_joined_flags(${target})
    set_source_files_properties(${ARGN} PROPERTIES UNITY_GROUP ${group})
  endif()
endfunction()

# gainsay_join_folders(<target> <source>...): the sources of a folder become one translation unit.
function(gainsay_join_folders target)
  foreach(source IN LISTS ARGN)
    cmake_path(RELATIVE_PATH source BASE_DIRECTORY "${PROJECT_SOURCE_DIR}" OUTPUT_VARIABLE group)
    cmake_path(GET group PARENT_PATH group)
    string(REPLACE "/" "_" group "${group}")
    gainsay_join(${target} ${group} "${source}")
  endforeach()
endfunction()
