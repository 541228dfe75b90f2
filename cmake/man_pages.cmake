# SPDX-License-Identifier: Apache-2.0
# Makes man pages of PROGRAM's help texts in FOLDER: tessera.1, and tessera-run.1 for `tessera run`, and so on.
file(REMOVE_RECURSE ${FOLDER})
if(NOT HELP2MAN)
  message("tessera: no help2man (package help2man): the man pages are not made")
  return()
endif()
file(MAKE_DIRECTORY ${FOLDER})

function(make_page name summary)
  execute_process(COMMAND ${HELP2MAN} --no-info --name=${summary} "--help-option=${ARGN} --help"
                          --version-string=${VERSION} ${PROGRAM}
                  OUTPUT_VARIABLE page COMMAND_ERROR_IS_FATAL ANY)
  string(REPLACE "\ntessera \\- " "\n${name} \\- " page "${page}")
  file(WRITE ${FOLDER}/${name}.1 "${page}")
endfunction()

execute_process(COMMAND ${PROGRAM} --help OUTPUT_VARIABLE help COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCH "^[^\n]+" summary "${help}")
make_page(tessera "${summary}")
string(REGEX REPLACE "^.*\nSubcommands:\n" "" commands "${help}")
string(REGEX MATCHALL "  [a-z]+ +[^\n]+" commands "${commands}")
foreach(line IN LISTS commands)
  string(REGEX MATCH "^  ([a-z]+) +(.+)$" found "${line}")
  make_page(tessera-${CMAKE_MATCH_1} "${CMAKE_MATCH_2}" ${CMAKE_MATCH_1})
endforeach()
file(GLOB pages ${FOLDER}/*.1)
execute_process(COMMAND gzip -9n ${pages} COMMAND_ERROR_IS_FATAL ANY)
