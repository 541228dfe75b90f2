// SPDX-License-Identifier: Apache-2.0
// Name and fields of each kind of record: one table for text, CSV and documentation.
// Its rows follow the comments of enum Kind in record.h.
#pragma once

#include <cstdint>
#include <string_view>

#include "model/record/record.h"

namespace tessera::record {

// Bits of KindInfo::fields; cycle and kind belong to every record.
enum Field : std::uint16_t {
  kFieldProcess = 1 << 0,
  kFieldKernel = 1 << 1,
  kFieldLaunch = 1 << 2,
  kFieldRun = 1 << 3,
  kFieldSm = 1 << 4,
  kFieldSlot = 1 << 5,
  kFieldTb = 1 << 6,
  kFieldTechnique = 1 << 7,
  kFieldBytes = 1 << 8,
  kFieldCycles = 1 << 9,
  kFieldValue = 1 << 10,
};

struct KindInfo {
  std::string_view name;
  std::uint16_t fields;

  constexpr bool has(Field field) const { return (fields & field) != 0; }
};

const KindInfo& kind_info(Kind kind);

}  // namespace tessera::record
