# SPDX-License-Identifier: Apache-2.0
# Installs the program with what goes with it: its completion, its man pages, what it builds Verilog cores of, the Python
# package and its notebooks. `cmake --install BUILD --component program` installs this alone.
set(share ${CMAKE_INSTALL_DATADIR}/tessera)

# 1. The program, and what is made of its help texts.
install(TARGETS tessera COMPONENT program)
install(CODE "execute_process(COMMAND \"$<TARGET_FILE:tessera>\" completion bash
                              OUTPUT_FILE \"${PROJECT_BINARY_DIR}/completion.bash\" COMMAND_ERROR_IS_FATAL ANY)"
        COMPONENT program)
install(FILES ${PROJECT_BINARY_DIR}/completion.bash RENAME tessera
        DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions COMPONENT program)
find_program(TESSERA_HELP2MAN help2man)
install(CODE "execute_process(COMMAND \"${CMAKE_COMMAND}\" -D \"HELP2MAN=$<$<BOOL:${TESSERA_HELP2MAN}>:${TESSERA_HELP2MAN}>\"
                                      -D VERSION=${PROJECT_VERSION} -D \"PROGRAM=$<TARGET_FILE:tessera>\"
                                      -D \"FOLDER=${PROJECT_BINARY_DIR}/man\"
                                      -P \"${PROJECT_SOURCE_DIR}/cmake/man_pages.cmake\" COMMAND_ERROR_IS_FATAL ANY)"
        COMPONENT program)
install(DIRECTORY ${PROJECT_BINARY_DIR}/man/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT program)

# 2. What the Verilog core is built of, and checked with.
install(DIRECTORY rtl DESTINATION ${share} COMPONENT program
        FILES_MATCHING PATTERN "*.f" PATTERN "*.v" PATTERN "*.vh" PATTERN "*.sv" PATTERN "*.vlt"
                       PATTERN "syn/*" PATTERN "formal/*") # scripts of `tessera synth`, properties of `tessera prove`
install(DIRECTORY testbench/checkers DESTINATION ${share}/testbench COMPONENT program)
install(DIRECTORY testbench/faults DESTINATION ${share}/testbench COMPONENT program
        FILES_MATCHING PATTERN "*.patch" PATTERN "*.json")
install(DIRECTORY cosim/glue DESTINATION ${share}/cosim COMPONENT program)
install(DIRECTORY cosim rtl_model DESTINATION ${share} COMPONENT program FILES_MATCHING PATTERN "*.h")
install(DIRECTORY model/base DESTINATION ${share}/model COMPONENT program FILES_MATCHING PATTERN "*.h")

# 3. Python. The default is where Debian's Python looks below /usr; below another prefix PYTHONPATH names it.
set(TESSERA_PYTHON_DIR lib/python3/dist-packages CACHE STRING "Where the Python package is installed, below the prefix")
install(DIRECTORY python/tessera DESTINATION ${TESSERA_PYTHON_DIR} COMPONENT program
        FILES_MATCHING PATTERN "*.py" PATTERN "py.typed" PATTERN "__pycache__" EXCLUDE)
install(DIRECTORY python/notebooks DESTINATION ${share} COMPONENT program FILES_MATCHING PATTERN "*.ipynb"
        PATTERN ".ipynb_checkpoints" EXCLUDE)
install(FILES docs/guide/tutorial/transformer.kineto.json.gz DESTINATION ${share}/notebooks COMPONENT program)

include(cmake/package.cmake)
