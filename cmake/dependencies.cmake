# SPDX-License-Identifier: Apache-2.0
# Libraries from Debian; `./tessera setup` installs them.
find_package(PkgConfig REQUIRED)
pkg_check_modules(SYSTEMC REQUIRED IMPORTED_TARGET GLOBAL systemc>=2.3.4) # has no CMake package
find_package(yaml-cpp 0.7 REQUIRED)
find_package(fmt 9 REQUIRED)
find_package(nlohmann_json 3.11 REQUIRED)
if(cosim IN_LIST tessera_components)
  find_package(Threads REQUIRED)
endif()
if(program IN_LIST tessera_components)
  find_package(CLI11 2.1 REQUIRED)
  find_package(ZLIB REQUIRED)
  find_package(SQLite3 REQUIRED)
endif()
