# SPDX-License-Identifier: Apache-2.0
# Installs the program, its completion, and what it builds Verilog cores of.
install(TARGETS tessera)
install(CODE "execute_process(COMMAND \"$<TARGET_FILE:tessera>\" completion bash
                              OUTPUT_FILE \"${PROJECT_BINARY_DIR}/completion.bash\" COMMAND_ERROR_IS_FATAL ANY)")
install(FILES ${PROJECT_BINARY_DIR}/completion.bash RENAME tessera
        DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)

install(DIRECTORY rtl DESTINATION ${CMAKE_INSTALL_DATADIR}/tessera
        FILES_MATCHING PATTERN "*.f" PATTERN "*.v" PATTERN "*.vh" PATTERN "*.sv" PATTERN "*.vlt"
                       PATTERN "syn/*" PATTERN "formal/*") # scripts of `tessera synth`, properties of `tessera prove`
install(DIRECTORY testbench/checkers DESTINATION ${CMAKE_INSTALL_DATADIR}/tessera/testbench)
install(DIRECTORY testbench/faults DESTINATION ${CMAKE_INSTALL_DATADIR}/tessera/testbench
        FILES_MATCHING PATTERN "*.patch" PATTERN "*.json")
install(DIRECTORY cosim/glue DESTINATION ${CMAKE_INSTALL_DATADIR}/tessera/cosim)
install(DIRECTORY cosim rtl_model DESTINATION ${CMAKE_INSTALL_DATADIR}/tessera FILES_MATCHING PATTERN "*.h")
install(DIRECTORY model/base DESTINATION ${CMAKE_INSTALL_DATADIR}/tessera/model FILES_MATCHING PATTERN "*.h")
