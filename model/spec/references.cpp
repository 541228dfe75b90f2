// SPDX-License-Identifier: Apache-2.0
// Finds the references of an experiment and loads what they name.
// Internal to model/spec. Only an experiment holds references, so the sole cycle is one to itself.
#include "model/spec/references.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "model/spec/file_kind.h"
#include "model/spec/text_lines.h"

namespace tessera::spec {
namespace {

bool is_usable_path(const std::string& text) {
  return !text.empty() && std::none_of(text.begin(), text.end(), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte < 0x20 || byte == 0x7f;
  });
}

using Reader = Node (*)(const std::filesystem::path&, const Location&, const KeyPath&, Report&);

// `name`: of the file in the cache.
Node read_once(Reader read, const std::string& name, const std::filesystem::path& target, const Location& where,
               const KeyPath& key, Report& report, DocumentCache* cache) {
  if (cache == nullptr) return read(target, where, key, report);
  const auto known = cache->find(name);
  if (known != cache->end()) return known->second;
  const std::size_t before = report.size();
  Node content = read(target, where, key, report);
  if (report.size() == before) cache->emplace(name, content);
  return content;
}

void resolve(Node* node, const KeyPath& key, FileKind kind, const std::filesystem::path& experiment, Report& report,
             DocumentCache* cache) {
  if (node == nullptr || node->kind != Node::Kind::kScalar) return;
  const Location where = node->where;
  if (!is_usable_path(node->text)) {
    report.add(where, key, "must be a path or a mapping", describe(*node));
    node->replace_content({});
    return;
  }
  const std::filesystem::path target = (experiment.parent_path() / node->text).lexically_normal();
  std::error_code ignored;
  if (std::filesystem::equivalent(target, experiment, ignored)) {
    report.add(where, key, "the file refers to itself", node->text, std::string(to_string(kind)));
    node->replace_content({});
    return;
  }
  Node content = read_once(read_document, target.string(), target, where, key, report, cache);
  expect_kind(content, kind, where, key, report);
  node->replace_content(std::move(content));
}

// A path becomes the lines of the text file that it names. Their name in the cache has what no path has: a YAML file
// may be named as one too, by mistake.
void resolve_lines(Node& node, const KeyPath& key, const std::filesystem::path& experiment, Report& report,
                   DocumentCache* cache) {
  const std::filesystem::path target = (experiment.parent_path() / node.text).lexically_normal();
  const std::string name = target.string() + std::string(1, '\0') + "lines";
  node.replace_content(read_once(read_lines, name, target, node.where, key, report, cache));
}

// TimeGraph's specification stands there as a list, or in a file.
void resolve_driver(Node* holder, const KeyPath& key, const std::filesystem::path& experiment, Report& report,
                    DocumentCache* cache) {
  Node* driver = holder != nullptr ? holder->find("driver") : nullptr;
  Node* spec = driver != nullptr ? driver->find("spec") : nullptr;
  const KeyPath path = key / "driver" / "spec";
  if (spec == nullptr || spec->kind != Node::Kind::kScalar) return;
  if (is_usable_path(spec->text)) return resolve_lines(*spec, path, experiment, report, cache);
  report.add(spec->where, path, "must be a path or a list", describe(*spec));
  spec->replace_content({});
}

void resolve_arrivals(Node* node, const KeyPath& key, const std::filesystem::path& experiment, Report& report,
                      DocumentCache* cache) {
  if (node == nullptr || node->kind == Node::Kind::kInvalid) return;
  if (node->kind != Node::Kind::kScalar || !is_usable_path(node->text)) {
    report.add(node->where, key, "must be a path", describe(*node));
    node->replace_content({});
    return;
  }
  resolve_lines(*node, key, experiment, report, cache);
  if (node->kind != Node::Kind::kSequence || !node->children.empty()) return;
  report.add(node->where, {}, "holds no arrival", "", "a time in microseconds on each line");
  node->kind = Node::Kind::kInvalid;
}

// What the experiment says of the scheduling framework stands over what its GPU says of it.
void put_framework_into_gpu(Node& root) {
  const Node* const framework = root.find("framework");
  Node* const gpu = root.find("gpu");
  if (framework == nullptr || framework->kind != Node::Kind::kMapping) return;
  if (gpu == nullptr || gpu->kind != Node::Kind::kMapping) return;
  Node* const of_gpu = gpu->find("framework");
  if (of_gpu == nullptr) {
    gpu->children.push_back(*framework);
  } else if (of_gpu->kind == Node::Kind::kMapping) {
    for (const Node& key : framework->children) {
      Node* const of_file = of_gpu->find(key.key);
      if (of_file != nullptr) of_file->replace_content(key);
      if (of_file == nullptr) of_gpu->children.push_back(key);
    }
  }
}

}  // namespace

void resolve_references(Node& root, const std::filesystem::path& experiment, Report& report, DocumentCache* cache) {
  const KeyPath top;
  resolve(root.find("gpu"), top / "gpu", FileKind::kGpu, experiment, report, cache);
  resolve(root.find("host"), top / "host", FileKind::kHost, experiment, report, cache);
  resolve_driver(&root, top, experiment, report, cache);
  resolve_driver(root.find("baseline"), top / "baseline", experiment, report, cache);
  Node* workload = root.find("workload");
  Node* processes = workload != nullptr ? workload->find("processes") : nullptr;
  if (processes == nullptr || processes->kind != Node::Kind::kSequence) return;
  for (std::size_t i = 0; i < processes->children.size(); ++i) {
    Node& process = processes->children[i];
    const KeyPath path = top / "workload" / "processes" / i;
    resolve(process.find("application"), path / "application", FileKind::kApplication, experiment, report, cache);
    resolve_arrivals(process.find("arrivals_file"), path / "arrivals_file", experiment, report, cache);
  }
}

void resolve_task_set(Node& root, const std::filesystem::path& task_set, Report& report) {
  const KeyPath top;
  resolve(root.find("gpu"), top / "gpu", FileKind::kGpu, task_set, report, nullptr);
  resolve(root.find("host"), top / "host", FileKind::kHost, task_set, report, nullptr);
  Node* const tasks = root.find("tasks");
  if (tasks == nullptr || tasks->kind != Node::Kind::kSequence) return;
  for (std::size_t i = 0; i < tasks->children.size(); ++i) {
    resolve(tasks->children[i].find("application"), top / "tasks" / i / "application", FileKind::kApplication, task_set,
            report, nullptr);
  }
}

bool is_behind_reference(const Override& change) {
  const auto& path = change.path;
  const bool is_machine = path.size() > 1 && (path[0].key == "gpu" || path[0].key == "host");
  const bool is_application =
      path.size() > 4 && path[0].key == "workload" && path[1].key == "processes" && path[3].key == "application";
  return is_machine || is_application;
}

Node resolve_experiment(Node root, const std::filesystem::path& experiment, const std::vector<Override>& overrides,
                        Report& report, DocumentCache* cache) {
  for (const Override& change : overrides) {
    if (!is_behind_reference(change)) apply_override(root, change, report);
  }
  resolve_references(root, experiment, report, cache);
  put_framework_into_gpu(root);
  for (const Override& change : overrides) {
    if (is_behind_reference(change)) apply_override(root, change, report);
  }
  return root;
}

}  // namespace tessera::spec
