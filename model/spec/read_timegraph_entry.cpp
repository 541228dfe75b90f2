// SPDX-License-Identifier: Apache-2.0
// One field after the other; each mistake stands at its field's column.
// Internal to model/spec.
#include "model/spec/read_timegraph_entry.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "model/spec/decimal.h"
#include "model/spec/nearest.h"
#include "model/spec/scalar_rules.h"
#include "model/spec/spec.h"

namespace tessera::spec {
namespace {

constexpr std::string_view kForm = "<name:sched:resv:prio:C:T>";
constexpr std::string_view kNoTime = "-";
constexpr Number kEntryPriority{0, 15};

constexpr std::array<std::string_view, 6> kFieldNames{"name", "sched", "resv", "prio", "C", "T"};

struct Field {
  std::string_view name;
  std::string_view text;
  int offset = 0;  // in the entry
};

// Of one entry, for complaints.
struct EntryKey {
  EntryKey(const EntryPlace& place, std::size_t number)
      : whole(place.is_file ? place.path.at_file_root() : place.path / number), is_file(place.is_file) {}
  KeyPath of(std::string_view field) const { return is_file ? whole / field : whole; }

  KeyPath whole;
  bool is_file;
};

// The six fields between the brackets, or nothing.
std::optional<std::array<Field, 6>> fields_of(std::string_view text) {
  if (text.size() < 2 || text.front() != '<' || text.back() != '>') return std::nullopt;
  std::array<Field, 6> fields;
  std::size_t start = 1;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    const bool is_last = i + 1 == fields.size();
    const std::size_t end = is_last ? text.size() - 1 : text.find(':', start);
    if (end == std::string_view::npos || end > text.size() - 1) return std::nullopt;
    fields[i] = {kFieldNames[i], text.substr(start, end - start), static_cast<int>(start)};
    start = end + 1;
  }
  const bool has_more = fields.back().text.find(':') != std::string_view::npos;
  return has_more ? std::nullopt : std::optional(fields);
}

class EntryReader {
 public:
  EntryReader(const Node& node, const EntryKey& key, const Spec& spec, Report& report)
      : node_(node), key_(key), spec_(spec), report_(report) {}

  std::optional<TimegraphEntry> read() {
    const auto fields = node_.kind == Node::Kind::kScalar ? fields_of(node_.text) : std::nullopt;
    if (!fields) {
      report_.add(node_.where, key_.whole, "is not an entry of a specification", describe(node_), std::string(kForm));
      return std::nullopt;
    }
    const auto& [name, sched, resv, prio, capacity, period] = *fields;
    TimegraphEntry entry;
    read_name(name, entry);
    read_dispatch(sched, entry);
    const bool is_reservation_known = read_reservation(resv, entry);
    read_priority(prio, entry);
    if (is_reservation_known) read_times(capacity, period, entry);
    return entry;
  }

 private:
  void reject(const Field& field, const std::string& problem, const std::string& allowed) {
    Location where = node_.where;
    where.column += field.offset;
    report_.add(where, key_.of(field.name), problem, std::string(field.text), allowed);
  }

  void read_name(const Field& field, TimegraphEntry& entry) {
    entry.name = field.text;
    std::vector<std::string_view> names;
    for (const ProcessSpec& process : spec_.processes) names.push_back(process.name);
    for (const ApplicationSpec& application : spec_.applications) names.push_back(application.name);
    if (std::find(names.begin(), names.end(), field.text) != names.end() || names.empty()) return;
    const std::string_view guess = nearest(field.text, names);
    reject(field, "no process or application has this name",
           guess.empty() ? "" : fmt::format("nearest known name: {}", guess));
  }

  void read_dispatch(const Field& field, TimegraphEntry& entry) {
    const auto dispatch = parse<GroupDispatch>(field.text);
    if (!dispatch) return reject(field, "is not a scheduling policy", "PRT, HT");
    entry.dispatch = *dispatch;
  }

