// SPDX-License-Identifier: Apache-2.0
// Experiment: what CUDA says of the card, and what it runs at.
// Why: sizes of the GPU file; a clock that is not the named one scales all that follows.
// Unit: MHz, bytes, ns. Check: the measured clock is within 5 % of the named one; the global timer steps in less than
// 1.1 us.
#include <cmath>
#include <numeric>

#include "common.h"
#include "kernels.h"

namespace probe {
namespace {

constexpr double kClockTolerance = 0.05;
constexpr double kCoarsestTimerNs = 1100;

// The greatest common divisor of many times.
u64 timer_step_ns() {
  constexpr int kTimes = 4096;
  Stay* stays = device_array<Stay>(kTimes);
  launch(spin_kernel, kTimes, 32, 0, nullptr, u64{500}, stays);
  check(cudaDeviceSynchronize(), "spin_kernel");
  u64 step = 0;
  for (const Stay& stay : copied(stays, kTimes)) step = std::gcd(step, stay.begin_ns);
  check(cudaFree(stays), "cudaFree");
  return step;
}

double attribute(cudaDeviceAttr which) {
  int value = 0;
  check(cudaDeviceGetAttribute(&value, which, 0), "cudaDeviceGetAttribute");
  return value;
}

}  // namespace

Doubts measure_card(const std::string& folder) {
  const Card card = open_card();
  const cudaDeviceProp& of = card.properties;
  const double named_mhz = attribute(cudaDevAttrClockRate) / 1e3;
  const u64 step_ns = timer_step_ns();
  int low = 0, high = 0;
  check(cudaDeviceGetStreamPriorityRange(&low, &high), "cudaDeviceGetStreamPriorityRange");
  const Rows rows(folder, "card.csv", "key,value");
  std::fprintf(rows.file(), "name,%s\nsms,%d\nmhz_measured,%.1f\nmhz_attr,%.1f\n", of.name, card.num_sms(), card.mhz,
               named_mhz);
  std::fprintf(rows.file(), "mem_mhz,%.1f\nbus_bits,%.0f\nl2,%d\n", attribute(cudaDevAttrMemoryClockRate) / 1e3,
               attribute(cudaDevAttrGlobalMemoryBusWidth), of.l2CacheSize);
  std::fprintf(rows.file(), "regs_per_sm,%d\nsmem_per_sm,%zu\nsmem_optin,%zu\nthreads_per_sm,%d\n",
               of.regsPerMultiprocessor, of.sharedMemPerMultiprocessor, of.sharedMemPerBlockOptin,
               of.maxThreadsPerMultiProcessor);
  std::fprintf(rows.file(), "blocks_per_sm,%.0f\nasync_engines,%d\nprio_low,%d\nprio_high,%d\nmem,%zu\n",
               attribute(cudaDevAttrMaxBlocksPerMultiprocessor), of.asyncEngineCount, low, high, of.totalGlobalMem);
  std::fprintf(rows.file(), "globaltimer_step_ns,%llu\ncompute_major,%d\ncompute_minor,%d\n", step_ns, of.major,
               of.minor);
  Doubts doubts;
  if (named_mhz > 0 && std::abs(card.mhz / named_mhz - 1) > kClockTolerance) {
    doubts.push_back("the card runs at " + std::to_string(card.mhz) + " MHz, not at its " + std::to_string(named_mhz));
  }
  if (static_cast<double>(step_ns) > kCoarsestTimerNs) {
    doubts.push_back("the global timer steps in " + std::to_string(step_ns) + " ns: shorter times are not seen");
  }
  return doubts;
}

}  // namespace probe
