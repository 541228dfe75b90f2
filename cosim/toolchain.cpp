// SPDX-License-Identifier: Apache-2.0
// Options, and why.
#include "cosim/toolchain.h"

#include <fmt/format.h>

namespace tessera::cosim {

// Without "--x-... fast" every register would be given a random value at first; reset sets all that count. Functions of
// a few hundred statements run as fast as one large one, and g++ compiles them in half the time.
Arguments verilator_call(const Variant& variant) {
  Arguments call{"verilator", "--cc", "-O3", "--no-timing", "-Wno-fatal", "+1364-2005ext+v"};
  const auto add = [&call](const Arguments& more) { call.insert(call.end(), more.begin(), more.end()); };
  add({"--x-assign", "fast", "--x-initial", "fast"});
  add({"--prefix", "Vtsr_core", "--top-module", "tsr_core", "--Mdir", "verilated"});
  add({"--output-split", "20000", "--output-split-cfuncs", "500"});
  // Tables are flat vectors: wider than what is traced and covered by default.
  if (variant.has_wave) add({"--trace-fst", "--trace-max-width", "65536"});
  if (variant.has_coverage) {
    add({"--coverage-line", "--coverage-toggle", "--coverage-max-width", "65536"});
    // Else a branch's counter is moved to a process of its own, where its condition is looked at after the assignments.
    add({"-fno-split", "-fno-reorder"});
  }
  if (variant.has_assertions) add({"--assert"});
  return call;
}

// Several cores live in one process: nothing of one may stand in for something of another. Verilator has optimized
// already: at -O2 a core runs no faster than at -O1, and takes a quarter longer to compile.
Arguments compiler_call(const Variant& variant, bool is_cold) {
  return {"g++",
          "-std=c++17",
          is_cold ? "-O0" : "-O1",
          "-w",
          "-fPIC",
          "-fvisibility=hidden",
          "-fno-gnu-unique",
          "-fcf-protection=none",
          "-DVM_SC=0",
          "-DVM_TRACE_VCD=0",
          fmt::format("-DVM_TRACE={:d}", variant.has_wave),
          fmt::format("-DVM_TRACE_FST={:d}", variant.has_wave),
          fmt::format("-DVM_COVERAGE={:d}", variant.has_coverage),
          "-include",
          "cosim/glue/verilator_hooks.h",
          "-I",
          "verilated",
          "-I",
          "."};
}

Arguments linker_call(const Variant& variant) {
  Arguments call{"g++", "-shared", "-Wl,-Bsymbolic", "-pthread"};
  if (variant.has_wave) call.emplace_back("-lz");
  return call;
}

std::vector<std::string> runtime_sources(const Variant& variant) {
  std::vector<std::string> sources{"verilated.cpp", "verilated_threads.cpp"};
  if (variant.has_wave) sources.emplace_back("verilated_fst_c.cpp");
  if (variant.has_coverage) sources.emplace_back("verilated_cov.cpp");
  return sources;
}

std::filesystem::path runtime_folder() {
  std::string root = output_of("verilator", "--getenv VERILATOR_ROOT");
  root.erase(root.find_last_not_of('\n') + 1);
  return root + "/include";
}

std::string tool_versions() {
  std::string versions;
  for (const char* tool : {"verilator", "g++"}) versions += output_of(tool, "--version");
  return versions;
}

}  // namespace tessera::cosim
