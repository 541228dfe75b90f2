// SPDX-License-Identifier: Apache-2.0
// When the runs of a process are released: one time after the other (docs/concepts/readings.md, Releases).
#pragma once

#include <cstdint>
#include <optional>

#include "model/base/time.h"
#include "model/spec/spec_fwd.h"

namespace tessera::workload {

inline constexpr int kLogBits = 40;  // behind the point

// -ln((draw + 1) / 2^64) in units of 2^-kLogBits, rounded down: exponentially distributed, of mean 1, where `draw` is
// uniform. In integers, so that it is the same everywhere.
std::uint64_t negative_log(std::uint64_t draw);

class ReleaseTimes {
 public:
  // Of a process that has releases; `spec` must outlive this object.
  ReleaseTimes(const spec::Spec& spec, std::uint32_t process);

  // Since the start of the simulation; never earlier than the one before. Nothing after the last arrival of a file.
  std::optional<Picoseconds> next();

 private:
  Picoseconds gap_before(std::uint32_t number) const;

  const spec::ReleaseSpec& releases_;
  std::uint64_t key_;
  Picoseconds start_;
  Picoseconds time_ = 0;      // of the last one, since start_
  std::uint32_t number_ = 0;  // of the next one
};

}  // namespace tessera::workload
