// SPDX-License-Identifier: Apache-2.0
// Keys of a measurements file, but for those of rows.
// Internal to model/spec.
#include "model/spec/measured/read_measurements.h"

#include <string_view>
#include <utility>

#include "model/spec/measured/read_row.h"
#include "model/spec/measured/sentence.h"
#include "model/spec/readers.h"

namespace tessera::spec {
namespace {

ConstantSpec read_constant(const Node& node, const KeyPath& path, Report& report) {
  ConstantSpec constant;
  MappingReader reader(node, path, report);
  reader.required("name", constant.name, Text{}, "unique in the file; rows call it so");
  reader.optional("key", constant.key, Sentence{}, "where it stands in the experiments");
  reader.required("value", constant.value, Sentence{}, "with its unit");
  reader.optional("fitted_on", constant.fitted_on, Sentence{},
                  "the measurements that it was chosen on: a degree of freedom. It or `taken_from`");
  reader.optional("taken_from", constant.taken_from, Sentence{}, "where it is known from");
  reader.required("reason", constant.reason, Sentence{}, "why it is so");
  reader.reject_unknown_keys();
  reader.require_one_of("fitted_on", "taken_from");
  if (reader.has("fitted_on") && reader.has("taken_from")) {
    reader.reject("taken_from", "cannot be combined with fitted_on", "", "one of them");
  }
  return constant;
}

Ablation read_ablation(const Node& node, const KeyPath& path, Report& report) {
  Ablation ablation;
  MappingReader reader(node, path, report);
  reader.required("name", ablation.name, Text{}, "unique in the file; heads a column");
  ablation.settings = read_settings(
      reader.node("set", Presence::kRequired, settings_form, "keys of the experiment, over those that the row sets"),
      reader.path("set"), report);
  reader.reject_unknown_keys();
  return ablation;
}

// Entries of a list, and names that are there twice.
template <typename Read>
void read_entries(MappingReader& reader, std::string_view key, Presence presence, Meaning meaning, Read read) {
  const std::vector<Node>& nodes = reader.mappings(key, presence, meaning);
  for (std::size_t i = 0; i < nodes.size(); ++i) read(nodes[i], reader.path(key) / i);
  reject_duplicate_names(nodes, reader.path(key), reader.report());
}

}  // namespace

MeasurementsFile read_measurements(const Node& root, Report& report) {
  MeasurementsFile file;
  MappingReader reader(root, {}, report);
  read_schema_version(reader, root);
  reader.required("name", file.spec.name, FolderName{}, "names the results folder");
  reader.required("title", file.spec.title, Sentence{}, "what was measured");
  read_entries(
      reader, "constants", Presence::kOptional, "numbers of the experiments that were not derived",
      [&](const Node& node, const KeyPath& path) { file.spec.constants.push_back(read_constant(node, path, report)); });
  read_entries(
      reader, "ablations", Presence::kOptional, "what is simulated beside each row, with a rule taken out",
      [&](const Node& node, const KeyPath& path) { file.ablations.push_back(read_ablation(node, path, report)); });
  read_entries(reader, "rows", Presence::kRequired, "experiments, and what was measured",
               [&](const Node& node, const KeyPath& path) {
                 ReadRow row = read_row(node, path, file, report);
                 file.spec.rows.push_back(std::move(row.row));
                 file.rows.push_back(std::move(row.open));
               });
  reader.reject_unknown_keys();
  return file;
}

}  // namespace tessera::spec
