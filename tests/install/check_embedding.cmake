# SPDX-License-Identifier: Apache-2.0
# Configures the outside project around SOURCE_DIR below WORK_DIR. By default its build has the GPU's layers, and nothing
# else of Tessera.
cmake_minimum_required(VERSION 3.25)
file(REMOVE_RECURSE ${WORK_DIR})
set(options -G ${GENERATOR} -D CMAKE_CXX_COMPILER=${CXX_COMPILER} -D TESSERA_SOURCE=${SOURCE_DIR}
            -D CMAKE_EXPORT_COMPILE_COMMANDS=ON)
set(configure ${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR}/outside_project -B ${WORK_DIR}/build)
execute_process(COMMAND ${configure} ${options} OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)

# 1. What it compiles.
file(READ ${WORK_DIR}/build/compile_commands.json commands)
string(JSON count LENGTH "${commands}")
math(EXPR last "${count} - 1")
foreach(index RANGE ${last})
  string(JSON file GET "${commands}" ${index} file)
  file(RELATIVE_PATH file ${SOURCE_DIR} ${file})
  if(NOT file MATCHES "^(model|tlm|platform|tests/install/outside_project)/")
    message(FATAL_ERROR "an embedded GPU compiles ${file}")
  endif()
  list(APPEND files ${file})
endforeach()
if(NOT tlm/embed/gpu.cpp IN_LIST files)
  message(FATAL_ERROR "the GPU is not compiled")
endif()

# 2. What it includes: the public headers, which include one another and nothing else of the project.
file(GLOB headers ${SOURCE_DIR}/tlm/include/tessera/*.h)
foreach(header IN LISTS headers)
  file(STRINGS ${header} others REGEX "^#include \"")
  list(FILTER others EXCLUDE REGEX "\"tessera/[a-z_]+\\.h\"$")
  if(others)
    message(FATAL_ERROR "${header}: ${others}")
  endif()
endforeach()

# 3. What else it would get: tests, programs, rules that install, settings of its own.
execute_process(COMMAND ${CMAKE_CTEST_COMMAND} --test-dir ${WORK_DIR}/build -N OUTPUT_VARIABLE tests)
file(READ ${WORK_DIR}/build/CMakeCache.txt cache)
file(GLOB_RECURSE rules ${WORK_DIR}/build/tessera/cmake_install.cmake)
foreach(file IN LISTS rules)
  file(STRINGS ${file} installed REGEX "file\\(INSTALL")
  if(installed)
    message(FATAL_ERROR "an embedded GPU is installed with the project: ${installed}")
  endif()
endforeach()
if(NOT tests MATCHES "Total Tests: 0" OR NOT cache MATCHES "CMAKE_BUILD_TYPE:STRING=\n"
   OR cache MATCHES "CMAKE_INSTALL_INCLUDEDIR|BUILD_TESTING|CLI11_DIR|GTest_DIR")
  message(FATAL_ERROR "an embedded GPU changes the project: ${tests}")
endif()

# 4. More is there for the asking; what does not exist is refused.
foreach(components IN ITEMS program nonsense)
  execute_process(COMMAND ${configure} -D TESSERA_COMPONENTS=${components}
                  RESULT_VARIABLE status_${components} OUTPUT_QUIET ERROR_VARIABLE refusal)
endforeach()
if(NOT status_program EQUAL 0 OR status_nonsense EQUAL 0 OR NOT refusal MATCHES "nonsense is unknown")
  message(FATAL_ERROR "${status_program}, ${status_nonsense}: ${refusal}")
endif()
