// SPDX-License-Identifier: Apache-2.0
// From parameters to a shared object with the Verilated core: runs Verilator and g++, once per parameters, variant and
// sources. What was built lies in $TESSERA_CORE_CACHE, else $XDG_CACHE_HOME/tessera, else ~/.cache/tessera, else (none
// of these can be written) a folder of the user's own among the temporary files.
#pragma once

#include <filesystem>
#include <stdexcept>
#include <vector>

#include "cosim/elaboration.h"

namespace tessera::cosim {

// A tool is missing (one line, with the Debian package that brings it), or refused the sources (with what it said).
class BuildError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct Variant {
  bool has_coverage = false;    // line and toggle
  bool has_assertions = false;  // input assumptions and testbench/checkers bound to the core
  bool has_wave = false;        // FST
};

struct BuildRequest {
  explicit BuildRequest(const Elaboration& core, Variant with = {}) : elaboration(core), variant(with) {}

  Elaboration elaboration;
  Variant variant;
  // In place of those of rtl.f.
  std::vector<std::filesystem::path> verilog_files;
  // The files hold a tsr_scheduler with these parameters set already, and not the register names of rtl/: read()
  // leaves its snapshot alone.
  bool is_netlist = false;
  // tsr_scheduler has one more input, mutsel (32 bits), driven with Straps::mutant.
  bool has_mutant_select = false;
};

// The shared object, built if it was not there. Any number of processes may ask at once.
std::filesystem::path build_core(const BuildRequest& request);

}  // namespace tessera::cosim
