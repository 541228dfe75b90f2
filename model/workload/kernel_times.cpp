// SPDX-License-Identifier: Apache-2.0
// Calibration of TB durations against the kernel alone on the empty machine.
#include "model/workload/kernel_times.h"

#include <algorithm>
#include <optional>
#include <stdexcept>

#include "model/spec/spec.h"
#include "model/workload/kernel_alone.h"
#include "model/workload/kernel_fits.h"

namespace tessera::workload {
namespace {

constexpr int kMaxIterations = 8;

// Where TBs are issued as fast as the driver can, and end faster still, the time alone hardly grows with the mean at
// first: proportional correction overshoots there, and halving an interval does not.
constexpr std::uint64_t kGoodShare = 200;  // a 200th of the target

bool is_near(Cycle alone, Cycle target) {
  const Cycle error = alone > target ? alone - target : target - alone;
  return error <= target / kGoodShare;
}

template <typename AloneAt>
Cycle mean_by_halving(const AloneAt& alone_at, Cycle target) {
  Cycle low = 1;
  Cycle high = target;
  while (low < high) {
    const Cycle middle = low + (high - low) / 2;
    if (alone_at(middle) < target) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

TbTime with_spread(Cycle mean, std::uint32_t spread_ppm) {
  return {mean, std::min(mul_div_round(mean, spread_ppm, 1'000'000), mean - 1)};
}

// The time alone grows in proportion to the mean, but for overheads and the grain of waves: a few steps of
// proportional correction reach it.
Cycle fit(const KernelAlone& kernel, Cycle target, std::uint32_t spread_ppm, const IsInterrupted& is_interrupted) {
  const Cycle overhead = kernel.cycles({1, 0});
  Cycle mean = std::max<Cycle>(1, target / std::max<Cycle>(1, kernel.cycles({1000, 0}) / 1000));
  // Interrupted, every mean is good enough.
  const auto alone_at = [&](Cycle tb_mean) {
    if (is_interrupted && is_interrupted()) return target;
    return kernel.cycles(with_spread(tb_mean, spread_ppm));
  };
  for (int i = 0; i < kMaxIterations; ++i) {
    const Cycle alone = alone_at(mean);
    const Cycle work = alone > overhead ? alone - overhead : 1;
    const Cycle wanted = target > overhead ? target - overhead : 1;
    const Cycle next = std::max<Cycle>(1, mul_div_round(mean, wanted, work));
    if (next == mean) break;
    mean = next;
  }
  if (target > overhead && !is_near(alone_at(mean), target)) mean = mean_by_halving(alone_at, target);
  return mean;
}

}  // namespace

Cycle cycles_alone(const spec::Spec& spec, const spec::KernelSpec& kernel, const TbTime& time) {
  return KernelAlone(spec, kernel).cycles(time);
}

TbTime tb_time(const spec::Spec& spec, const spec::KernelSpec& kernel, const IsInterrupted& is_interrupted) {
  if (kernel.is_persistent || kernel.event_driven) return {kNever, 0};
  const Clock clock(spec.gpu.clock_hz);
  const std::uint32_t spread_ppm = kernel.tb_time_spread_ppm;
  if (spec.time_base == spec::TimeBase::kTimePerTb || !kernel.kernel_time) {
    return with_spread(std::max<Cycle>(1, clock.cycles_in(*kernel.tb_time)), spread_ppm);
  }
  const KernelAlone alone(spec, kernel);
  const Cycle target = clock.cycles_in(*kernel.kernel_time);
  KernelFits& fits = KernelFits::of_process();
  const FitKey key{alone.key(), target, spread_ppm};
  if (const std::optional<Cycle> known = fits.find(key)) return with_spread(*known, spread_ppm);
  const Cycle mean = fit(alone, target, spread_ppm, is_interrupted);
  if (!is_interrupted || !is_interrupted()) fits.keep(key, mean);
  return with_spread(mean, spread_ppm);
}

KernelTimes::KernelTimes(const spec::Spec& spec, const IsInterrupted& is_interrupted) {
  for (const spec::ApplicationSpec& application : spec.applications) {
    if (application.in_flight_share_ppm > 0) throw std::logic_error("times of kernels whose traffic is recorded");
    std::vector<TbTime>& times = times_.emplace_back();
    for (const spec::KernelSpec& kernel : application.kernels) {
      const bool is_wanted = !is_interrupted || !is_interrupted();
      times.push_back(is_wanted ? tb_time(spec, kernel, is_interrupted) : TbTime{1, 0});
    }
  }
}

}  // namespace tessera::workload
