# SPDX-License-Identifier: Apache-2.0
# Installs what is built: the program with its files, and a CMake package whose components are the libraries:
# find_package(tessera COMPONENTS gpu) gives tessera::gpu.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(cmake_folder ${CMAKE_INSTALL_LIBDIR}/cmake/tessera)

set(libraries ${tessera_components})
list(REMOVE_ITEM libraries program)
foreach(library IN LISTS libraries)
  set(include_folders ${CMAKE_INSTALL_INCLUDEDIR})
  if(NOT library STREQUAL gpu) # whose header is with those of tlm
    list(APPEND include_folders ${CMAKE_INSTALL_INCLUDEDIR}/tessera)
    install(DIRECTORY ${folders_${library}} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/tessera
            FILES_MATCHING PATTERN "*.h" PATTERN "*.def" PATTERN tlm/include EXCLUDE)
  endif()
  install(TARGETS tessera_${library} EXPORT tessera_${library} INCLUDES DESTINATION ${include_folders})
  install(EXPORT tessera_${library} NAMESPACE tessera:: DESTINATION ${cmake_folder})
endforeach()
if(tlm IN_LIST libraries)
  install(DIRECTORY tlm/include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
endif()

list(JOIN libraries " " components)
configure_package_config_file(cmake/tesseraConfig.cmake.in tesseraConfig.cmake INSTALL_DESTINATION ${cmake_folder})
write_basic_package_version_file(tesseraConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/tesseraConfig.cmake ${PROJECT_BINARY_DIR}/tesseraConfigVersion.cmake
        DESTINATION ${cmake_folder})

install(FILES LICENSE packaging/debian/copyright TYPE DOC COMPONENT program)
install(DIRECTORY configs DESTINATION ${CMAKE_INSTALL_DATADIR}/tessera COMPONENT program)
# What configs/silicon refers to.
install(DIRECTORY silicon DESTINATION ${CMAKE_INSTALL_DATADIR}/tessera COMPONENT program
        FILES_MATCHING PATTERN "*.csv")
if(program IN_LIST tessera_components)
  include(cmake/install_program.cmake)
endif()
