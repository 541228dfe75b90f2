// SPDX-License-Identifier: Apache-2.0
// Builds a shared object with the Verilated core: runs Verilator and g++ once per combination of parameters, variant
// and sources. Results are cached in $TESSERA_CORE_CACHE, else $XDG_CACHE_HOME/tessera, else ~/.cache/tessera, else (if
// none of these is writable) in a per-user folder for temporary files.
#pragma once

#include <filesystem>
#include <stdexcept>
#include <vector>

#include "cosim/elaboration.h"

namespace tessera::cosim {

// A tool is missing (one line with the Debian package that provides it) or rejected the sources (with its output).
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
  // Replace the files of rtl.f; empty: those of rtl.f.
  std::vector<std::filesystem::path> verilog_files;
  // The files contain a tsr_scheduler with these parameters already set and without the register names of rtl/, so
  // read() does not change its snapshot.
  bool is_netlist = false;
  // tsr_scheduler has the additional input mutsel (32 bits), driven with Straps::mutant.
  bool has_mutant_select = false;
};

// Path of the shared object, which is built if missing. Safe to call from several processes at the same time.
std::filesystem::path build_core(const BuildRequest& request);

}  // namespace tessera::cosim
