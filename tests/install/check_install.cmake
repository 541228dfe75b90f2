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

execute_process(COMMAND ${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR}/outside_project -B ${WORK_DIR}/build
                        -G ${GENERATOR} -D CMAKE_CXX_COMPILER=${CXX_COMPILER} -D CMAKE_BUILD_TYPE=${BUILD_TYPE}
                        -D CMAKE_PREFIX_PATH=${WORK_DIR}/prefix -D CMAKE_EXE_LINKER_FLAGS=${LINK_FLAGS}
                COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${CMAKE_COMMAND} --build ${WORK_DIR}/build COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${WORK_DIR}/build/outside COMMAND_ERROR_IS_FATAL ANY)
