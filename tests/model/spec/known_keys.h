// SPDX-License-Identifier: Apache-2.0
// Every key of every kind of file, as the readers themselves ask for them: nobody has to keep a list.
// Lists are given an entry each, and programs a step of each kind; what is not there is asked for all the same.
#pragma once

#include <algorithm>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "model/spec/document.h"
#include "model/spec/measured/read_measurements.h"
#include "model/spec/readers.h"
#include "model/spec/spec.h"
#include "model/spec/sweep/read_sweep.h"
#include "model/spec/synthesis_spec.h"
#include "model/spec/task_set_spec.h"

namespace tessera::spec::test {

inline const char* const kKinds[] = {"Experiment", "GPU",   "Application", "Host",
                                     "Synthesis",  "Sweep", "Task set",    "Measurements"};

inline void read_as(const std::string& kind, const Node& root, Report& report) {
  if (kind == "Experiment") read_experiment(root, Cores::kTlm, UnreadKeys::kRefused, report);
  if (kind == "GPU") read_gpu(root, {}, report);
  if (kind == "Application") read_application(root, {}, {}, report);
  if (kind == "Host") read_host(root, {}, report);
  if (kind == "Synthesis") read_synthesis(root, report);
  if (kind == "Sweep") read_sweep(root, report);
  if (kind == "Task set") read_task_set(root, report);
  if (kind == "Measurements") read_measurements(root, report);
}

inline std::vector<KnownKey> keys_asked_for(const std::string& kind, const std::string& text) {
  std::vector<KnownKey> keys;
  Report report;
  Node root = parse_document(text, {"sample.yaml", 1, 1}, report);
  root.is_file_root = true;
  report.note_keys_in(&keys);
  read_as(kind, root, report);
  return keys;
}

// The kinds of step that a program knows: all are asked for where a step is of none.
inline std::vector<std::string> step_kinds() {
  const std::string prefix = "program.0.";
  std::vector<std::string> kinds;
  for (const KnownKey& key : keys_asked_for("Application", "program: [{none_of_them: {}}]")) {
    if (key.path.rfind(prefix, 0) == 0) kinds.push_back(key.path.substr(prefix.size()));
  }
  return kinds;
}

// Several where one changes what another key may hold: streams that have names are called by them.
inline std::vector<std::string> samples_of(const std::string& kind) {
  if (kind == "Experiment")
    return {
        "workload: {processes: [{}]}\nscheduler: {partitions: [{}]}\ndriver: {focus: [{}], tasks: [{}]}\n"
        "baseline: {partitions: [{}], driver: {focus: [{}], tasks: [{}]}}",
        "scheduler: {partitions: {instances: [{}], clients: [{}]}}\n"
        "baseline: {partitions: {instances: [{}], clients: [{}]}}"};
  if (kind == "GPU") return {"mig: {instances: [{}]}\nmemory_latency: {curve: [{}]}\nframework: {dispatcher: [{}]}"};
  if (kind == "Synthesis") return {"sweeps: [{}]"};
  if (kind == "Sweep") return {"axes: [{variants: [{}]}]\nplots: [{}]", "seeds: {}"};
  if (kind == "Task set") return {"tasks: [{}]\ngenerate: {}\npartitions: [{}]"};
  if (kind == "Measurements") return {"constants: [{}]\nablations: [{}]\nrows: [{quantities: [{}]}]"};
  if (kind != "Application") return {"{}"};
  std::string steps;
  for (const std::string& step : step_kinds()) steps += "{" + step + ": {}}, ";
  return {"kernels: [{event_driven: {loop: {body: [{}]}}}]\nprogram: [" + steps + "]", "streams: [{}]"};
}

// In the order of reading, each once; positions in lists are written `[]`.
inline std::vector<KnownKey> known_keys(const std::string& kind) {
  std::vector<KnownKey> all;
  for (const std::string& sample : samples_of(kind)) {
    for (KnownKey& key : keys_asked_for(kind, sample)) all.push_back(std::move(key));
  }
  std::vector<KnownKey> keys;
  std::set<std::string> seen;
  for (KnownKey& key : all) {
    key.path = std::regex_replace(key.path, std::regex("\\.[0-9]+"), "[]");
    // What an experiment or a task set refers to has a kind, and so keys, of its own.
    const bool is_behind_reference = std::regex_search(key.path, std::regex("^(gpu|host|.*\\.application)\\."));
    if ((kind == "Experiment" || kind == "Task set") && is_behind_reference) continue;
    if (seen.insert(key.path).second) keys.push_back(std::move(key));
  }
  return keys;
}

}  // namespace tessera::spec::test
