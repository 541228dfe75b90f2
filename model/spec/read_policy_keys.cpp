// SPDX-License-Identifier: Apache-2.0
// A key that one of the two reads may stand in both: what is written of a Spec has all keys in both.
#include "model/spec/read_policy_keys.h"

#include <fmt/core.h>

#include <string>
#include <string_view>

#include "model/spec/policy_keys.h"

namespace tessera::spec {
namespace {

class PolicyKeys {
 public:
  PolicyKeys(const Node& root, Spec& spec, Report& report) : root_(root), spec_(spec), report_(report) {
    for (const char* const owner : {"scheduler", "baseline"}) {
      for (const char* const choice : {"policy", "access", "turn", "switch_scope"})
        is_chosen_anew_ |= is_override(find(owner, choice));
    }
  }

  // `owner`: "scheduler" or "baseline".
  void settle(std::string_view owner, SchedulerSpec& scheduler) {
    for (const PolicyKey& key : kPolicyKeys) {
      const Node* const node = find(owner, key.name);
      if (node == nullptr || is_read(key.is_read) || key.is_default(scheduler)) continue;
      if (leave_out(*node, fmt::format("{}.{}", owner, key.name))) {
        key.reset(scheduler);
        if (spec_.baseline && find("baseline", key.name) == nullptr) key.reset(*spec_.baseline);  // has it from there
      } else {
        reject(*root_.find(owner), KeyPath{} / owner, key.name, readers_of(key), *node);
      }
    }
  }

  // A key of processes.
  struct ProcessKey {
    const char* name;
    bool (*is_read)(const SchedulerSpec&);
    std::string_view provided;
    void (*reset)(ProcessSpec&);
  };

  void settle(const ProcessKey& key) {
    if (is_read(key.is_read)) return;
    const std::vector<Node>& processes = root_.find("workload")->find("processes")->children;
    for (std::size_t i = 0; i < processes.size(); ++i) {
      const Node* const node = processes[i].find(key.name);
      if (node == nullptr) continue;
      const KeyPath path = KeyPath{} / "workload" / "processes" / i;
      if (leave_out(*node, fmt::format("workload.processes.{}.{}", i, key.name))) {
        key.reset(spec_.processes[i]);
      } else {
        reject(processes[i], path, key.name, names_of_readers(key.is_read) + std::string(key.provided), *node);
      }
    }
  }

 private:
  static bool is_override(const Node* node) { return node != nullptr && node->is_override; }

  const Node* find(std::string_view owner, std::string_view key) const {
    const Node* const mapping = root_.find(owner);
    return mapping == nullptr ? nullptr : mapping->find(key);
  }

  bool is_read(bool (*reads)(const SchedulerSpec&)) const {
    return reads(spec_.scheduler) || (spec_.baseline && reads(*spec_.baseline));
  }

  // False: nobody but who wrote it wants it.
  bool leave_out(const Node& node, std::string name) {
    if (!is_chosen_anew_ || node.is_override) return false;
    spec_.left_out_keys.push_back(std::move(name));
    return true;
  }

  void reject(const Node& mapping, const KeyPath& path, std::string_view key, const std::string& readers,
              const Node& node) {
    MappingReader(mapping, path, report_)
        .reject(key, "neither scheduler nor baseline reads it", describe(node),
                fmt::format("left out, or policy: {}", readers));
  }

  const Node& root_;
  Spec& spec_;
  Report& report_;
  bool is_chosen_anew_ = false;
};

}  // namespace

void settle_policy_keys(const Node& root, Spec& spec, Report& report) {
  PolicyKeys keys(root, spec, report);
  keys.settle("scheduler", spec.scheduler);
  if (spec.baseline) keys.settle("baseline", *spec.baseline);
  keys.settle({"tokens", policy_keys::has_tokens, "", [](ProcessSpec& process) { process.tokens.reset(); }});
  keys.settle(
      {"time_slice_us", keeps_turn, policy_keys::kKept, [](ProcessSpec& process) { process.time_slice.reset(); }});
  keys.settle({"slice_end", switches_gpu, policy_keys::kKeptByGpu,
               [](ProcessSpec& process) { process.slice_end = SliceEnd::kTechnique; }});
}

}  // namespace tessera::spec
