# SPDX-License-Identifier: Apache-2.0
# Installs BUILD_DIR into an empty prefix below WORK_DIR, moves it, and builds and runs the outside project on it.
file(REMOVE_RECURSE ${WORK_DIR})
execute_process(COMMAND ${CMAKE_COMMAND} --install ${BUILD_DIR} --prefix ${WORK_DIR}/first
                OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
file(RENAME ${WORK_DIR}/first ${WORK_DIR}/prefix) # a package that knows where it was installed breaks here

file(STRINGS ${WORK_DIR}/prefix/share/bash-completion/completions/tessera completion REGEX "complete -F .* tessera")
if(NOT completion)
  message(FATAL_ERROR "bash's completion is not installed")
endif()

file(GLOB_RECURSE package_files ${WORK_DIR}/prefix/*.cmake)
foreach(package_file IN LISTS package_files)
  file(STRINGS ${package_file} lines)
  foreach(forbidden IN ITEMS ${SOURCE_DIR} ${BUILD_DIR} tessera_options)
    string(FIND "${lines}" "${forbidden}" position)
    if(NOT position EQUAL -1)
      message(FATAL_ERROR "${package_file} names ${forbidden}")
    endif()
  endforeach()
endforeach()

set(project ${CMAKE_CURRENT_LIST_DIR}/outside_project)
set(options -G ${GENERATOR} -D CMAKE_CXX_COMPILER=${CXX_COMPILER} -D CMAKE_BUILD_TYPE=${BUILD_TYPE}
            -D CMAKE_PREFIX_PATH=${WORK_DIR}/prefix -D CMAKE_EXE_LINKER_FLAGS=${LINK_FLAGS})
execute_process(COMMAND ${CMAKE_COMMAND} -S ${project} -B ${WORK_DIR}/build ${options} COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${CMAKE_COMMAND} --build ${WORK_DIR}/build COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${WORK_DIR}/build/outside ${project}/gpu.yaml COMMAND_ERROR_IS_FATAL ANY)

# A wrong file ends in a line for each of its mistakes.
execute_process(COMMAND ${WORK_DIR}/build/outside wrong_gpu.yaml WORKING_DIRECTORY ${project}
                RESULT_VARIABLE status ERROR_VARIABLE mistakes)
foreach(mistake IN ITEMS ":4:12: clock_mhz: " ":5:1: num_sm: " ":10:24: memory_bandwidth_gbps: ")
  string(FIND "${mistakes}" "wrong_gpu.yaml${mistake}" position)
  if(NOT status EQUAL 2 OR position EQUAL -1)
    message(FATAL_ERROR "${status}, not a word of ${mistake} in\n${mistakes}")
  endif()
endforeach()

# A component that does not exist is refused.
file(WRITE ${WORK_DIR}/unknown/CMakeLists.txt "cmake_minimum_required(VERSION 3.25)\nproject(unknown LANGUAGES CXX)\n"
                                              "find_package(tessera REQUIRED COMPONENTS gpu nonsense)\n")
execute_process(COMMAND ${CMAKE_COMMAND} -S ${WORK_DIR}/unknown -B ${WORK_DIR}/unknown/build ${options}
                RESULT_VARIABLE status OUTPUT_QUIET ERROR_VARIABLE refusal)
if(status EQUAL 0 OR NOT refusal MATCHES "nonsense")
  message(FATAL_ERROR "a component that does not exist is found: ${refusal}")
endif()
