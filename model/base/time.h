// SPDX-License-Identifier: Apache-2.0
// Time without floating point: GPU cycles inside the models, picoseconds in the Spec.
#pragma once

#include <cstdint>
#include <numeric>

namespace tessera {

using Cycle = std::uint64_t;        // GPU clock cycles since the start of the run
using Picoseconds = std::uint64_t;  // times in a Spec, exactly as written

// Later than any event; also the completion time of a thread block that never ends. 48 bits (more than 3 days at 1
// GHz), since a completion key has the slot in its lower 16 bits.
inline constexpr Cycle kNever = (Cycle{1} << 48) - 1;

inline constexpr std::uint64_t kPicosecondsPerSecond = 1'000'000'000'000;

__extension__ typedef unsigned __int128 Uint128;  // for exact products only

// a * b / c, rounded up / to the nearest / down. Uses a 128-bit product only if necessary, since its division is slow.
constexpr std::uint64_t mul_div_ceil(std::uint64_t a, std::uint64_t b, std::uint64_t c) {
  std::uint64_t product = 0;
  if (!__builtin_mul_overflow(a, b, &product)) return product / c + (product % c != 0 ? 1 : 0);
  return static_cast<std::uint64_t>((static_cast<Uint128>(a) * b + (c - 1)) / c);
}
constexpr std::uint64_t mul_div_round(std::uint64_t a, std::uint64_t b, std::uint64_t c) {
  return static_cast<std::uint64_t>((static_cast<Uint128>(a) * b + c / 2) / c);
}
constexpr std::uint64_t mul_div_floor(std::uint64_t a, std::uint64_t b, std::uint64_t c) {
  std::uint64_t product = 0;
  if (!__builtin_mul_overflow(a, b, &product)) return product / c;
  return static_cast<std::uint64_t>(static_cast<Uint128>(a) * b / c);
}

// A clock with an integer frequency in hertz. Cycle c starts at ceil(c * 1e12 / hz) ps, so up to 1 THz every cycle has
// its own picosecond and `cycle_at(time_of(c)) == c`.
class Clock {
 public:
  explicit constexpr Clock(std::uint64_t hertz)
      : hertz_(hertz),
        cycles_(hertz / std::gcd(hertz, kPicosecondsPerSecond)),
        picoseconds_(kPicosecondsPerSecond / std::gcd(hertz, kPicosecondsPerSecond)) {}

  constexpr Picoseconds time_of(Cycle cycle) const { return mul_div_ceil(cycle, picoseconds_, cycles_); }
  // The last cycle that has started at or before `time`.
  constexpr Cycle cycle_at(Picoseconds time) const { return mul_div_floor(time, cycles_, picoseconds_); }
  // The first cycle that starts at or after `time`.
  constexpr Cycle first_cycle_from(Picoseconds time) const { return time == 0 ? 0 : cycle_at(time - 1) + 1; }
  // The whole number of cycles nearest to a duration.
  constexpr Cycle cycles_in(Picoseconds duration) const { return mul_div_round(duration, cycles_, picoseconds_); }
  constexpr std::uint64_t hertz() const { return hertz_; }

 private:
  std::uint64_t hertz_;
  std::uint64_t cycles_;  // cycles_ cycles take exactly picoseconds_: ratio in lowest terms
  std::uint64_t picoseconds_;
};

}  // namespace tessera
