# SPDX-License-Identifier: Apache-2.0
# tessera_<version>_<architecture>.deb, by CPack: what `--component program` installs, below /usr.
find_program(TESSERA_DPKG dpkg)
if(NOT TESSERA_DPKG)
  return()
endif()
set(CPACK_GENERATOR DEB)
set(CPACK_INSTALL_CMAKE_PROJECTS ${PROJECT_BINARY_DIR} tessera program /)
set(CPACK_PACKAGE_NAME tessera)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_CONTACT "The Tessera developers <tessera@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "model of GPUs that several processes share")
set(CPACK_PACKAGE_DESCRIPTION
    "Simulates preemptive multiprogramming on GPUs: which process runs on which
streaming multiprocessor, what preempting one costs, and what it gains. With
a synthesizable core of the scheduler, and a Python package.")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES TRUE)

set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS TRUE) # needs dpkg-shlibdeps, of dpkg-dev
# What it runs: cores of Verilog, faults in them, their gates, figures; and what the Python package imports.
set(recommended verilator g++ zlib1g-dev yosys opensta qflow-tech-osu018 gnuplot-nox patch python3 python3-pandas
                python3-matplotlib)
list(JOIN recommended ", " CPACK_DEBIAN_PACKAGE_RECOMMENDS)
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "nextpnr-ice40, slurm-client, jupyter-notebook")
set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA ${PROJECT_SOURCE_DIR}/packaging/debian/postinst
                                       ${PROJECT_SOURCE_DIR}/packaging/debian/prerm)
include(CPack)
