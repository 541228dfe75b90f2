// SPDX-License-Identifier: Apache-2.0
// Names are looked up here where the file itself has them.
// Internal to model/spec.
#include "model/spec/measured/read_row.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "model/spec/measured/measured_table.h"
#include "model/spec/measured/measurement_names.h"
#include "model/spec/measured/sentence.h"
#include "model/spec/nearest.h"
#include "model/spec/readers.h"

namespace tessera::spec {
namespace {

constexpr int kDigits = 6;
constexpr double kUnit = 1e6;
constexpr Number kPercent{0, 1'000'000'000, kDigits};           // .. 1000
constexpr Number kTolerance{0, 1'000'000'000'000, kDigits};     // .. a second
constexpr Number kMeasured{0, 1'000'000'000'000'000, kDigits};  // .. 10^9

void read_number(MappingReader& reader, std::string_view key, const Number& rule, std::optional<double>& out,
                 Meaning meaning) {
  std::optional<std::uint64_t> scaled;
  if (reader.optional(key, scaled, rule, meaning)) out = static_cast<double>(*scaled) / kUnit;
}

struct ToleranceMeanings {
  Meaning percent, us;
};
constexpr ToleranceMeanings kOfARow{"of what was measured: a prediction that is no farther off is inside",
                                    "the same of times; the larger of both counts"};
constexpr ToleranceMeanings kOfAQuantity{"over that of the row", "over that of the row"};

void read_tolerance(MappingReader& reader, ToleranceSpec& tolerance, const ToleranceMeanings& meanings) {
  read_number(reader, "tolerance_percent", kPercent, tolerance.percent, meanings.percent);
  read_number(reader, "tolerance_us", kTolerance, tolerance.us, meanings.us);
}

std::optional<OpenName> read_name(MappingReader& reader, std::string_view key, Meaning meaning) {
  std::string text;
  if (!reader.optional(key, text, Text{}, meaning)) return std::nullopt;
  return OpenName{std::move(text), reader.known_node(key).where, reader.path(key)};
}

std::vector<OpenName> read_names(MappingReader& reader, std::string_view key, Meaning meaning) {
  std::vector<OpenName> names;
  const std::vector<Node>& nodes = reader.list(key, Presence::kOptional, form_maker(Text{}), meaning);
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    auto ruled = Text{}.parse(nodes[i]);
    const KeyPath path = reader.path(key) / i;
    if (auto* problem = std::get_if<Problem>(&ruled)) {
      if (nodes[i].kind == Node::Kind::kInvalid) continue;
      reader.report().add(nodes[i].where, path, std::move(problem->problem), describe(nodes[i]),
                          std::move(problem->allowed));
    } else {
      names.push_back({std::get<std::string>(ruled), nodes[i].where, path});
    }
  }
  return names;
}

class RowReader {
 public:
  RowReader(const Node& node, const KeyPath& path, const MeasurementsFile& file, Report& report)
      : reader_(node, path, report), file_(file), report_(report) {
    open_.path = path;
    open_.where = node.where;
  }

  void read() {
    reader_.required("name", row_.name, FolderName{}, "unique in the file");
    reader_.required("title", row_.title, Sentence{}, "what it is, in words");
    reader_.required("source", row_.source, Sentence{}, "who measured it, and where it stands");
    const bool has_kind = reader_.required("kind", row_.kind, Choice<RowKind>{},
                                           "what its numbers are ([measured.md](measured.md#kinds-of-rows))");
    reader_.optional("is", standing_, Choice<Standing>{},
                     "whether constants were chosen on it; `kept_back`: it has no number here, and is only predicted");
    read_tolerance(reader_, tolerance_, kOfARow);
    read_experiment_keys();
    open_.processes = read_names(reader_, "processes",
                                 "names of those that were measured, in the order in which the table has them; left "
                                 "out: those that are not in the background");
    read_file_keys(has_kind);
    read_quantities(has_kind);
    for (const OpenName& name : read_names(reader_, "constants", "names of constants that it hangs on"))
      add_index(name, "constant", constants(), row_.constants);
    read_ablations();
    reader_.reject_unknown_keys();
    if (has_kind) check_numbers();
  }

  RowSpec row_;
  OpenRow open_;

 private:
  void read_experiment_keys() {
    open_.experiment = reader_.node("experiment", Presence::kRequired, experiment_form,
                                    "the experiment that predicts it, or its keys");
    const Node::Kind kind = open_.experiment.kind;
    if (kind == Node::Kind::kNull || kind == Node::Kind::kSequence) {
      reader_.reject("experiment", "must be a path or a mapping", describe(open_.experiment));
      open_.experiment = {};
    }
    open_.settings = read_settings(reader_.node("set", Presence::kOptional, settings_form, "keys of the experiment"),
                                   reader_.path("set"), report_);
  }

  void read_file_keys(bool has_kind) {
    open_.file = read_name(reader_, "measured",
                           "the path of a CSV file; needed unless every quantity has its number, or is kept back");
    open_.entry = read_name(reader_, "entry",
                            "`slices`, `suspensions`: the name of the line; left out: the only one. `thread_blocks`, "
                            "`starts`: of several lines; left out: all");
    open_.kernel = read_name(reader_, "kernel", "`starts`, which need it: a kernel of the process");
    MappingReader columns = reader_.mapping("columns", Presence::kOptional,
                                            "what columns of the table are called, where it is not as below");
    for (const ColumnRole& role : column_roles()) {
      std::string name;
      if (!columns.optional(role.role, name, Sentence{}, role.meaning)) continue;
      if (has_kind && !has_column(row_.kind, role)) {
        columns.reject(role.role, "is no column of this kind of row", std::string(to_string(row_.kind)));
      }
      open_.columns[std::string(role.role)] = std::move(name);
    }
    columns.reject_unknown_keys();
    if (!has_kind) return;
    if (reader_.has("measured") && row_.kind == RowKind::kValues) {
      reader_.reject("measured", "a row of values has them in its quantities");
    }
    if (reader_.has("entry") && !has_entry(row_.kind)) {
      reader_.reject("entry", "only valid with kind: slices, suspensions, thread_blocks or starts");
    }
    const bool has_kernel = row_.kind == RowKind::kStarts;
    if (reader_.has("kernel") != has_kernel) {
      reader_.reject("kernel", has_kernel ? "is missing" : "only valid with kind: starts");
    }
    if (reader_.has("columns") && !reader_.has("measured")) reader_.reject("columns", "only valid with measured");
    if (reader_.has("entry") && !reader_.has("measured")) reader_.reject("entry", "only valid with measured");
  }

  void read_quantities(bool has_kind) {
    const std::vector<Node>& nodes = reader_.mappings("quantities", Presence::kOptional,
                                                      "what is compared; left out: what is usual for the kind. "
                                                      "`rates`: those that have a number or a tolerance of their own");
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      read_quantity(MappingReader(nodes[i], reader_.path("quantities") / i, report_), has_kind, nodes[i].where);
    }
    if (has_kind && row_.kind == RowKind::kRates) open_.of_kernels = {standing_, tolerance_};
    if (reader_.has("quantities") || !has_kind || open_.of_kernels) return;
    std::vector<Quantity> usual = usual_quantities(row_.kind);
    if (usual.empty()) return reader_.reject("quantities", "is missing");
    for (Quantity& quantity : usual) {
      const ToleranceSpec tolerance = usual_tolerance(quantity);
      row_.quantities.push_back({std::move(quantity), standing_, tolerance, {}, {}});
      open_.processes_of_quantities.emplace_back();
      open_.quantities.push_back({row_.quantities.back().quantity.name, open_.where, open_.path});
    }
  }

  void read_quantity(MappingReader reader, bool has_kind, const Location& where) {
    QuantitySpec spec{{}, standing_, tolerance_, {}, {}};
    std::string name, unit, pointer;
    const bool has_name = reader.required(
        "name", name, Text{}, "`throughput`, `p99`, `first_block_p25`, ...; of `rates` a kernel; of `values` any");
    read_number(reader, "measured", kMeasured, spec.measured, "its number; left out: from the table");
    auto process = read_name(reader, "process", "of one process alone; one of those of the row");
    reader.optional("is", spec.standing, Choice<Standing>{}, "over that of the row");
    if (spec.standing == Standing::kKeptBack && spec.measured) reader.reject("measured", "is kept back");
    read_tolerance(reader, spec.tolerance, kOfAQuantity);
    reader.optional("at", pointer, Sentence{}, "`values`, which need it: a JSON pointer into `summary.json`");
    reader.optional("unit", unit, Text{}, "`values`, which need it");
    reader.reject_unknown_keys();
    if (!has_name || !has_kind) return;
    auto quantity = quantity_of(row_.kind, name);
    if (!quantity) {
      reader.reject("name", fmt::format("rows of {} have no such quantity", to_string(row_.kind)), name,
                    quantity_names(row_.kind));
      return;
    }
    spec.quantity = std::move(*quantity);
    if (spec.quantity.measure == Measure::kInOrder) read_order_keys(reader, spec);
    read_value_keys(reader, spec.quantity, unit, pointer);
    if (spec.tolerance.us && reader.has("tolerance_us") && spec.quantity.unit != "us") {
      reader.reject("tolerance_us", "only valid for a quantity in us", "", "tolerance_percent");
    }
    row_.quantities.push_back(std::move(spec));
    open_.processes_of_quantities.push_back(std::move(process));
    open_.quantities.push_back({name, where, reader.path("name")});
  }

  // That of the row, but for an order, which is right or not.
  ToleranceSpec usual_tolerance(const Quantity& quantity) const {
    return quantity.measure == Measure::kInOrder ? ToleranceSpec{0.0, {}} : tolerance_;
  }

  void read_order_keys(MappingReader& reader, QuantitySpec& spec) {
    if (reader.has("measured")) reader.reject("measured", "an order is that of the row's table");
    if (reader.has("process")) reader.reject("process", "an order is of all processes");
    if (!reader.has("tolerance_percent")) spec.tolerance.percent = 0;
    if (!reader.has("tolerance_us")) spec.tolerance.us.reset();
  }

  // Where in summary.json a value stands, and in which unit.
  void read_value_keys(MappingReader& reader, Quantity& quantity, const std::string& unit, const std::string& pointer) {
    const bool is_value = row_.kind == RowKind::kValues;
    for (const auto& [key, value] : {std::pair("at", &pointer), std::pair("unit", &unit)}) {
      if (is_value && !reader.has(key)) reader.reject(key, "is missing");
      if (!is_value && reader.has(key)) reader.reject(key, "only valid with kind: values");
    }
    if (!is_value) return;
    if (reader.has("process")) reader.reject("process", "a value is of no process");
    if (!pointer.empty() && pointer[0] != '/') reader.reject("at", "must be a JSON pointer", pointer, "/key/0/key");
    quantity.unit = unit;
    quantity.pointer = pointer;
  }

  // By default all of the file's.
  void read_ablations() {
    const std::vector<OpenName> names =
        read_names(reader_, "ablations", "names; left out: all of the file, and none where the list is empty");
    std::vector<std::string_view> known;
    for (const Ablation& ablation : file_.ablations) known.push_back(ablation.name);
    for (const OpenName& name : names) add_index(name, "ablation", known, open_.ablations);
    if (reader_.has("ablations")) return;
    for (std::size_t i = 0; i < known.size(); ++i) open_.ablations.push_back(i);
  }

  std::vector<std::string_view> constants() const {
    std::vector<std::string_view> known;
    for (const ConstantSpec& constant : file_.spec.constants) known.push_back(constant.name);
    return known;
  }

  template <typename Index>
  void add_index(const OpenName& name, const char* what, const std::vector<std::string_view>& known,
                 std::vector<Index>& indices) {
    const auto found = std::find(known.begin(), known.end(), name.text);
    const auto index = static_cast<Index>(found - known.begin());
    if (found == known.end()) {
      const std::string_view guess = nearest(name.text, known);
      report_.add(name.where, name.key, fmt::format("no {} of this file has this name", what), name.text,
                  guess.empty() ? "" : fmt::format("nearest known {}: {}", what, guess));
    } else if (std::find(indices.begin(), indices.end(), index) != indices.end()) {
      report_.add(name.where, name.key, "is there twice", name.text, "each once");
    } else {
      indices.push_back(index);
    }
  }

  // What was measured stands in the quantities, or in a file.
  void check_numbers() {
    const auto is_kept_back = [](const QuantitySpec& quantity) { return quantity.standing == Standing::kKeptBack; };
    const auto lacks = [&](const QuantitySpec& quantity) { return !quantity.measured && !is_kept_back(quantity); };
    const bool has_table = open_.file || reader_.has("measured");
    const bool has_any = std::any_of(row_.quantities.begin(), row_.quantities.end(), is_kept_back);
    if (has_any && has_table) reader_.reject("measured", "what is kept back has no table", "", "another row for it");
    const bool has_open = open_.of_kernels && standing_ != Standing::kKeptBack;
    const bool lacks_any = has_open || std::any_of(row_.quantities.begin(), row_.quantities.end(), lacks);
    if (!lacks_any || has_table) return;
    reader_.reject(
        "measured", "is missing, and a quantity has no number of its own", "",
        row_.kind == RowKind::kValues ? "measured in each quantity" : "a CSV file, or measured in each quantity");
  }

  MappingReader reader_;
  const MeasurementsFile& file_;
  Report& report_;
  Standing standing_ = Standing::kPredicted;
  ToleranceSpec tolerance_;
};

}  // namespace

ReadRow read_row(const Node& node, const KeyPath& path, const MeasurementsFile& file, Report& report) {
  RowReader reader(node, path, file, report);
  reader.read();
  return {std::move(reader.row_), std::move(reader.open_)};
}

}  // namespace tessera::spec
