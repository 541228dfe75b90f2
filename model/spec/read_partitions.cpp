// SPDX-License-Identifier: Apache-2.0
// Static partitions: `partitions` of the scheduler, and which of them a process is in.
#include "model/spec/read_partitions.h"

#include <fmt/core.h>

#include <algorithm>
#include <string>
#include <utility>
#include <variant>

#include "model/spec/policies.h"
#include "model/spec/read_preset.h"
#include "model/spec/spec.h"

namespace tessera::spec {
namespace {

constexpr std::string_view kWithoutPolicy = "only valid with policy: static_partition";

Form partitions_form() { return either(list_form(mapping_form(), 1), mapping_form()); }

class PartitionsReader {
 public:
  PartitionsReader(std::uint32_t num_sms, Report& report) : owner_(num_sms), report_(report) {}

  PartitionSpec read(const Node& node, const KeyPath& path) {
    MappingReader reader(node, path, report_);
    PartitionSpec partition;
    reader.required("name", partition.name, Text{}, "unique in the experiment");
    std::optional<std::uint32_t> num_sms;
    reader.optional(
        "num_sms", num_sms, Number{1, owner_.size()},
        "so many SMs, in order from SM 0 over all entries that count; at most those that are left. It or `sms`");
    const std::vector<Node>& listed =
        reader.list("sms", Presence::kOptional, form_maker(Number{0, owner_.size() - 1}), "their numbers, each once");
    reader.require_one_of("num_sms", "sms");
    if (reader.has("num_sms") && reader.has("sms")) {
      reader.reject("sms", "cannot be combined with num_sms", "", "one of them");
    } else if (reader.has("sms")) {
      if (listed.empty() && node.find("sms")->kind == Node::Kind::kSequence) {
        reader.reject("sms", "is empty", "", "at least one entry");
      }
      read_listed(listed, reader.path("sms"), partition);
    } else if (num_sms) {
      count_off(reader, *num_sms, partition);
    }
    reader.reject_unknown_keys();
    return partition;
  }

 private:
  // The next ones in order, from SM 0 on.
  void count_off(MappingReader& reader, std::uint32_t num_sms, PartitionSpec& partition) {
    const std::size_t left = owner_.size() - counted_;
    if (num_sms > left) {
      reader.reject("num_sms", "is more SMs than are left", fmt::format("{}", num_sms),
                    left == 0 ? "" : fmt::format("at most {}", left));
      counted_ = owner_.size();
      return;
    }
    for (std::uint32_t i = 0; i < num_sms; ++i) {
      const auto sm = static_cast<std::uint32_t>(counted_++);
      if (!owner_[sm].empty()) {
        return reader.reject("num_sms", fmt::format("SM {} is in partition '{}' already", sm, owner_[sm]),
                             fmt::format("{}", num_sms));
      }
      take(sm, partition);
    }
  }

  void read_listed(const std::vector<Node>& nodes, const KeyPath& path, PartitionSpec& partition) {
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      if (nodes[i].kind == Node::Kind::kInvalid) continue;
      auto ruled = Number{0, owner_.size() - 1}.parse(nodes[i]);
      if (auto* problem = std::get_if<Problem>(&ruled)) {
        report_.add(nodes[i].where, path / i, problem->problem, describe(nodes[i]), problem->allowed);
        continue;
      }
      const auto sm = static_cast<std::uint32_t>(std::get<std::uint64_t>(ruled));
      const bool is_own = std::find(partition.sms.begin(), partition.sms.end(), sm) != partition.sms.end();
      if (is_own || !owner_[sm].empty()) {
        report_.add(nodes[i].where, path / i,
                    is_own ? "is named twice" : fmt::format("is in partition '{}' already", owner_[sm]),
                    describe(nodes[i]), "each SM once");
        continue;
      }
      take(sm, partition);
    }
  }

  void take(std::uint32_t sm, PartitionSpec& partition) {
    owner_[sm] = partition.name.empty() ? "?" : partition.name;
    partition.sms.push_back(sm);
  }

  std::vector<std::string> owner_;  // by SM; empty: none yet
  std::size_t counted_ = 0;         // SMs that were counted off
  Report& report_;
};

}  // namespace

Partitions read_partitions(MappingReader& reader, const PartitionRules& rules, Report& report) {
  const Node& node =
      rules.is_baseline
          ? reader.known_node("partitions")
          : reader.node("partitions", Presence::kOptional, partitions_form,
                        "`static_partition`, which needs it: sets of SMs ([partitions](../concepts/partitions.md)), as "
                        "a list of such that share none, or as a [preset](../concepts/partitions.md#presets); an SM in "
                        "none is never used. A baseline has those of the scheduler");
  const KeyPath path = reader.path("partitions");
  Partitions read;
  bool is_empty = false;
  if (node.kind == Node::Kind::kMapping) {
    read = read_preset(MappingReader(node, path, report), rules.num_sms, rules.mig, report);
  } else if (node.kind == Node::Kind::kSequence) {
    is_empty = node.children.empty();
    PartitionsReader partitions(rules.num_sms, report);
    for (std::size_t i = 0; i < node.children.size(); ++i) {
      read.list.push_back(partitions.read(node.children[i], path / i));
    }
    reject_duplicate_names(node.children, path, report);
  } else if (node.kind != Node::Kind::kInvalid) {
    reader.reject("partitions", "must be a list or a mapping", describe(node));
  }
  if (rules.is_baseline) {
    if (reader.has("partitions")) {
      reader.reject("partitions", "not valid in a baseline, which has those of the scheduler");
    }
    return {};
  }
  if (!rules.policy) return {};
  const bool is_partitioned = info(*rules.policy).order == PolicyOrder::kPartition;
  if (!is_partitioned && reader.has("partitions")) reader.reject("partitions", std::string(kWithoutPolicy));
  if (is_partitioned && !reader.has("partitions")) {
    reader.reject("partitions", "is missing", "", "a list or a preset, with policy: static_partition");
  } else if (is_partitioned && is_empty) {
    reader.reject("partitions", "is empty", "", "at least one entry");
  }
  return is_partitioned ? read : Partitions{};
}

void read_partition_of(MappingReader& reader, const Spec& spec, bool is_scheduler_good, ProcessSpec& process) {
  std::string name;
  const bool is_read = reader.optional("partition", name, Text{},
                                       "`static_partition`, which needs it: the partition that its kernels run in");
  if (!is_scheduler_good) return;
  if (!is_partitioned(spec.scheduler)) {
    if (reader.has("partition")) reader.reject("partition", std::string(kWithoutPolicy));
    return;
  }
  const bool is_periodic = process.releases && process.releases->arrivals == Arrivals::kPeriodic;
  if (is_periodic && process.deadline && *process.deadline > process.releases->period) {
    reader.reject("deadline_us", "is above its period", kTime.text(*process.deadline),
                  fmt::format("at most {}, with policy: static_partition", kTime.text(process.releases->period)));
  }
  std::vector<std::string_view> names;
  for (const PartitionSpec& partition : spec.partitions) names.push_back(partition.name);
  if (!reader.has("partition")) {
    reader.reject("partition", "is missing", "", joined(names));
    return;
  }
  if (!is_read) return;
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) {
    reader.reject("partition", "no partition has this name", name, joined(names));
    return;
  }
  process.partition = static_cast<std::uint32_t>(found - names.begin());
}

}  // namespace tessera::spec
