# SPDX-License-Identifier: Apache-2.0
# What every target of the project is compiled with.
add_library(tessera_options INTERFACE)
target_compile_options(tessera_options INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor)
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  # The compiler collects its garbage from 1 GiB on, not from 128 MiB: 4 % less time for a quarter more memory.
  target_compile_options(tessera_options INTERFACE "SHELL:--param ggc-min-heapsize=1048576")
endif()
if(TESSERA_ENABLE_SANITIZERS)
  target_compile_options(tessera_options INTERFACE -fsanitize=address,undefined -fno-sanitize-recover=undefined
                                                   -fno-omit-frame-pointer)
  target_link_options(tessera_options INTERFACE -fsanitize=address,undefined)
endif()
if(TESSERA_ENABLE_COVERAGE)
  target_compile_options(tessera_options INTERFACE --coverage -O0)
  target_link_options(tessera_options INTERFACE --coverage)
  find_program(TESSERA_GCOVR gcovr)
  if(TESSERA_GCOVR)
    set(report ${PROJECT_BINARY_DIR}/coverage_report)
    add_custom_target(coverage_report
                      COMMAND ${CMAKE_COMMAND} -E make_directory ${report}
                      COMMAND ${TESSERA_GCOVR} --root . --exclude tests/ --exclude benchmarks/ --exclude-throw-branches
                              --print-summary --html-details ${report}/index.html ${PROJECT_BINARY_DIR}
                      WORKING_DIRECTORY ${PROJECT_SOURCE_DIR} VERBATIM)
  endif()
endif()

# Policies of one's own, in a folder outside of this one (docs/guide/adding_a_policy.md): a row of each in
# policies.def; their files, *.cpp; for the clocked cores clocked_policies.def and tsr_own_policies.vh.
set(TESSERA_OWN_POLICIES "" CACHE PATH "Folder with scheduling policies of one's own")

# tessera_add_library(NAME SOURCE...): a library tessera_<name>, exported as tessera::<name>.
function(tessera_add_library name)
  add_library(tessera_${name} STATIC ${ARGN})
  add_library(tessera::${name} ALIAS tessera_${name})
  set_target_properties(tessera_${name} PROPERTIES EXPORT_NAME ${name})
  target_compile_features(tessera_${name} PUBLIC cxx_std_17) # for those who find_package() the export
  target_link_libraries(tessera_${name} PRIVATE $<BUILD_INTERFACE:tessera_options>)
endfunction()

# tessera_add_layer(NAME [EXCLUDE REGEX]): every .cpp below a folder of the project is one library. Headers are included
# from the root: "model/spec/spec.h".
function(tessera_add_layer name)
  cmake_parse_arguments(PARSE_ARGV 1 layer "" EXCLUDE "")
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp)
  if(layer_EXCLUDE)
    list(FILTER sources EXCLUDE REGEX ${layer_EXCLUDE})
  endif()
  tessera_add_library(${name} ${sources})
  target_include_directories(tessera_${name} PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>)
endfunction()

# For what is not hot: a release is compiled in two thirds of the time.
function(tessera_compile_quickly target)
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
endfunction()
