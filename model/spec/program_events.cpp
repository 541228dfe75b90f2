// SPDX-License-Identifier: Apache-2.0
// Internal to model/spec.
#include "model/spec/program_events.h"

#include <fmt/core.h>

#include "model/spec/application_spec.h"
#include "model/spec/nearest.h"

namespace tessera::spec {

std::string nearest_known(std::string_view what, std::string_view name, const std::vector<std::string_view>& known,
                          const Report& report) {
  const std::string_view guess = report.is_long() ? "" : nearest(name, known);
  return guess.empty() ? "" : fmt::format("nearest known {}: {}", what, guess);
}

std::optional<std::uint32_t> ProgramEvents::read(MappingReader& reader, Presence presence, Meaning meaning) {
  std::string name;
  if (!reader.read("event", presence, name, Text{}, meaning)) return std::nullopt;
  const auto [entry, is_new] = event_of_.emplace(name, static_cast<std::uint32_t>(application_.events.size()));
  if (is_new) {
    application_.events.push_back(name);
    is_recorded_.push_back(false);
  }
  uses_.push_back({entry->second, reader.known_node("event").where, reader.path("event")});
  return entry->second;
}

void ProgramEvents::check() const {
  if (has_bad_record_) return;
  std::vector<std::string_view> recorded;
  for (std::size_t i = 0; i < is_recorded_.size(); ++i) {
    if (is_recorded_[i]) recorded.push_back(application_.events[i]);
  }
  for (const Use& use : uses_) {
    if (is_recorded_[use.event]) continue;
    const std::string& name = application_.events[use.event];
    report_.add(use.where, use.path, "no step of this program records this event", name,
                nearest_known("event", name, recorded, report_));
  }
}

}  // namespace tessera::spec
