// SPDX-License-Identifier: Apache-2.0
// Each task is in one partition, and their SMs are no more than the GPU's.
// Internal to model/spec.
#include "model/spec/read_task_partitions.h"

#include <fmt/core.h>

#include <algorithm>
#include <string>
#include <vector>

#include "model/spec/readers.h"
#include "model/spec/task_set_spec.h"

namespace tessera::spec {
namespace {

class TaskPartitionReader {
 public:
  TaskPartitionReader(const TaskSetSpec& set, Report& report) : set_(set), owner_(set.tasks.size()), report_(report) {}

  TaskPartitionSpec read(const Node& node, const KeyPath& path) {
    TaskPartitionSpec partition;
    MappingReader reader(node, path, report_);
    reader.required("name", partition.name, Text{}, "unique in the file");
    const bool has_size = reader.required("num_sms", partition.num_sms, Number{1, kMaxSms},
                                          "all of them together at most those of the GPU");
    const std::vector<Node>& names = reader.list("tasks", Presence::kRequired, form_maker(Text{}), "names of tasks");
    for (std::size_t i = 0; i < names.size(); ++i) add_task(names[i], reader.path("tasks") / i, partition);
    reader.reject_unknown_keys();
    const std::uint32_t left = set_.gpu.num_sms - std::min(set_.gpu.num_sms, taken_);
    if (has_size && set_.gpu.num_sms > 0 && partition.num_sms > left) {
      reader.reject("num_sms", "is more SMs than are left", fmt::format("{}", partition.num_sms),
                    fmt::format("at most {}", left));
    }
    taken_ += partition.num_sms;
    return partition;
  }

  // In the order of the tasks; of none where some could not be read.
  std::vector<std::string> tasks_of_none() const {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < owner_.size(); ++i) {
      if (owner_[i].empty()) names.push_back(set_.tasks[i].name);
    }
    return names;
  }

 private:
  void add_task(const Node& node, const KeyPath& path, TaskPartitionSpec& partition) {
    if (node.kind == Node::Kind::kInvalid) return;
    const auto found = std::find_if(set_.tasks.begin(), set_.tasks.end(), [&node](const TaskSpec& task) {
      return node.kind == Node::Kind::kScalar && task.name == node.text;
    });
    if (found == set_.tasks.end()) return report_.add(node.where, path, "no task has this name", describe(node));
    const auto task = static_cast<std::size_t>(found - set_.tasks.begin());
    if (!owner_[task].empty()) {
      return report_.add(node.where, path, fmt::format("is in partition '{}' already", owner_[task]), describe(node),
                         "each task once");
    }
    owner_[task] = partition.name.empty() ? "?" : partition.name;
    partition.tasks.push_back(static_cast<std::uint32_t>(task));
    std::sort(partition.tasks.begin(), partition.tasks.end());
  }

  const TaskSetSpec& set_;
  std::vector<std::string> owner_;  // by task; empty: none yet
  std::uint32_t taken_ = 0;
  Report& report_;
};

}  // namespace

void read_task_partitions(MappingReader& reader, TaskSetSpec& set, bool are_tasks_good, Report& report) {
  const std::vector<Node>& nodes = reader.mappings("partitions", Presence::kOptional,
                                                   "are analysed if they are given, else sought; each task is in one");
  const KeyPath path = reader.path("partitions");
  TaskPartitionReader partitions(set, report);
  for (std::size_t i = 0; i < nodes.size(); ++i) set.partitions.push_back(partitions.read(nodes[i], path / i));
  reject_duplicate_names(nodes, path, report);
  if (reader.has("partitions") && nodes.empty()) reader.reject("partitions", "is empty", "", "at least one entry");
  if (nodes.empty() || !are_tasks_good) return;
  for (const std::string& name : partitions.tasks_of_none()) {
    reader.reject("partitions", fmt::format("task '{}' is in none", name), "", "each task once");
  }
}

}  // namespace tessera::spec