  bool read_reservation(const Field& field, TimegraphEntry& entry) {
    const std::size_t at = field.text.find('@');
    const auto reservation = parse<Reservation>(field.text.substr(0, at));
    const bool is_shared = at != std::string_view::npos;
    const bool is_known = reservation && (!is_shared || (has_budget(*reservation) && at + 1 < field.text.size()));
    if (!is_known) {
      reject(field, "is not a reservation", "none, PE, AE, background, PE@RESERVE, AE@RESERVE");
      return false;
    }
    entry.reservation = *reservation;
    if (is_shared) entry.shared_reserve = field.text.substr(at + 1);
    return true;
  }

  void read_priority(const Field& field, TimegraphEntry& entry) {
    if (field.text == "*") return;
    entry.priority = 0;
    if (const auto value = number(field, kEntryPriority)) entry.priority = static_cast<std::uint32_t>(*value);
  }

  void read_times(const Field& capacity, const Field& period, TimegraphEntry& entry) {
    for (const auto& [field, time] : {std::pair(&capacity, &entry.capacity), std::pair(&period, &entry.period)}) {
      if (has_budget(entry.reservation)) {
        if (const auto value = number(*field, kPositiveTime)) *time = *value;
      } else if (field->text != kNoTime) {
        reject(*field, "only valid with PE or AE", std::string(kNoTime));
      }
    }
    if (entry.period > 0 && entry.capacity > entry.period) {
      reject(capacity, "a capacity above its period", fmt::format("at most {}", period.text));
    }
  }

  std::optional<std::uint64_t> number(const Field& field, const Number& rule) {
    Node node = plain_scalar(std::string(field.text), node_.where);
    auto ruled = rule.parse(node);
    if (const auto* value = std::get_if<std::uint64_t>(&ruled)) return *value;
    const auto& problem = std::get<Problem>(ruled);
    reject(field, problem.problem, problem.allowed);
    return std::nullopt;
  }

  static bool has_budget(Reservation reservation) {
    return reservation == Reservation::kPosterior || reservation == Reservation::kApriori;
  }

  const Node& node_;
  const EntryKey& key_;
  const Spec& spec_;
  Report& report_;
};

// Whoever names a Shared reserve says the same of it.
void check_shared(const TimegraphEntry& entry, const std::vector<TimegraphEntry>& entries, const Node& node,
                  const EntryKey& key, Report& report) {
  if (entry.shared_reserve.empty()) return;
  for (const TimegraphEntry& other : entries) {
    if (other.shared_reserve != entry.shared_reserve) continue;
    const bool is_same =
        other.reservation == entry.reservation && other.capacity == entry.capacity && other.period == entry.period;
    if (is_same) return;
    report.add(node.where, key.of("resv"),
               fmt::format("reserve '{}' is another one in {}", entry.shared_reserve, to_string(other)), node.text,
               "the same resv, C and T");
    return;
  }
}

}  // namespace

void read_timegraph_entries(const std::vector<Node>& nodes, const EntryPlace& place, const Spec& spec,
                            std::vector<TimegraphEntry>& entries, Report& report) {
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const EntryKey key(place, i);
    const auto entry = EntryReader(nodes[i], key, spec, report).read();
    if (!entry) continue;
    const auto has_name = [&](const TimegraphEntry& other) { return other.name == entry->name; };
    if (std::any_of(entries.begin(), entries.end(), has_name)) {
      report.add(nodes[i].where, key.of("name"), "an earlier entry has this name", entry->name);
    }
    check_shared(*entry, entries, nodes[i], key, report);
    entries.push_back(*entry);
  }
}

std::string to_string(const TimegraphEntry& entry) {
  const auto time = [](Picoseconds of) { return of == 0 ? std::string(kNoTime) : format_decimal(of, kTimeDigits); };
  return fmt::format("<{}:{}:{}{}:{}:{}:{}>", entry.name, to_string(entry.dispatch), to_string(entry.reservation),
                     entry.shared_reserve.empty() ? "" : "@" + entry.shared_reserve,
                     entry.priority ? std::to_string(*entry.priority) : "*", time(entry.capacity), time(entry.period));
}

}  // namespace tessera::spec
