# SPDX-License-Identifier: Apache-2.0
# Installs the program, the configurations, and a CMake package: find_package(tessera), tessera::tlm.
include(CMakePackageConfigHelpers)
set(TESSERA_INSTALL_CMAKEDIR ${CMAKE_INSTALL_LIBDIR}/cmake/tessera)

install(TARGETS tessera)
install(DIRECTORY configs DESTINATION ${CMAKE_INSTALL_DATADIR}/tessera)
install(FILES LICENSE TYPE DOC)
install(CODE "execute_process(COMMAND \"$<TARGET_FILE:tessera>\" completion bash
                              OUTPUT_FILE \"${PROJECT_BINARY_DIR}/completion.bash\" COMMAND_ERROR_IS_FATAL ANY)")
install(FILES ${PROJECT_BINARY_DIR}/completion.bash RENAME tessera
        DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)

# What the program builds Verilog cores of, when it is asked for one.
install(DIRECTORY rtl DESTINATION ${CMAKE_INSTALL_DATADIR}/tessera
        FILES_MATCHING PATTERN "*.f" PATTERN "*.v" PATTERN "*.vh" PATTERN "*.sv" PATTERN "*.vlt"
                       PATTERN "syn/*" PATTERN "formal/*") # scripts of `tessera synth`, properties of `tessera prove`
install(DIRECTORY testbench/checkers DESTINATION ${CMAKE_INSTALL_DATADIR}/tessera/testbench)
install(DIRECTORY cosim/glue DESTINATION ${CMAKE_INSTALL_DATADIR}/tessera/cosim)
install(DIRECTORY cosim rtl_model DESTINATION ${CMAKE_INSTALL_DATADIR}/tessera FILES_MATCHING PATTERN "*.h")
install(DIRECTORY model/base DESTINATION ${CMAKE_INSTALL_DATADIR}/tessera/model FILES_MATCHING PATTERN "*.h")

install(TARGETS tessera_model tessera_tlm tessera_rtl_model tessera_cosim
        tessera_platform EXPORT tesseraTargets)
install(DIRECTORY model tlm rtl_model cosim platform DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/tessera
        FILES_MATCHING PATTERN "*.h" PATTERN "*.def")
install(EXPORT tesseraTargets NAMESPACE tessera:: DESTINATION ${TESSERA_INSTALL_CMAKEDIR})

configure_package_config_file(cmake/tesseraConfig.cmake.in tesseraConfig.cmake
                              INSTALL_DESTINATION ${TESSERA_INSTALL_CMAKEDIR})
write_basic_package_version_file(tesseraConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/tesseraConfig.cmake ${PROJECT_BINARY_DIR}/tesseraConfigVersion.cmake
        DESTINATION ${TESSERA_INSTALL_CMAKEDIR})
