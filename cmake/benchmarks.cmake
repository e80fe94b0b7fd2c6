# Benchmarks: every benchmarks/<name>.cpp is a program bench_<name>; what they share is headers.

file(GLOB benchmark_sources CONFIGURE_DEPENDS benchmarks/*.cpp)
list(FILTER benchmark_sources EXCLUDE REGEX "\\.test\\.cpp$")
if(benchmark_sources)
  find_package(benchmark REQUIRED)
endif()
foreach(source IN LISTS benchmark_sources)
  cmake_path(GET source STEM name)
  add_executable(bench_${name} ${source})
  gainsay_own_flags(bench_${name})
  target_include_directories(bench_${name} PRIVATE "${PROJECT_SOURCE_DIR}")
  target_link_libraries(bench_${name} PRIVATE gainsay_main gainsay_systems gainsay benchmark::benchmark fmt::fmt)
endforeach()
