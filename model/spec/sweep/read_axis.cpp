// SPDX-License-Identifier: Apache-2.0
// Every value of an axis becomes the overrides that put it into the experiment, where it stands in the sweep file.
// Internal to model/spec.
#include "model/spec/sweep/read_axis.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "model/spec/decimal.h"

namespace tessera::spec {
namespace {

constexpr Number kRangeValue{0, 1'000'000'000'000'000'000, kTimeDigits};
constexpr Number kPositiveRangeValue{1, 1'000'000'000'000'000'000, kTimeDigits};
constexpr Number kRangeCount{2, 1'000'000'000};
constexpr std::uint64_t kRangeUnit = 1'000'000;  // ten to the digits

// ---- ranges ------------------------------------------------------------------------------------------------------

// Millionths.
struct Range {
  std::uint64_t from = 0, to = 0;
  std::optional<std::uint64_t> step, factor;
  std::optional<std::uint64_t> count;  // no millionths
  bool is_geometric = false;
};

bool is_whole(const Range& range) { return range.from % kRangeUnit == 0 && range.to % kRangeUnit == 0; }

std::uint64_t count_of(const Range& range) {
  if (range.count) return *range.count;
  if (!range.is_geometric) return (range.to - range.from) / *range.step + 1;
  const double steps = std::log(static_cast<double>(range.to) / static_cast<double>(range.from)) /
                       std::log(static_cast<double>(*range.factor) / kRangeUnit);
  return static_cast<std::uint64_t>(steps + 1e-9) + 1;
}

// In millionths; whole numbers stay whole where both ends are.
std::uint64_t value_of(const Range& range, std::uint64_t i) {
  if (!range.is_geometric && !range.count) return range.from + i * *range.step;
  const auto from = static_cast<double>(range.from);
  const double share = range.count ? static_cast<double>(i) / static_cast<double>(*range.count - 1) : 0;
  double value = 0;
  if (!range.is_geometric) {
    value = from + (static_cast<double>(range.to) - from) * share;
  } else if (range.count) {
    value = from * std::pow(static_cast<double>(range.to) / from, share);
  } else {
    value = from * std::pow(static_cast<double>(*range.factor) / kRangeUnit, static_cast<double>(i));
  }
  const double unit = is_whole(range) && range.count ? static_cast<double>(kRangeUnit) : 1.0;
  return static_cast<std::uint64_t>(std::llround(value / unit) * static_cast<long long>(unit));
}

bool read_range(MappingReader reader, Range& range) {
  bool is_good = reader.required("from", range.from, kRangeValue, "the first value");
  is_good = reader.required("to", range.to, kRangeValue, "no value is above it") && is_good;
  const bool has_step = reader.optional("step", range.step, kPositiveRangeValue, "linear: added from value to value");
  const bool has_factor =
      reader.optional("factor", range.factor, Number{kRangeUnit + 1, 1'000 * kRangeUnit, kTimeDigits},
                      "geometric: multiplied from value to value");
  const bool has_count =
      reader.optional("count", range.count, kRangeCount,
                      "in the place of both: as many values, `from` and `to` among them, whole if those are");
  reader.optional("geometric", range.is_geometric, Boolean{}, "with `count`: equal factors instead of equal steps");
  reader.reject_unknown_keys();
  if (!is_good) return false;
  if (has_factor) range.is_geometric = true;
  if (static_cast<int>(has_step) + static_cast<int>(has_factor) + static_cast<int>(has_count) != 1) {
    if (reader.has("step") + reader.has("factor") + reader.has("count") == 1) return false;  // reported already
    reader.reject("from", "needs one of step, factor and count");
    return false;
  }
  if (has_step && range.is_geometric) reader.reject("step", "is of a linear range", "", "factor or count");
  const bool is_rising = range.from < range.to;
  if (!is_rising) reader.reject("to", "is not above from", format_decimal(range.to, kTimeDigits));
  if (range.is_geometric && range.from == 0) reader.reject("from", "a geometric range does not begin with it", "0");
  return is_rising && !(has_step && range.is_geometric) && !(range.is_geometric && range.from == 0);
}

// ---- values ------------------------------------------------------------------------------------------------------

// A key as --set has it.
struct SettingKey : Text {
  Form form() const {
    Form form = Text::form();
    form.shapes[0].keys = "setting";
    return form;
  }
};

Form value_form() {
  Form form = Text{}.form();
  form.allowed = "any values of the key";
  return form;
}

class AxisReader {
 public:
  AxisReader(const Node& node, const KeyPath& path, Report& report)
      : reader_(node, path, report), path_(path), report_(report) {}

  ReadAxis read() {
    const bool has_name =
        reader_.optional("name", result_.axis.name, Text{}, "a column; left out: the last word of `key`");
    read_key();
    if (!has_name && key_) result_.axis.name = key_->back().key;
    const std::vector<Node>& values = reader_.list("values", Presence::kOptional, value_form, "each once");
    for (std::size_t i = 0; i < values.size(); ++i) add_value(values[i], reader_.path("values") / i);
    reject_empty("values", "at least one value");
    const Node& range = reader_.node("range", Presence::kOptional, mapping_form, "in the place of `values`");
    if (range.kind != Node::Kind::kInvalid || report_.known_keys() != nullptr) add_range(range);
    const std::vector<Node>& variants =
        reader_.mappings("variants", Presence::kOptional, "in the place of `key` and `values`: several keys at once");
    for (std::size_t i = 0; i < variants.size(); ++i) add_variant(variants[i], reader_.path("variants") / i);
    reject_empty("variants", "at least one variant");
    reader_.reject_unknown_keys();
    check_form();
    return std::move(result_);
  }

 private:
  void reject_empty(std::string_view key, const char* allowed) {
    if (!reader_.has(key)) return;
    const Node& node = reader_.known_node(key);
    if (node.kind == Node::Kind::kSequence && node.children.empty()) reader_.reject(key, "is empty", "", allowed);
  }

  void read_key() {
    std::string key;
    if (!reader_.optional("key", key, SettingKey{}, "what the values are set in")) return;
    const Node& node = reader_.known_node("key");
    key_ = parse_path(key, node.where, report_);
    if (!key_) return;
    key_where_ = node.where;
    result_.axis.keys = {key};
  }

  void add(std::string label, std::vector<Override> settings, const Location& where, const KeyPath& path) {
    auto& labels = result_.axis.labels;
    if (std::find(labels.begin(), labels.end(), label) != labels.end()) {
      report_.add(where, path, "duplicate value", label);
      return;
    }
    labels.push_back(std::move(label));
    result_.values.push_back(std::move(settings));
    result_.num_values = labels.size();
  }

  void add_value(const Node& node, const KeyPath& path) {
    if (node.kind == Node::Kind::kInvalid) return;
    auto label = Text{}.parse(node);
    if (auto* problem = std::get_if<Problem>(&label)) {
      const bool is_scalar = node.kind == Node::Kind::kScalar;
      report_.add(node.where, path, is_scalar ? problem->problem : "must be a plain value", describe(node),
                  is_scalar ? problem->allowed : "variants give a name to what is none");
      return;
    }
    if (key_) add(std::get<std::string>(label), {{*key_, node, key_where_}}, node.where, path);
  }

  void add_range(const Node& node) {
    Range range;
    const std::size_t before = report_.size();
    if (!read_range(MappingReader(node, reader_.path("range"), report_), range) || report_.size() > before) return;
    result_.num_values = static_cast<std::size_t>(count_of(range));
    if (result_.num_values > kMaxSweepPoints || !key_) return;  // whoever counts the points tells
    for (std::uint64_t i = 0; i < count_of(range); ++i) {
      std::string label = format_decimal(value_of(range, i), kTimeDigits);
      const auto& labels = result_.axis.labels;
      if (!labels.empty() && labels.back() == label) continue;  // rounded to the one before
      std::vector<Override> settings{{*key_, plain_scalar(label, node.where), key_where_}};
      add(std::move(label), std::move(settings), node.where, reader_.path("range"));
    }
  }

  void add_variant(const Node& node, const KeyPath& path) {
    MappingReader reader(node, path, report_);
    std::string label;
    const bool has_name = reader.required("name", label, Text{}, "the value, in tables");
    const Node& settings = reader.node("set", Presence::kRequired, settings_form, "what it stands for");
    reader.reject_unknown_keys();
    std::vector<Override> overrides = read_settings(settings, path / "set", report_);
    for (const Override& change : overrides) {
      std::string key;
      for (const Override::Segment& segment : change.path) key += (key.empty() ? "" : ".") + segment.key;
      auto& keys = result_.axis.keys;
      if (std::find(keys.begin(), keys.end(), key) == keys.end()) keys.push_back(std::move(key));
    }
    if (has_name) add(std::move(label), std::move(overrides), node.where, path / "name");
  }

  void check_form() {
    reader_.note_alternatives("key", {"variants"});
    reader_.note_alternatives("values", {"range", "variants"});
    const int forms = static_cast<int>(reader_.has("values")) + static_cast<int>(reader_.has("range")) +
                      static_cast<int>(reader_.has("variants"));
    if (reader_.has("variants")) {
      if (!reader_.has("name")) reader_.reject("name", "is missing");
      if (reader_.has("key")) reader_.reject("key", "variants name their keys themselves");
    } else if (!reader_.has("key")) {
      reader_.reject("key", "is missing");
    }
    if (forms != 1) reader_.reject("key", "needs one of values, range and variants");
  }

  MappingReader reader_;
  KeyPath path_;
  Report& report_;
  ReadAxis result_;
  std::optional<std::vector<Override::Segment>> key_;
  Location key_where_;
};

}  // namespace

ReadAxis read_axis(const Node& node, const KeyPath& path, Report& report) {
  const bool is_usable = node.kind == Node::Kind::kMapping;
  const MappingReader check(node, path, report);  // says what else it is
  return is_usable ? AxisReader(node, path, report).read() : ReadAxis{};
}

}  // namespace tessera::spec
