// SPDX-License-Identifier: Apache-2.0
// The order of loading: read, override, resolve, override inside what was resolved, check, and only then complain.
// Syntax, references and meaning report into one list.
#include "model/spec/loader.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "model/spec/file_kind.h"
#include "model/spec/measured/load_measurements.h"
#include "model/spec/overrides.h"
#include "model/spec/readers.h"
#include "model/spec/references.h"
#include "model/spec/schema/known_keys.h"
#include "model/spec/spec.h"
#include "model/spec/sweep/load_sweep.h"
#include "model/spec/synthesis_spec.h"
#include "model/spec/task_set_spec.h"

namespace tessera::spec {
namespace {

Node read_root(const std::filesystem::path& path, Report& report) {
  return read_document(path, {path.string(), 1, 1}, {}, report);
}

Spec read_resolved(Node root, const std::filesystem::path& path, const std::vector<std::string>& overrides, Cores cores,
                   UnreadKeys unread, Report& report) {
  const std::vector<Override> parsed = parse_overrides(overrides, report);
  return read_experiment(resolve_experiment(std::move(root), path, parsed, report), cores, unread, report);
}

TaskSetSpec read_resolved_task_set(Node root, const std::filesystem::path& path, Report& report) {
  resolve_task_set(root, path, report);
  return read_task_set(root, report);
}

// A file of a kind that no experiment refers to, or without one.
template <typename Read>
auto load_alone(const std::filesystem::path& path, FileKind kind, Read read) {
  Report report;
  Node root = read_root(path, report);
  expect_kind(root, kind, {path.string(), 1, 1}, {}, report);
  auto spec = read(root, report);
  if (report.size() > 0) throw InputError(report.diagnostics());
  return spec;
}

void read_as(FileKind kind, Node root, const std::filesystem::path& path, Report& report) {
  switch (kind) {
    case FileKind::kExperiment:
      read_resolved(std::move(root), path, {}, Cores::kTlm, UnreadKeys::kRefused, report);
      break;
    case FileKind::kGpu:
    case FileKind::kApplication:
    case FileKind::kHost:
    case FileKind::kSynthesis:
      read_alone(kind, root, report);
      break;
    case FileKind::kSweep:
      report.overrides_stand_in(path.string());
      validate_sweep(root, path, report);
      break;
    case FileKind::kTaskSet:
      read_resolved_task_set(std::move(root), path, report);
      break;
    case FileKind::kMeasurements:
      report.overrides_stand_in(path.string());
      load_measurements(root, path, report);
      break;
  }
}

// Nobody refers to the file, so that its keys alone tell what it is.
void validate(Node root, const std::filesystem::path& path, Report& report) {
  if (root.kind == Node::Kind::kInvalid) return;
  const std::vector<FileKind> likely = likely_kinds(root);
  if (likely.size() == 1) return read_as(likely[0], std::move(root), path, report);
  std::string found = describe(root);
  for (std::size_t i = 0; i < likely.size(); ++i) {
    found = (i == 0 ? "" : found + " or ") + std::string(to_string(likely[i]));
  }
  report.add(root.where, {}, "cannot determine the file type from its keys", found,
             "an experiment, a GPU, an application, a host, a synthesis, a sweep, a task set or a measurements file");
}

}  // namespace

Spec load_experiment(const std::filesystem::path& path, const std::vector<std::string>& overrides, Cores cores,
                     UnreadKeys unread) {
  Report report;
  Node root = read_root(path, report);
  expect_kind(root, FileKind::kExperiment, {path.string(), 1, 1}, {}, report);
  Spec spec = read_resolved(std::move(root), path, overrides, cores, unread, report);
  if (report.size() > 0) throw InputError(report.diagnostics());
  return spec;
}

GpuSpec load_gpu(const std::filesystem::path& path) {
  return load_alone(path, FileKind::kGpu, [](const Node& root, Report& report) { return read_gpu(root, {}, report); });
}

SynthesisSpec load_synthesis(const std::filesystem::path& path) {
  return load_alone(path, FileKind::kSynthesis, read_synthesis);
}

TaskSetSpec load_task_set(const std::filesystem::path& path) {
  return load_alone(path, FileKind::kTaskSet,
                    [&path](const Node& root, Report& report) { return read_resolved_task_set(root, path, report); });
}

std::vector<Diagnostic> validate_file(const std::filesystem::path& path) {
  Report report;
  validate(read_root(path, report), path, report);
  return InputError(report.diagnostics()).diagnostics();
}

std::vector<Diagnostic> validate_text(const std::string& text, const std::filesystem::path& path) {
  Report report;
  Node root = parse_document(text, {path.string(), 1, 1}, report);
  root.is_file_root = true;
  validate(std::move(root), path, report);
  return InputError(report.diagnostics()).diagnostics();
}

std::vector<std::string> with_precedence(const std::vector<std::string>& more,
                                         const std::vector<std::string>& overrides) {
  const auto key_of = [](const std::string& text) { return text.substr(0, text.find('=')); };
  std::vector<std::string> all = more;
  std::copy_if(overrides.begin(), overrides.end(), std::back_inserter(all), [&](const std::string& text) {
    return std::none_of(more.begin(), more.end(),
                        [&](const std::string& other) { return key_of(other) == key_of(text); });
  });
  return all;
}

}  // namespace tessera::spec
