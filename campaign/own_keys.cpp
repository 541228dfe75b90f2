// SPDX-License-Identifier: Apache-2.0
// A table of targets and keys.
#include "campaign/own_keys.h"

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

}  // namespace

std::vector<std::string> own_keys(const std::string& target) {
  std::vector<std::string> keys;
  for (const OwnKeys& own : table()) {
    if (own.target == target || own.whole == target) keys.insert(keys.end(), own.keys.begin(), own.keys.end());
  }
  return keys;
}

void refuse_own_keys(const std::string& target, const std::vector<std::string>& overrides) {
  const std::vector<std::string> own = own_keys(target);
  std::vector<spec::Diagnostic> diagnostics;
  for (const std::string& text : overrides) {
    const std::string key = text.substr(0, text.find('='));
    const bool is_own = std::any_of(own.begin(), own.end(), [&key](const auto& each) { return is_about(each, key); });
    if (is_own) diagnostics.push_back({"--set", 1, 1, key, "is set by this figure itself", text, "another key"});
  }
  if (!diagnostics.empty()) throw spec::InputError(std::move(diagnostics));
}

}  // namespace tessera::campaign
