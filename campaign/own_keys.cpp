// SPDX-License-Identifier: Apache-2.0
// A table of targets and keys.
#include "campaign/own_keys.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string_view>

#include "model/spec/diagnostics.h"

namespace tessera::campaign {
namespace {

// `whole`: of the target that is all figures of a paper, or its own name.
struct OwnKeys {
  std::string_view target;
  std::string_view whole;
  std::vector<std::string> keys;
};

std::vector<std::string> joined(std::vector<std::string> keys, const std::vector<std::string>& more) {
  keys.insert(keys.end(), more.begin(), more.end());
  return keys;
}

const std::vector<OwnKeys>& table() {
  const std::vector<std::string> way{"scheduler.policy", "scheduler.technique", "baseline.**"};
  const std::vector<std::string> t14 =
      joined(way, {"scheduler.access", "dma.policy", "workload.processes.*.priority", "workload.processes.*.background",
                   "workload.processes.*.start_us"});
  const std::vector<std::string> s16 =
      joined(way, {"scheduler.estimator", "scheduler.switch_pricing", "scheduler.latency_limit_us",
                   "scheduler.enable_escalation", "workload.processes.*.priority"});
  const std::vector<std::string> k11{"driver.kind",   "driver.spec.**",   "workload.processes.*.priority",
                                     "stop.min_runs", "stop.max_time_us", "baseline.**"};
  const std::vector<std::string> z21 = joined(way, {"scheduler.access", "scheduler.exclusive_scope", "workload.**",
                                                    "contention.**", "partitions.**", "stop.**"});
  static const std::vector<OwnKeys> all{
      {"t14-table1", "t14", {"stop.min_runs", "baseline.**"}},
      {"t14-fig2", "t14",
       joined(way, {"workload.time_base", "workload.processes.*.priority", "workload.processes.*.start_us",
                    "stop.min_runs"})},
      {"t14-fig5", "t14", t14},
      {"t14-fig6", "t14", t14},
      {"t14-fig7", "t14", t14},
      {"t14-fig8", "t14", t14},
      {"t14-latency", "t14", t14},
      {"t14-sensitivity", "", t14},
      {"t14-decision", "", joined(t14, {"scheduler.search_width", "gpu.framework.search_entry_cycles"})},
      {"s16-fig4_1", "s16", s16},
      {"s16-fig4_2", "s16", s16},
      {"s16-fig4_3", "s16", s16},
      {"s16-fig4_4", "s16", s16},
      {"s16-fig4_5", "s16", s16},
      {"s16-prior", "s16", s16},
      {"s16-beyond", "s16",
       joined(s16, {"gpu", "framework.tb_issue_cycles", "scheduler.tbs_per_cycle", "scheduler.search_width"})},
      {"k11-fig1", "k11", k11},
      {"k11-fig7", "k11", k11},
      {"k11-fig8", "k11", k11},
      {"k11-fig9", "k11", k11},
      {"k11-fig10", "k11", k11},
      {"k11-fig11", "k11", k11},
      {"k11-fig12", "k11", k11},
      {"k11-fig13", "k11", k11},
      {"k11-fig14", "k11", k11},
      {"k11-fig15", "k11", k11},
      {"k11-fig16", "k11", joined(k11, {"driver.invocation"})},
      {"k11-calibration", "k11", k11},
      {"k11-driver-crossing", "k11", joined(joined(k11, way), {"gpu", "workload.processes.*.application"})},
      {"z21-execution", "", z21},
      {"z21-co-running", "", z21},
      {"z21-techniques", "", z21},
      {"z21-bounds", "", z21},
      {"z21-presets", "", {"gpu", "gpu.**"}},
      {"g16-fig4", "g16", {"workload.processes.*.runs", "baseline.**"}},
      {"g16-preemption", "g16",
       joined(way, {"gpu", "driver.kind", "driver.threshold_us", "driver.switch_us", "driver.kill_us",
                    "workload.processes.**", "stop.max_time_us"})},
  };
  return all;
}

// What is computed, and not simulated, looks at little; requests for SMs know no hosts, copies and ends.
const std::vector<OwnKeys>& table_of_read_keys() {
  const std::vector<std::string> gpu{"gpu", "gpu.**", "framework.**"};
  const std::vector<std::string> kernels =
      joined(gpu, {"workload.time_base", "workload.processes.*.application", "workload.processes.*.application.**"});
  const std::vector<std::string> requests =
      joined(kernels, {"seed", "scheduler.**", "memory_channel.**", "checks.enable_invariants"});
  const std::vector<std::string> sets{"seed", "gpu", "gpu.num_sms"};
  const std::vector<std::string> sets_on_machine = joined(gpu, {"seed", "host", "host.**", "scheduler.search_width"});
  static const std::vector<OwnKeys> all{
      {"t14-sram", "", joined(gpu, {"scheduler.search_width", "scheduler.tbs_per_cycle"})},
      {"s16-table3_1", "s16", gpu},
      {"s16-fig3_8", "s16", {}},
      {"s16-table4_2", "s16", kernels},
      {"s16-fig4_1", "s16", requests},
      {"s16-fig4_2", "s16", requests},
      {"s16-fig4_3", "s16", requests},
      {"s16-fig4_4", "s16", requests},
      {"s16-fig4_5", "s16", requests},
      {"s16-prior", "s16", requests},
      {"s16-beyond", "s16", requests},
      {"k11-fig5", "", {}},
      {"k11-fig6", "", {}},
      {"z21-fig5", "z21", sets},
      {"z21-fig6", "z21", sets},
      {"z21-fig7", "z21", sets},
      {"z21-fig8", "z21", sets},
      {"z21-fig9", "z21", sets},
      {"z21-presets", "", {"seed"}},
      {"z21-execution", "", sets_on_machine},
      {"z21-co-running", "", sets_on_machine},
      {"z21-techniques", "", sets_on_machine},
      {"z21-bounds", "", sets_on_machine},
  };
  return all;
}

std::vector<std::string_view> segments_of(std::string_view key) {
  std::vector<std::string_view> segments;
  for (;;) {
    const std::size_t dot = key.find('.');
    segments.push_back(key.substr(0, dot));
    if (dot == std::string_view::npos) return segments;
    key.remove_prefix(dot + 1);
  }
}

// Also of a mapping that holds such a key; not of a list whose entries do, which brings more than that.
bool is_about(std::string_view own, std::string_view key) {
  const std::vector<std::string_view> pattern = segments_of(own);
  const std::vector<std::string_view> path = segments_of(key);
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    if (pattern[i] == "**") return true;
    if (i == path.size())
      return std::find(pattern.begin() + static_cast<std::ptrdiff_t>(i), pattern.end(), "*") == pattern.end();
    if (pattern[i] != "*" && pattern[i] != path[i]) return false;
  }
  return path.size() == pattern.size();
}

bool is_any_about(const std::vector<std::string>& patterns, const std::string& key) {
  return std::any_of(patterns.begin(), patterns.end(), [&key](const auto& each) { return is_about(each, key); });
}

}  // namespace

