// SPDX-License-Identifier: Apache-2.0
// The same numbers three times.
#include "apps/tessera/synth_report.h"

#include <fmt/format.h>

#include <utility>

#include "model/spec/names.h"
#include "model/storage/sram_area.h"
#include "synthesis/cell_library.h"
#include "synthesis/technology.h"

namespace tessera::app {
namespace {

using Json = nlohmann::ordered_json;
using synthesis::CoreResult;
using synthesis::Range;

std::vector<std::string> policy_names(const spec::CoreSpec& core) {
  std::vector<std::string> names;
  for (const spec::PolicyKind policy : core.policies) names.emplace_back(spec::to_string(policy));
  return names;
}

std::string policy_text(const spec::CoreSpec& core) {
  if (core.policies.size() == spec::CoreSpec{}.policies.size()) return "all";
  std::string text;
  for (const std::string& name : policy_names(core)) text += (text.empty() ? "" : "+") + name;
  return text;
}

// ---- JSON ------------------------------------------------------------------------------------------------------

Json to_json(const Range& range) { return Json::array({range.min, range.max}); }

Json to_json(const record::CycleStats& stats) {
  if (stats.count == 0) return {{"count", 0}, {"min", nullptr}, {"mean", nullptr}, {"max", nullptr}};
  return {{"count", stats.count}, {"min", stats.min}, {"mean", stats.mean()}, {"max", stats.max}};
}

Json to_json(const synthesis::Decisions& decisions) {
  return {{"first", to_json(decisions.first)}, {"steady", to_json(decisions.steady)}};
}

Json in_ns(const record::CycleStats& stats, double period_ns) {
  if (stats.count == 0) return {{"min", nullptr}, {"mean", nullptr}, {"max", nullptr}};
  return {{"min", static_cast<double>(stats.min) * period_ns},
          {"mean", stats.mean() * period_ns},
          {"max", static_cast<double>(stats.max) * period_ns}};
}

Json estimates(const CoreResult& result) {
  Json list = Json::array();
  const double period_ns = result.period_ns();
  const double cycles = result.decision_ns() / period_ns;
  for (std::size_t i = 0; i < synthesis::kLogicNodes.size(); ++i) {
    const synthesis::LogicNode& node = synthesis::kLogicNodes[i];
    const Range fmax = synthesis::scaled_fmax_mhz(node, period_ns);
    const storage::AreaRange sram = storage::sram_area(storage::kSramNodes[i], result.mapped.ram_bits());
    list.push_back({{"node", node.name},
                    {"logic_um2", to_json(synthesis::scaled_area_um2(node, result.kge() * 1000))},
                    {"sram_um2", Json::array({sram.min_um2, sram.max_um2})},
                    {"fmax_mhz", to_json(fmax)},
                    {"decision_ns", Json::array({cycles * 1000 / fmax.max, cycles * 1000 / fmax.min})}});
  }
  return list;
}

Json sizes(const spec::CoreSpec& core) {
  return {{"n_sm", core.num_sms},
          {"search_width", core.search_width},
          {"policies", policy_names(core)},
          {"max_tbs_per_sm", core.max_tbs_per_sm},
          {"num_ksrs", core.num_ksrs},
          {"num_command_buffers", core.num_command_buffers},
          {"num_contexts", core.num_contexts},
          {"tb_id_bits", core.tb_id_bits},
          {"wait_bits", core.wait_bits},
          {"parity_bits", core.parity_bits},
          {"linger", core.linger},
          {"kept_turn", core.kept_turn},
          {"setup_tag_bits", core.setup_tag_bits},
          {"refill_lane", core.refill_lane}};
}

Json to_json(const synthesis::TimedPath& path) {
  return {{"start", path.start},
          {"end", path.end},
          {"period_ns", path.period_ns},
          {"fo4", path.period_ns / synthesis::kFo4Ns}};
}

Json to_json(const CoreResult& result, const std::vector<CoreResult>& results) {
  const synthesis::TimedPaths& paths = result.mapped.paths;
  Json json = sizes(result.core);
  json["area_um2"] = result.mapped.area_um2;
  json["kge"] = result.kge();
  json["flip_flops"] = result.mapped.flip_flops;
  json["ram_bits"] = result.mapped.ram_bits();
  json["memories"] = Json::array();
  for (const synthesis::MemoryShape& memory : result.mapped.memories) {
    json["memories"].push_back({{"depth", memory.depth}, {"width", memory.width}, {"count", memory.count}});
  }
  json["fmax_mhz"] = result.fmax_mhz();
  json["critical_path"] = to_json(paths.critical());
  json["paths"] = {
      {"registers", to_json(paths.registers)}, {"inputs", to_json(paths.inputs)}, {"outputs", to_json(paths.outputs)}};
  const std::string& slowest = result.slowest_policy();
  const synthesis::Decisions& decisions = result.decisions.at(slowest);
  json["decision_policy"] = slowest;
  json["decision_cycles"] = to_json(decisions);
  json["decision_ns"] = result.decision_ns();
  json["decision_time_ns"] = {{"first", in_ns(decisions.first, result.period_ns())},
                              {"steady", in_ns(decisions.steady, result.period_ns())}};
  json["decision_cycles_by_policy"] = Json::object();
  for (const auto& [policy, each] : result.decisions) json["decision_cycles_by_policy"][policy] = to_json(each);
  json["modules"] = Json::array();
  for (const synthesis::MappedModule& module : result.modules) {
    json["modules"].push_back({{"module", module.module},
                               {"area_um2", module.area_um2},
                               {"kge", module.kge()},
                               {"flip_flops", module.flip_flops}});
  }
  json["estimates"] = estimates(result);
  if (result.front_end) {
    json["front_end"] = {{"kge", result.front_end->kge()},
                         {"flip_flops", result.front_end->flip_flops},
                         {"ram_bits", result.front_end->ram_bits()},
                         {"fmax_mhz", result.front_end->fmax_mhz()}};
  }
  if (result.ice40) {
    const synthesis::Ice40Core& ice40 = *result.ice40;
    json["ice40"] = {{"luts", ice40.luts},
                     {"flip_flops", ice40.flip_flops},
                     {"block_rams", ice40.block_rams},
                     {"fmax_mhz", ice40.fmax_mhz == 0 ? Json(nullptr) : Json(ice40.fmax_mhz)}};
  }
  json["is_on_front"] = synthesis::is_on_front(result, results);
  return json;
}

// ---- text ------------------------------------------------------------------------------------------------------

std::string table(const std::vector<CoreResult>& results) {
  std::string text = fmt::format("  {:>4}{:>7}{:>6}{:>9}{:>10}{:>9}{:>7}  {:<16}{:>9}{:>12}{:>10}{:>8}{:>18}{:>12}\n",
                                 "SMs", "T_MAX", "KSRs", "buffers", "contexts", "TB bits", "width", "policies", "kGE",
                                 "flip-flops", "RAM bits", "MHz", "decision (cycles)", "(ns)");
  for (const CoreResult& result : results) {
    const spec::CoreSpec& core = result.core;
    const double cycles = result.decision_ns() / result.period_ns();
    text +=
        fmt::format("  {:>4}{:>7}{:>6}{:>9}{:>10}{:>9}{:>7}  {:<16}{:>9.1f}{:>12}{:>10}{:>8.0f}{:>18.1f}{:>12.0f}{}\n",
                    core.num_sms, core.max_tbs_per_sm, core.num_ksrs, core.num_command_buffers, core.num_contexts,
                    core.tb_id_bits, core.search_width, policy_text(core), result.kge(), result.mapped.flip_flops,
                    result.mapped.ram_bits(), result.fmax_mhz(), cycles, result.decision_ns(),
                    results.size() > 1 && synthesis::is_on_front(result, results) ? "  *" : "");
  }
  if (results.size() > 1) text += "\n  *: no other core that does as much is both smaller and faster to decide\n";
  return text;
}

std::string front_end_table(const std::vector<CoreResult>& results) {
  std::string text =
      fmt::format("\n  the IP's register front end, by itself\n  {:>4}{:>10}{:>9}{:>9}{:>12}{:>10}{:>8}\n", "SMs",
                  "contexts", "buffers", "kGE", "flip-flops", "RAM bits", "MHz");
  for (const CoreResult& result : results) {
    const synthesis::MappedCore& mapped = *result.front_end;
    text += fmt::format("  {:>4}{:>10}{:>9}{:>9.2f}{:>12}{:>10}{:>8.0f}\n", result.core.num_sms,
                        result.core.num_contexts, result.core.num_command_buffers, mapped.kge(), mapped.flip_flops,
                        mapped.ram_bits(), mapped.fmax_mhz());
  }
  return text;
}

std::string ice40_table(const std::vector<CoreResult>& results) {
  std::string text = fmt::format("\n  iCE40 HX8K ({} LUTs, {} block RAMs)\n  {:>4}{:>7}{:>9}{:>12}{:>12}{:>8}\n",
                                 synthesis::kIce40Luts, synthesis::kIce40BlockRams, "SMs", "width", "LUT4",
                                 "flip-flops", "block RAMs", "MHz");
  for (const CoreResult& result : results) {
    const synthesis::Ice40Core& ice40 = *result.ice40;
    text += fmt::format("  {:>4}{:>7}{:>9}{:>12}{:>12}{:>8}\n", result.core.num_sms, result.core.search_width,
                        ice40.luts, ice40.flip_flops, ice40.block_rams,
                        ice40.fmax_mhz == 0 ? "no fit" : fmt::format("{:.1f}", ice40.fmax_mhz));
  }
  return text;
}

std::string path_table(const synthesis::TimedPaths& paths) {
  std::string text = fmt::format("\n  {:<24}{:>9}{:>7}   (pins: {:.0f} % of a period are outside)\n", "slowest path",
                                 "ns", "FO4", 100 * synthesis::kPinShare);
  for (const auto& [name, path] : {std::pair("between registers", &paths.registers),
                                   std::pair("from a pin", &paths.inputs), std::pair("to a pin", &paths.outputs)}) {
    text += fmt::format("  {:<24}{:>9.2f}{:>7.0f}   from {} to {}\n", name, path->period_ns,
                        path->period_ns / synthesis::kFo4Ns, path->start, path->end);
  }
  return text;
}

std::string module_table(const CoreResult& result) {
  std::string text =
      fmt::format("\n  {:<24}{:>9}{:>12}   (mapped apart: the sum is larger)\n", "module", "kGE", "flip-flops");
  for (const synthesis::MappedModule& module : result.modules) {
    text += fmt::format("  {:<24}{:>9.2f}{:>12}\n", module.module, module.kge(), module.flip_flops);
  }
  for (const synthesis::MemoryShape& memory : result.mapped.memories) {
    text += fmt::format("  {} RAM of {} x {} bits\n", memory.count, memory.depth, memory.width);
  }
  return text;
}

std::string decision_table(const CoreResult& result) {
  std::string text = fmt::format("\n  {:<24}{:>28}{:>28}\n  {:<24}", "decisions (cycles)", "to the first move",
                                 "until nothing is left to do", "");
  for (int i = 0; i < 2; ++i) text += fmt::format("{:>7}{:>7}{:>7}{:>7}", "number", "min", "mean", "max");
  text += "\n";
  for (const auto& [policy, decisions] : result.decisions) {
    text += fmt::format("  {:<24}", policy);
    for (const record::CycleStats& stats : {decisions.first, decisions.steady}) {
      text += fmt::format("{:>7}{:>7}{:>7.1f}{:>7}", stats.count, stats.min, stats.mean(), stats.max);
    }
    text += "\n";
  }
  return text;
}

std::string estimate_table(const CoreResult& result) {
  std::string text = fmt::format("\n  {:<8}{:>22}{:>22}{:>18}   (estimates: docs/hardware/synthesis.md)\n", "node",
                                 "logic (mm2)", "RAM (mm2)", "MHz");
  for (const Json& estimate : estimates(result)) {
    const auto range = [&](const char* key, double unit, int digits) {
      return fmt::format("{:.{}f} .. {:.{}f}", estimate[key][0].get<double>() / unit, digits,
                         estimate[key][1].get<double>() / unit, digits);
    };
    text += fmt::format("  {:<8}{:>22}{:>22}{:>18}\n", estimate["node"].get<std::string>(),
                        range("logic_um2", storage::kUm2PerMm2, 4), range("sram_um2", storage::kUm2PerMm2, 4),
                        range("fmax_mhz", 1, 0));
  }
  return text;
}

}  // namespace

Json synthesis_json(const spec::SynthesisSpec& synthesis, const std::vector<CoreResult>& results) {
  Json configurations = Json::array();
  for (const CoreResult& result : results) configurations.push_back(to_json(result, results));
  return {{"schema", "tessera-synthesis-1"},
          {"name", synthesis.name},
          {"library", "osu018"},
          {"target_mhz", synthesis.target_mhz},
          {"nand2_um2", synthesis::kNand2Um2},
          {"configurations", std::move(configurations)}};
}

std::string synthesis_csv(const std::vector<CoreResult>& results) {
  std::string text =
      "n_sm,search_width,policies,max_tbs_per_sm,num_ksrs,num_command_buffers,num_contexts,tb_id_bits,"
      "area_um2,kge,"
      "flip_flops,ram_bits,fmax_mhz,decision_policy,first_cycles,steady_cycles,decision_ns,is_on_front\n";
  for (const CoreResult& result : results) {
    const spec::CoreSpec& core = result.core;
    const synthesis::Decisions& decisions = result.decisions.at(result.slowest_policy());
    text +=
        fmt::format("{},{},{},{},{},{},{},{},{},{:.3f},{},{},{:.2f},{},{:.2f},{:.2f},{:.1f},{:d}\n", core.num_sms,
                    core.search_width, policy_text(core), core.max_tbs_per_sm, core.num_ksrs, core.num_command_buffers,
                    core.num_contexts, core.tb_id_bits, result.mapped.area_um2, result.kge(), result.mapped.flip_flops,
                    result.mapped.ram_bits(), result.fmax_mhz(), result.slowest_policy(), decisions.first.mean(),
                    decisions.steady.mean(), result.decision_ns(), synthesis::is_on_front(result, results));
  }
  return text;
}

std::string synthesis_text(const spec::SynthesisSpec& synthesis, const std::vector<CoreResult>& results) {
  std::string text = fmt::format("{}: gates of osu018 sized for {} MHz, before layout; 1 GE is a NAND2\n\n",
                                 synthesis.name, synthesis.target_mhz) +
                     table(results);
  if (results.front().front_end) text += front_end_table(results);
  if (results.front().ice40) text += ice40_table(results);
  if (results.size() != 1) return text;
  const CoreResult& result = results.front();
  return text + path_table(result.mapped.paths) + module_table(result) + decision_table(result) +
         estimate_table(result);
}

}  // namespace tessera::app
