// SPDX-License-Identifier: Apache-2.0
// Release times of a process's runs, one after the other (docs/concepts/readings.md, Releases).
#pragma once

#include <cstdint>
#include <optional>

#include "model/base/time.h"
#include "model/spec/spec_fwd.h"

namespace tessera::workload {

inline constexpr int kLogBits = 40;  // fraction bits

// -ln((draw + 1) / 2^64) in units of 2^-kLogBits, rounded down: exponentially distributed with mean 1 if `draw` is
// uniform. Integers only, so that it is the same on every platform.
std::uint64_t negative_log(std::uint64_t draw);

// The process's pause before its run of that number.
Picoseconds pause_before(const spec::Spec& spec, std::uint32_t process, std::uint32_t run);

class ReleaseTimes {
 public:
  // For a process with releases; `spec` must outlive this object.
  ReleaseTimes(const spec::Spec& spec, std::uint32_t process);

  // The next time since the start of the simulation; never decreases. Empty after the last arrival of a file.
  std::optional<Picoseconds> next();

 private:
  Picoseconds gap_before(std::uint32_t number) const;

  const spec::ReleaseSpec& releases_;
  std::uint64_t key_;
  Picoseconds start_;
  Picoseconds time_ = 0;      // of the last release, since start_
  std::uint32_t number_ = 0;  // of the next release
};

}  // namespace tessera::workload
