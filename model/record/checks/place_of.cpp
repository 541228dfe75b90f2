// SPDX-License-Identifier: Apache-2.0
// A record in words.
#include "model/record/checks/place_of.h"

#include <fmt/format.h>

namespace tessera::record {

std::string place_of(const Record& record) {
  std::string text = fmt::format("cycle {}: {}", record.cycle, to_string(record.kind));
  if (record.process != kNoIndex) text += fmt::format(" process {}", record.process);
  if (record.run != kNoNumber) text += fmt::format(" run {}", record.run);
  if (record.sm != kNoIndex) text += fmt::format(" sm {}", record.sm);
  if (record.launch != kNoNumber) text += fmt::format(" launch {}", record.launch);
  if (record.tb != kNoNumber) text += fmt::format(" tb {}", record.tb);
  return text;
}

}  // namespace tessera::record
