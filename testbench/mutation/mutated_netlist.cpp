// SPDX-License-Identifier: Apache-2.0
#include "testbench/mutation/mutated_netlist.h"

#include <fmt/format.h>

#include <sstream>
#include <string>

#include "cosim/core_cache.h"
#include "cosim/source_tree.h"
#include "cosim/text_file.h"
#include "cosim/tool.h"
#include "rtl_model/base/field.h"
#include "testbench/mutation/register_views.h"

namespace tessera::testbench {
namespace {

namespace fs = std::filesystem;

constexpr const char* kNetlistScript = "script.ys";
constexpr const char* kDesign = "design.il";
constexpr const char* kCandidates = "candidates.ys";
constexpr const char* kMutantList = "mutants.ys";
constexpr const char* kNetlist = "netlist.v";
constexpr const char* kResult = "mutants";  // folder of what is kept

// More than are wanted: some are dropped.
std::uint32_t num_candidates(std::uint32_t num_mutants) { return num_mutants + num_mutants / 20 + 10; }

// Registers of tsr_scheduler itself get the name of a unit too: then they are found as all others are.
std::string names_in_unit_script(const std::vector<RegisterName>& registers) {
  std::string text = "cd tsr_scheduler\n";
  for (const RegisterName& reg : registers) {
    if (reg.unit == kTopUnit) text += fmt::format("rename {} {}\n", reg.path(), reg.net());
  }
  return text + "cd ..\n";
}

// Word-level cells: each bit of each port is a place for a fault. Arithmetic is cut down to the bits that are used
// first, since bits of Verilog's 32 that go nowhere are no hardware. Instances lose their source attribute, so that a
// cell's says where the cell itself is.
std::string list_script(const cosim::Elaboration& elaboration, const fs::path& includes,
                        const std::vector<cosim::Source>& verilog, const std::vector<RegisterName>& registers,
                        std::uint32_t num_mutants, std::uint64_t seed) {
  std::string text = "read_verilog -I " + includes.string();
  for (const cosim::Source& file : verilog) text += " " + file.name.string();
  text += "\nchparam";
  for (const cosim::VerilogParameter& parameter : cosim::verilog_parameters(elaboration)) {
    text += fmt::format(" -set {} {}", parameter.name, parameter.value);
  }
  text += " tsr_scheduler\nhierarchy -top tsr_scheduler\nproc\nattrmap -remove src */t:*tsr_*\nflatten\n";
  text += names_in_unit_script(registers);
  for (const RegisterName& reg : registers) text += fmt::format("setattr -set keep 1 w:{}\n", reg.net());
  text += "opt -full\nwreduce\npeepopt\nopt -full\nopt_clean\n";
  const std::uint32_t num = num_candidates(num_mutants);
  return text + fmt::format("mutate -list {} -seed {} -ctrl mutsel {} 1 -o {}\nwrite_rtlil {}\n", num, seed,
                            rtl_model::bits_for_value(num), kCandidates, kDesign);
}

// Nets are split where their drivers meet: else one half of a vector would seem to depend on the other.
std::string apply_script() {
  return fmt::format("read_rtlil {}\nscript {}\nopt_clean\nsplitnets -driver\nopt_clean\nwrite_verilog -noattr {}\n",
                     kDesign, kMutantList, kNetlist);
}

// A fault of a register's clock makes it a clock of its own, and simulation of the others depends on the order of both.
// The enable of a memory's read port is a constant, and Yosys wants it so.
bool is_usable(const Mutant& mutant) {
  const bool is_read_port = mutant.cell_name.find("memrd") != std::string::npos;
  return mutant.port != "CLK" && !(is_read_port && mutant.port == "EN");
}

std::string select(const std::string& candidates, std::uint32_t num_mutants) {
  std::string selected;
  std::istringstream lines(candidates);
  for (std::string line; num_mutants != 0 && std::getline(lines, line);) {
    if (!is_usable(parse_mutant(line))) continue;
    selected += line + "\n";
    --num_mutants;
  }
  return selected;
}

std::vector<Mutant> listed_in(const fs::path& list) {
  std::vector<Mutant> mutants;
  std::istringstream lines(cosim::read_text(list));
  for (std::string line; std::getline(lines, line);) mutants.push_back(parse_mutant(line));
  return mutants;
}

void run_script(const fs::path& folder, const std::string& script) {
  cosim::write_text(folder / kNetlistScript, script);
  cosim::run_tools({{"yosys", "-q", "-s", kNetlistScript}}, folder);
}

struct Plan {
  fs::path root;  // has rtl/
  cosim::Elaboration elaboration;
  std::vector<RegisterName> registers;
  std::uint32_t num_mutants;
  std::string list_script;
};

void make(const fs::path& folder, const Plan& plan) {
  fmt::print(stderr, "tessera: putting {} mutants into the core's netlist\n", plan.num_mutants);
  // So that places are named as in the repository.
  fs::create_directory_symlink(plan.root / "rtl", folder / "rtl");
  run_script(folder, plan.list_script);
  cosim::write_text(folder / kMutantList, select(cosim::read_text(folder / kCandidates), plan.num_mutants));
  run_script(folder, apply_script());
  const fs::path result = folder / kResult;
  fs::create_directory(result);
  for (const char* file : {kMutantList, kDesign}) fs::rename(folder / file, result / file);
  cosim::write_text(result / kNetlist,
                    with_register_views(cosim::read_text(folder / kNetlist), plan.registers, plan.elaboration));
}

}  // namespace

MutatedNetlist make_mutated_netlist(const cosim::Elaboration& elaboration, std::uint32_t num_mutants,
                                    std::uint64_t seed) {
  const cosim::SourceTree sources{cosim::BuildRequest(elaboration)};
  std::vector<cosim::Source> verilog;
  std::string key = cosim::output_of("yosys", "-V") + apply_script(), settings;
  for (const cosim::Source& source : sources.of_tree) {
    const std::string text = cosim::read_text(source.path);
    key += text;
    if (source.name.extension() == ".v") {
      verilog.push_back(source);
    } else {
      settings += text;
    }
  }
  for (const cosim::Source& source : sources.includes) key += cosim::read_text(source.path);
  const std::vector<RegisterName> registers = listed_registers(settings, elaboration);
  const Plan plan{
      sources.root, elaboration, registers, num_mutants,
      list_script(elaboration, sources.scheduler.name.parent_path(), verilog, registers, num_mutants, seed)};
  const fs::path folder = cosim::cached(cosim::fingerprint(key + plan.list_script), kResult,
                                        [&](const fs::path& work) { make(work, plan); });
  return {folder / kNetlist, folder / kDesign, listed_in(folder / kMutantList)};
}

}  // namespace tessera::testbench
