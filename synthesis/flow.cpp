// SPDX-License-Identifier: Apache-2.0
// Elaborate, map, count, time.
#include "synthesis/flow.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "cosim/text_file.h"
#include "cosim/tool.h"
#include "model/spec/gpu_spec.h"
#include "model/storage/framework_storage.h"
#include "synthesis/cell_library.h"
#include "synthesis/rtl_scripts.h"

namespace tessera::synthesis {
namespace {

namespace fs = std::filesystem;

constexpr const char* kSetup =
    "timing () { related_pin : \"clk_i\"; timing_type : setup_rising; rise_constraint (scalar) { values (\"0.3\"); } "
    "fall_constraint (scalar) { values (\"0.3\"); } }";

struct Plan {
  Plan(const cosim::Elaboration& elaboration, std::uint32_t target_mhz, const std::vector<std::string>& kept_modules,
       Design design = Design::kCore);

  RtlScripts scripts;
  std::string library;
  double period_ns;
};

Plan::Plan(const cosim::Elaboration& elaboration, std::uint32_t target_mhz,
           const std::vector<std::string>& kept_modules, Design design)
    : scripts(elaboration, design), library(read_cell_library()), period_ns(1000.0 / target_mhz) {
  std::string keep;
  for (const std::string& module : kept_modules) keep += " *" + module + "*";
  scripts.define("keep", keep.empty() ? "" : "setattr -mod -set keep_hierarchy 1" + keep);
  scripts.define("period_ps", fmt::format("{:.0f}", period_ns * 1000));
  scripts.define("period_ns", fmt::format("{}", period_ns));
  scripts.define("pin_delay_ns", fmt::format("{:.4f}", period_ns * kPinShare));
}

// ---- memories --------------------------------------------------------------------------------------------------

struct MemoryModule {
  std::string module;  // as Yosys names it
  std::string cell;    // as the library does
  std::uint64_t depth = 0, width = 0, address = 0;
};

std::vector<MemoryModule> memories_in(const fs::path& folder) {
  std::vector<MemoryModule> memories;
  const nlohmann::json design = nlohmann::json::parse(cosim::read_text(folder / "memories.json"));
  for (const auto& [name, module] : design["modules"].items()) {
    for (const auto& [ignored, memory] : module["memories"].items()) {
      memories.push_back({name, fmt::format("memory_{}", memories.size()), memory["size"].get<std::uint64_t>(),
                          memory["width"].get<std::uint64_t>(), module["ports"]["read_address_i"]["bits"].size()});
    }
  }
  return memories;
}

// Cells of the library that stand for them.
std::string memory_cells(const std::string& cell_text, const std::vector<MemoryModule>& memories) {
  std::string cells;
  for (const MemoryModule& memory : memories) {
    cells += filled(cell_text, {{"name", memory.cell},
                                {"depth", std::to_string(memory.depth)},
                                {"width", std::to_string(memory.width)},
                                {"width_top", std::to_string(memory.width - 1)},
                                {"address", std::to_string(memory.address)},
                                {"address_top", std::to_string(memory.address - 1)},
                                {"setup", kSetup}});
  }
  return cells;
}

// The netlist with names for memories that OpenSTA finds in the library.
std::string with_memory_cells(std::string netlist, const std::vector<MemoryModule>& memories) {
  for (const MemoryModule& memory : memories) {
    const std::string name = "\\" + memory.module + " ";  // as Verilog escapes it
    for (std::size_t at = netlist.find(name); at != std::string::npos; at = netlist.find(name, at)) {
      netlist.replace(at, name.size(), memory.cell + " ");
    }
  }
  return netlist;
}

// ---- runs ------------------------------------------------------------------------------------------------------

// Leaves netlist.v and gates.v, cells.txt, memories.json and memories.v.
void map(const Plan& plan, const fs::path& folder) {
  plan.scripts.link_sources(folder);
  cosim::write_text(folder / "cells.lib", plan.library);
  cosim::write_text(folder / "abc.constr", plan.scripts.text("abc.constr"));
  plan.scripts.run_yosys(folder, "elaborate.ys");
  plan.scripts.run_yosys(folder, "map.ys");
}

TimedPaths timed_paths(const Plan& plan, const fs::path& folder, const std::vector<MemoryModule>& memories) {
  const std::string netlist = with_memory_cells(cosim::read_text(folder / "netlist.v"), memories);
  const std::string cells = memory_cells(plan.scripts.text("memory_cell.lib"), memories);
  cosim::write_text(folder / "timing.v", netlist);
  cosim::write_text(folder / "timing.lib", with_cells(plan.library, cells));
  cosim::write_text(folder / "timing.tcl", plan.scripts.text("timing.tcl"));
  return parse_timing(cosim::run_tool({"sta", "-exit", "timing.tcl"}, folder), netlist, plan.period_ns);
}

nlohmann::json measured_core(const Plan& plan, const fs::path& folder) {
  map(plan, folder);
  const std::vector<ModuleCells> modules = parse_cells(cosim::read_text(folder / "cells.txt"));
  if (modules.size() != 1) throw cosim::BuildError("yosys left more than one module of a flat netlist");
  const ModuleCells& top = modules.front();
  MappedCore core;
  core.area_um2 = top.area_um2;
  core.flip_flops = top.flip_flops();
  const std::vector<MemoryModule> memories = memories_in(folder);
  for (const MemoryModule& memory : memories) {
    const auto found = top.cells.find(memory.module);
    core.memories.push_back({memory.depth, memory.width, found == top.cells.end() ? 0 : found->second});
  }
  core.paths = timed_paths(plan, folder, memories);
  return core;
}

// "$paramod$0123\tsr_ksrt" and "$paramod\tsr_active_queue\NUM_KSRS=13" to their modules of rtl/.
std::string plain_name(const std::string& module) {
  const std::size_t begin = module.find("tsr_");
  return begin == std::string::npos ? module : module.substr(begin, module.find_first_of("\\$", begin) - begin);
}

nlohmann::json measured_modules(const Plan& plan, const fs::path& folder) {
  map(plan, folder);
  std::vector<MappedModule> modules;
  for (const ModuleCells& module : parse_cells(cosim::read_text(folder / "cells.txt"))) {
    modules.push_back({plain_name(module.module), module.area_um2, module.flip_flops()});
  }
  std::sort(modules.begin(), modules.end(), [](const auto& a, const auto& b) { return a.area_um2 > b.area_um2; });
  return modules;
}

// Modules of rtl/ that hold registers.
std::vector<std::string> modules_with_registers() {
  std::set<std::string> modules;
  for (const storage::Structure& structure : storage::framework_structures(storage::CoreSizes(spec::GpuSpec()))) {
    modules.insert(structure.module);
  }
  return {modules.begin(), modules.end()};
}

const std::vector<std::string> kMapScripts = {"elaborate.ys", "map.ys", "abc.constr"};

void make_simulated_gates(const Plan& plan, const fs::path& folder, const std::string& result) {
  map(plan, folder);
  plan.scripts.run_yosys(folder, "cells.ys");
  std::string text;
  for (const char* part : {"gates.v", "cells.v", "memories.v"}) text += cosim::read_text(folder / part);
  cosim::write_text(folder / result, text);
}

template <typename Measure>
nlohmann::json cached_result(const Plan& plan, Measure measure) {
  std::vector<std::string> scripts = kMapScripts;
  scripts.insert(scripts.end(), {"timing.tcl", "memory_cell.lib"});
  return plan.scripts.cached(scripts, cosim::output_of("sta", "-version") + plan.library,
                             [&](const fs::path& folder) { return measure(plan, folder); });
}

}  // namespace

std::uint64_t MappedCore::ram_bits() const {
  std::uint64_t bits = 0;
  for (const MemoryShape& memory : memories) bits += memory.depth * memory.width * memory.count;
  return bits;
}

double MappedCore::kge() const { return area_um2 / kNand2Um2 / 1000; }
double MappedCore::period_ns() const { return paths.critical().period_ns; }
double MappedCore::fmax_mhz() const { return 1000 / period_ns(); }

double MappedModule::kge() const { return area_um2 / kNand2Um2 / 1000; }

MappedCore map_core(const cosim::Elaboration& elaboration, std::uint32_t target_mhz) {
  return cached_result(Plan(elaboration, target_mhz, {}), measured_core).get<MappedCore>();
}

MappedCore map_front_end(const cosim::Elaboration& elaboration, std::uint32_t target_mhz) {
  return cached_result(Plan(elaboration, target_mhz, {}, Design::kFrontEnd), measured_core).get<MappedCore>();
}

fs::path simulated_gates(const cosim::Elaboration& elaboration, std::uint32_t target_mhz) {
  const Plan plan(elaboration, target_mhz, {});
  std::vector<std::string> scripts = kMapScripts;
  scripts.emplace_back("cells.ys");
  const std::string result = "simulated.v";
  return plan.scripts.kept(scripts, plan.library, result,
                           [&](const fs::path& folder) { make_simulated_gates(plan, folder, result); });
}

std::vector<MappedModule> map_modules(const cosim::Elaboration& elaboration, std::uint32_t target_mhz) {
  return cached_result(Plan(elaboration, target_mhz, modules_with_registers()), measured_modules)
      .get<std::vector<MappedModule>>();
}

}  // namespace tessera::synthesis