std::vector<std::string> own_keys(const std::string& target) {
  std::vector<std::string> keys;
  for (const OwnKeys& own : table()) {
    if (own.target == target || own.whole == target) keys.insert(keys.end(), own.keys.begin(), own.keys.end());
  }
  return keys;
}

std::optional<std::vector<std::string>> read_keys(const std::string& target) {
  std::optional<std::vector<std::string>> keys;
  for (const OwnKeys& read : table_of_read_keys()) {
    if (read.target == target || read.whole == target)
      keys = joined(keys.value_or(std::vector<std::string>{}), read.keys);
  }
  return keys;
}

void refuse_own_keys(const std::string& target, const std::vector<std::string>& overrides) {
  const std::vector<std::string> own = own_keys(target);
  const std::optional<std::vector<std::string>> read = read_keys(target);
  std::vector<spec::Diagnostic> diagnostics;
  for (const std::string& text : overrides) {
    const std::string key = text.substr(0, text.find('='));
    if (is_any_about(own, key)) {
      diagnostics.push_back({"--set", 1, 1, key, "is set by this figure itself", text, "another key"});
    } else if (read && !is_any_about(*read, key)) {
      diagnostics.push_back({"--set", 1, 1, key, "is not looked at by this figure", text,
                             read->empty() ? "none" : fmt::format("{}", fmt::join(*read, ", "))});
    }
  }
  if (!diagnostics.empty()) throw spec::InputError(std::move(diagnostics));
}

}  // namespace tessera::campaign
