// SPDX-License-Identifier: Apache-2.0
// Events of a host program, by name: each that is waited for is recorded somewhere.
// Internal to model/spec.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/spec/mapping_reader.h"
#include "model/spec/spec_fwd.h"

namespace tessera::spec {

// Advice for a name that is none of these; empty where there is none to give.
std::string nearest_known(std::string_view what, std::string_view name, const std::vector<std::string_view>& known,
                          const Report& report);

class ProgramEvents {
 public:
  // `application` gets the events.
  ProgramEvents(ApplicationSpec& application, Report& report) : application_(application), report_(report) {}

  // The event that a step names.
  std::optional<std::uint32_t> read(MappingReader& reader, Presence presence, Meaning meaning);
  void note_record(std::uint32_t event) { is_recorded_[event] = true; }
  // That is the mistake to report, and not what waits for it.
  void note_bad_record() { has_bad_record_ = true; }
  // Once the whole program is read: an event may be waited for, in a loop, before the step that records it.
  void check() const;

 private:
  struct Use {
    std::uint32_t event;
    Location where;
    KeyPath path;
  };

  ApplicationSpec& application_;
  Report& report_;
  std::map<std::string, std::uint32_t> event_of_;  // by name
  std::vector<bool> is_recorded_;                  // by event
  std::vector<Use> uses_;
  bool has_bad_record_ = false;
};

}  // namespace tessera::spec
