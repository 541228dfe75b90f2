// SPDX-License-Identifier: Apache-2.0
#include "testbench/formal/scripts.h"

#include <fmt/format.h>

namespace tessera::testbench {
namespace {

// What is not wanted goes before `opt`, which would make one of two assertions that say the same. A register of
// tsr_registers.vh that the design has not got would be an input: only those of an engine that is left out
// may be missing. A signal with two drivers would be an assumption that they agree: `check` finds it.
constexpr const char* kFlatten =
    "hierarchy -check -top {0}\n"
    "proc\n"
    "flatten\n"
    "select -assert-none w:* a:hierconn %i w:*.g_* %d\n"
    "select -set wanted t:$assert {1}\n"
    "select -assert-any @wanted\n"
    "delete t:$assert @wanted %d\n"
    "opt -full\n";

constexpr const char* kPrepare =
    "wreduce\n"
    "opt -full\n"
    "setundef -undriven -anyseq\n"
    "check -assert\n"
    "dffunmap\n"
    "opt_clean -purge\n";

// `wanted` is an expression of Yosys that goes on from all assertions.
std::string flattened(const Proof& proof, const ParameterSet& parameters, const std::vector<std::string>& verilog,
                      const std::string& wanted, const std::string& define = "") {
  std::string script = fmt::format("read_verilog {0}-formal -sv -I rtl/formal -I rtl", define);
  for (const std::string& file : verilog) script += " " + file;
  script += fmt::format(" rtl/formal/{}.v\n", proof.top);
  for (const auto& [name, value] : parameters) {
    script += fmt::format("chparam -set {} {} {}\n", name, value, proof.top);
  }
  return script + fmt::format(kFlatten, proof.top, wanted);
}

std::string read_design(const Proof& proof, const ParameterSet& parameters, const std::vector<std::string>& verilog,
                        const std::string& wanted, const std::string& define = "") {
  return flattened(proof, parameters, verilog, wanted, define) + kPrepare;
}

// Those of the assertions that have these names.
std::string named(const std::vector<std::string>& assertions) {
  std::string wanted;
  for (const std::string& name : assertions) wanted += fmt::format("c:{} ", name);
  for (std::size_t i = 1; i < assertions.size(); ++i) wanted += "%u ";
  return wanted + "%i";
}

constexpr const char* kAllButCovers = "c:{}* %d";

// A top may leave out what only induction needs.
constexpr const char* kOutside = "-DOUTSIDE ";

constexpr const char* kToGates =
    "techmap\n"
    "opt -fast\n"
    "dffunmap\n"
    "abc -g AND -fast\n"
    "opt_clean -purge\n";

}  // namespace

std::string induction_script(const Proof& proof, const ParameterSet& parameters,
                             const std::vector<std::string>& verilog, unsigned max_seconds) {
  return read_design(proof, parameters, verilog, fmt::format(kAllButCovers, kCoverPrefix)) +
         fmt::format("sat -tempinduct -prove-asserts -set-assumes -maxsteps {} -timeout {}\n", proof.max_steps,
                     max_seconds);
}

std::string aiger_script(const Proof& proof, const ParameterSet& parameters, const std::vector<std::string>& verilog,
                         const std::vector<std::string>& assertions) {
  std::string script = read_design(proof, parameters, verilog, named(assertions));
  script += fmt::format(
      "select -assert-count {} t:$assert\n"
      "{}"
      "design -save all\n",
      assertions.size(), kToGates);
  for (const std::string& name : assertions) {
    script += fmt::format(
        "design -load all\n"
        "delete t:$assert c:{0} %d\n"
        "opt_clean -purge\n"
        "write_aiger -I -B -zinit {0}.aig\n",
        name);
  }
  return script;
}

std::string second_script(const Proof& proof, const ParameterSet& parameters, const std::vector<std::string>& verilog) {
  return read_design(proof, parameters, verilog, fmt::format(kAllButCovers, kCoverPrefix), kOutside) + kToGates +
         "write_aiger -I -B -zinit all.aig\n";
}

std::string scenario_script(const Proof& proof, const std::vector<std::string>& verilog,
                            const std::vector<std::string>& assertions) {
  return flattened(proof, proof.scenario, verilog, named(assertions), "-DSCENARIO ") +
         fmt::format(
             "setundef -undriven -zero\n"
             "opt_clean\n"
             "sim -clock clk_i -n {} -zinit\n",
             proof.frames);
}

std::string second_command(unsigned max_seconds) {
  return fmt::format("read_aiger all.aig; fold; strash; orpos; pdr -T {}; ", max_seconds);
}

std::string search_command(const std::string& assertion, unsigned frames, unsigned max_seconds) {
  return fmt::format("read_aiger {}.aig; fold; strash; bmc3 -F {} -T {}; ", assertion, frames, max_seconds);
}

}  // namespace tessera::testbench
