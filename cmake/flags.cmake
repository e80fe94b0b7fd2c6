# Compiler flags of Gainsay's own targets; a user's targets inherit none of them.

if(PROJECT_IS_TOP_LEVEL)
  set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
  if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
    set(CMAKE_BUILD_TYPE Release CACHE STRING "The kind of build" FORCE)
  endif()

  # With paths taken relative to the tree, a copy of the tree (tests/mutations) shares the cache with its original.
  # What precompiled headers would keep ccache from seeing (macros, time stamps) is nothing we use.
  # Comments count: GCC takes a header for another one if they differ from those in the precompiled header, and then
  # reads it a second time.
  find_program(GAINSAY_CCACHE ccache)
  if(GAINSAY_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
    set(CMAKE_CXX_COMPILER_LAUNCHER "${CMAKE_COMMAND}" -E env "CCACHE_BASEDIR=${PROJECT_SOURCE_DIR}"
      CCACHE_NOHASHDIR=1 CCACHE_COMMENTS=1
      CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime "${GAINSAY_CCACHE}")
  endif()

  if(GAINSAY_SANITIZE)
    add_compile_options("-fsanitize=${GAINSAY_SANITIZE}" -fno-sanitize-recover=all -fno-omit-frame-pointer)
    add_link_options("-fsanitize=${GAINSAY_SANITIZE}")
  endif()
endif()

# The prefix that sources have on the compiler's command line when ccache makes paths relative.
file(RELATIVE_PATH gainsay_relative_prefix "${CMAKE_BINARY_DIR}" "${PROJECT_SOURCE_DIR}")

# gainsay_own_flags(<target>): what every target of this project is compiled with.
function(gainsay_own_flags target)
  target_compile_features(${target} PUBLIC cxx_std_20)
  set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF)
  # __FILE__ is the path inside the tree, wherever the tree is.
  target_compile_options(${target} PRIVATE
    "-fmacro-prefix-map=${PROJECT_SOURCE_DIR}/=" "-fmacro-prefix-map=${gainsay_relative_prefix}=")
  if(NOT PROJECT_IS_TOP_LEVEL)
    return()
  endif()
  # Left out: missing-field-initializers, because `Node{.peers = all}` is how actors are meant to be written.
  target_compile_options(${target} PRIVATE
    -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual -Wno-missing-field-initializers)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # GCC 12 sees overlapping and endless copies in every `"literal" + std::string` (its bug 105651), and
    # uninitialised values in every std::optional that is inlined far enough (its bug 80635). The sanitizers look for
    # real ones.
    target_compile_options(${target} PRIVATE
      -Wno-restrict -Wno-stringop-overflow -Wno-array-bounds -Wno-maybe-uninitialized)
    # GCC collects its garbage whenever its heap has grown. Doing so less often takes a tenth less time and a quarter
    # more memory, up to 1.4 GB for the largest unit.
    target_compile_options(${target} PRIVATE --param=ggc-min-heapsize=2000000)
  endif()
  if(GAINSAY_WERROR)
    target_compile_options(${target} PRIVATE -Werror)
  endif()
endfunction()

# gainsay_optimise(<target> <level>): a release takes this level, not -O3. -O2 is for code that runs often, but not in
# every step; -O1 for code of which only the time to compile it matters.
function(gainsay_optimise target level)
  if(PROJECT_IS_TOP_LEVEL)
    target_compile_options(${target} PRIVATE "$<$<CONFIG:Release>:${level}>")
  endif()
endfunction()
