// SPDX-License-Identifier: Apache-2.0
// Tells experiments, GPUs, applications, hosts, syntheses, sweeps, task sets and measurements apart by a few keys that
// only one of them has. Internal to model/spec.
#include "model/spec/file_kind.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cstddef>

namespace tessera::spec {
namespace {

struct Typical {
  FileKind kind;
  std::array<std::string_view, 6> keys;  // of some kinds fewer
};
// Where there are but two or three such keys they are counted twice, to weigh as much as the four of the others.
constexpr std::array<Typical, 8> kTypical{
    {{FileKind::kExperiment, {"gpu", "scheduler", "workload", "baseline"}},
     {FileKind::kGpu, {"num_sms", "registers_per_sm", "pcie", "framework"}},
     {FileKind::kApplication, {"kernels", "program", "kernels", "program"}},
     {FileKind::kHost, {"launch_us", "copy_us", "synchronise_us", "interrupt_us"}},
     {FileKind::kSynthesis, {"core", "sweeps", "core", "sweeps"}},
     {FileKind::kSweep, {"base", "axes", "base", "axes"}},
     {FileKind::kTaskSet, {"tasks", "generate", "time_unit_us", "tasks", "generate", "time_unit_us"}},
     {FileKind::kMeasurements, {"rows", "constants", "ablations", "rows", "constants", "ablations"}}}};

}  // namespace

std::string_view to_string(FileKind kind) {
  switch (kind) {
    case FileKind::kExperiment:
      return "an experiment";
    case FileKind::kGpu:
      return "a GPU file";
    case FileKind::kApplication:
      return "an application file";
    case FileKind::kHost:
      return "a host file";
    case FileKind::kSynthesis:
      return "a synthesis file";
    case FileKind::kSweep:
      return "a sweep";
    case FileKind::kTaskSet:
      return "a task set";
    case FileKind::kMeasurements:
      return "a measurements file";
  }
  return "?";
}

std::vector<FileKind> likely_kinds(const Node& root) {
  std::vector<FileKind> likely;
  if (root.kind != Node::Kind::kMapping) return likely;
  std::ptrdiff_t most = 1;
  for (const Typical& typical : kTypical) {
    const auto found = std::count_if(typical.keys.begin(), typical.keys.end(), [&root](std::string_view key) {
      return !key.empty() && root.find(key) != nullptr;
    });
    if (found < most) continue;
    if (found > most) likely.clear();
    most = found;
    likely.push_back(typical.kind);
  }
  return likely;
}

void expect_kind(Node& root, FileKind wanted, const Location& referred_from, const KeyPath& key, Report& report) {
  const std::vector<FileKind> likely = likely_kinds(root);
  if (likely.size() != 1 || likely[0] == wanted) return;  // who refers to it knows
  report.add(referred_from, key, fmt::format("{} is {}", root.where.file, to_string(likely[0])), "",
             std::string(to_string(wanted)));
  root = Node{};
}

}  // namespace tessera::spec
