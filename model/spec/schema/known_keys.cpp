// SPDX-License-Identifier: Apache-2.0
// Readers are given samples: lists with an entry each, and programs with a step of each kind. What is not there is
// asked for all the same.
// Internal to model/spec.
#include "model/spec/schema/known_keys.h"

#include <algorithm>
#include <regex>
#include <set>
#include <utility>

#include "model/spec/document.h"
#include "model/spec/measured/read_measurements.h"
#include "model/spec/read_program.h"
#include "model/spec/readers.h"
#include "model/spec/spec.h"
#include "model/spec/sweep/read_sweep.h"
#include "model/spec/synthesis_spec.h"
#include "model/spec/task_set_spec.h"

namespace tessera::spec {
namespace {

// Several where a mapping or a list may stand in one place.
std::vector<std::string> samples_of(FileKind kind) {
  switch (kind) {
    case FileKind::kExperiment:
      return {
          "workload: {processes: [{}]}\nscheduler: {partitions: [{}]}\ndriver: {focus: [{}], tasks: [{}]}\n"
          "baseline: {driver: {focus: [{}], tasks: [{}]}}",
          "scheduler: {partitions: {instances: [{}], clients: [{}]}}"};
    case FileKind::kGpu:
      return {"mig: {instances: [{}]}\nmemory_latency: {curve: [{}]}\nframework: {dispatcher: [{}]}"};
    case FileKind::kApplication: {
      std::string steps;
      for (const std::string_view step : kSteps) steps += "{" + std::string(step) + ": {}}, ";
      return {"kernels: [{event_driven: {loop: {body: [{}]}}}]\nprogram: [" + steps + "]", "streams: [{}]"};
    }
    case FileKind::kSynthesis:
      return {"sweeps: [{}]"};
    case FileKind::kSweep:
      return {"axes: [{variants: [{}]}]\nplots: [{pareto: {}}]", "seeds: {}"};
    case FileKind::kTaskSet:
      return {"tasks: [{}]\ngenerate: {}\npartitions: [{}]"};
    case FileKind::kMeasurements:
      return {"constants: [{}]\nablations: [{}]\nrows: [{quantities: [{}]}]"};
    case FileKind::kHost:
      break;
  }
  return {"{}"};
}

std::vector<KnownKey> keys_asked_for(FileKind kind, Place place, const std::string& sample) {
  std::vector<KnownKey> keys;
  Report report;
  Node root = parse_document(sample, {"sample.yaml", 1, 1}, report);
  root.is_file_root = place == Place::kFile;
  report.note_keys_in(&keys);
  read_alone(kind, root, report);
  return keys;
}

bool is_behind_reference(FileKind kind, const std::string& path) {
  static const std::regex reference("^(gpu|host|.*\\.application)\\..*");
  return (kind == FileKind::kExperiment || kind == FileKind::kTaskSet) && std::regex_match(path, reference);
}

}  // namespace

void read_alone(FileKind kind, const Node& root, Report& report) {
  switch (kind) {
    case FileKind::kExperiment:
      read_experiment(root, Cores::kTlm, UnreadKeys::kRefused, report);
      break;
    case FileKind::kGpu:
      read_gpu(root, {}, report);
      break;
    case FileKind::kApplication:
      read_application(root, {}, {}, report);
      break;
    case FileKind::kHost:
      read_host(root, {}, report);
      break;
    case FileKind::kSynthesis:
      read_synthesis(root, report);
      break;
    case FileKind::kSweep:
      read_sweep(root, report);
      break;
    case FileKind::kTaskSet:
      read_task_set(root, report);
      break;
    case FileKind::kMeasurements:
      read_measurements(root, report);
      break;
  }
}

std::vector<KnownKey> known_keys(FileKind kind, Place place) {
  static const std::regex position("\\.[0-9]+");
  std::vector<KnownKey> keys;
  std::set<std::string> seen;
  for (const std::string& sample : samples_of(kind)) {
    for (KnownKey& key : keys_asked_for(kind, place, sample)) {
      key.path = std::regex_replace(key.path, position, "[]");
      if (is_behind_reference(kind, key.path)) continue;
      if (seen.insert(key.path).second) keys.push_back(std::move(key));
    }
  }
  return keys;
}

const Twin* twin_of(FileKind kind, std::string_view path) {
  const auto found = std::find_if(kTwins.begin(), kTwins.end(), [&](const Twin& twin) {
    return twin.kind == kind && path.substr(0, twin.path.size()) == twin.path;
  });
  return found == kTwins.end() ? nullptr : &*found;
}

}  // namespace tessera::spec
