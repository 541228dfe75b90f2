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

Node read_once(const std::filesystem::path& target, const Location& where, const KeyPath& key, Report& report,
               DocumentCache* cache) {
  if (cache == nullptr) return read_document(target, where, key, report);
  const auto known = cache->find(target.string());
  if (known != cache->end()) return known->second;
  const std::size_t before = report.size();
  Node content = read_document(target, where, key, report);
  if (report.size() == before) cache->emplace(target.string(), content);
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
    report.add(where, key, "the experiment refers to itself", node->text, std::string(to_string(kind)));
    node->replace_content({});
    return;
  }
  Node content = read_once(target, where, key, report, cache);
  expect_kind(content, kind, where, key, report);
  node->replace_content(std::move(content));
}

// TimeGraph's specification is a text file.
void resolve_driver(Node* holder, const KeyPath& key, const std::filesystem::path& experiment, Report& report) {
  Node* driver = holder != nullptr ? holder->find("driver") : nullptr;
  Node* spec = driver != nullptr ? driver->find("spec") : nullptr;
  if (spec == nullptr || spec->kind != Node::Kind::kScalar) return;
  const KeyPath spec_key = key / "driver" / "spec";
  if (!is_usable_path(spec->text)) {
    report.add(spec->where, spec_key, "must be a path or a list", describe(*spec));
    spec->replace_content({});
    return;
  }
  const std::filesystem::path target = (experiment.parent_path() / spec->text).lexically_normal();
  spec->replace_content(read_lines(target, spec->where, spec_key, report));
}

}  // namespace

void resolve_references(Node& root, const std::filesystem::path& experiment, Report& report, DocumentCache* cache) {
  const KeyPath top;
  resolve(root.find("gpu"), top / "gpu", FileKind::kGpu, experiment, report, cache);
  resolve(root.find("host"), top / "host", FileKind::kHost, experiment, report, cache);
  resolve_driver(&root, top, experiment, report);
  resolve_driver(root.find("baseline"), top / "baseline", experiment, report);
  Node* workload = root.find("workload");
  Node* processes = workload != nullptr ? workload->find("processes") : nullptr;
  if (processes == nullptr || processes->kind != Node::Kind::kSequence) return;
  for (std::size_t i = 0; i < processes->children.size(); ++i) {
    resolve(processes->children[i].find("application"), top / "workload" / "processes" / i / "application",
            FileKind::kApplication, experiment, report, cache);
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
  for (const Override& change : overrides) {
    if (is_behind_reference(change)) apply_override(root, change, report);
  }
  return root;
}

}  // namespace tessera::spec
