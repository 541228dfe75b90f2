// SPDX-License-Identifier: Apache-2.0
// Times that are listed, evenly spaced, or drawn.
#include "model/workload/releases.h"

#include "model/spec/spec.h"
#include "model/workload/draws.h"
#include "model/workload/tb_durations.h"

namespace tessera::workload {
namespace {

constexpr std::uint64_t kLn2 = 0xB17217F7D1CF79AB;  // in units of 2^-64

std::uint64_t arrivals_key(const spec::Spec& spec, std::uint32_t process) {
  return stream_key(launch_key(spec.seed, process, 0, 0), Stream::kArrivals);
}

Picoseconds drawn(std::uint64_t key, std::uint32_t number, Picoseconds mean, std::uint32_t spread_ppm) {
  return draw_around(key, number, mean, static_cast<std::uint64_t>(Uint128{mean} * spread_ppm / kMillion));
}

}  // namespace

std::uint64_t negative_log(std::uint64_t draw) {
  if (draw == ~std::uint64_t{0}) return 0;
  // 1. u = mantissa * 2^-(1 + zeros), the mantissa in 1 .. 2 with 63 bits behind the point.
  const std::uint64_t u = draw + 1;
  const auto zeros = static_cast<unsigned>(__builtin_clzll(u));
  std::uint64_t mantissa = u << zeros;
  // 2. Its binary logarithm, a bit with each squaring.
  std::uint64_t log2 = 0;
  for (int bit = 0; bit < kLogBits; ++bit) {
    const auto square = static_cast<Uint128>(mantissa) * mantissa >> 63;
    const auto digit = static_cast<std::uint64_t>(square >> 64);
    mantissa = static_cast<std::uint64_t>(square >> digit);
    log2 = log2 << 1 | digit;
  }
  // 3. To base e.
  const std::uint64_t negative_log2 = ((std::uint64_t{zeros} + 1) << kLogBits) - log2;
  return static_cast<std::uint64_t>(static_cast<Uint128>(negative_log2) * kLn2 >> 64);
}

Picoseconds pause_before(const spec::Spec& spec, std::uint32_t process, std::uint32_t run) {
  const spec::ProcessSpec& its = spec.processes.at(process);
  return drawn(arrivals_key(spec, process), run, its.pause, its.pause_spread_ppm);
}

ReleaseTimes::ReleaseTimes(const spec::Spec& spec, std::uint32_t process)
    : releases_(*spec.processes.at(process).releases),
      key_(arrivals_key(spec, process)),
      start_(spec.processes[process].start + releases_.offset) {}

std::optional<Picoseconds> ReleaseTimes::next() {
  if (releases_.arrivals == spec::Arrivals::kFile) {
    if (number_ == releases_.times.size()) return std::nullopt;
    time_ = releases_.times[number_];
  } else {
    time_ += gap_before(number_);
  }
  ++number_;
  return start_ + time_;
}

// The first one is at once, but in a Poisson process, which has no memory: there it is a draw after the start too.
Picoseconds ReleaseTimes::gap_before(std::uint32_t number) const {
  if (releases_.arrivals != spec::Arrivals::kPoisson && number == 0) return 0;
  if (releases_.arrivals == spec::Arrivals::kPeriodic) return releases_.period;
  if (releases_.arrivals == spec::Arrivals::kUniform) {
    return drawn(key_, number, releases_.period, releases_.period_spread_ppm);
  }
  const std::uint64_t exponential = negative_log(draw(key_, number));
  return static_cast<Picoseconds>(static_cast<Uint128>(releases_.period) * exponential >> kLogBits);
}

}  // namespace tessera::workload
