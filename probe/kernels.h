// SPDX-License-Identifier: Apache-2.0
// The kernels that several experiments use, and the two clocks of the card: the global timer (ns, the same for all SMs
// and contexts) and an SM's own cycles.
#pragma once

#include <cuda_runtime.h>

#include "common.h"

namespace probe {

using u64 = unsigned long long;

__device__ inline u64 global_ns() {
  u64 time;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(time));
  return time;
}
__device__ inline unsigned sm_id() {
  unsigned id;
  asm volatile("mov.u32 %0, %%smid;" : "=r"(id));
  return id;
}

// When a thread block began and ended, by both clocks, and where.
struct Stay {
  u64 begin_ns, end_ns, begin_cycle, end_cycle;
  unsigned sm, unused;
};
struct Span {
  u64 begin_ns, end_ns;
};

static __global__ void empty_kernel() {}

// Takes so many cycles of its SM's clock: for what is never interrupted.
static __global__ void spin_kernel(u64 cycles, Stay* stays) {
  const u64 begin_ns = global_ns();
  const u64 begin = static_cast<u64>(clock64());
  while (static_cast<u64>(clock64()) - begin < cycles) {
  }
  if (stays != nullptr && threadIdx.x == 0) {
    stays[blockIdx.x] = {begin_ns, global_ns(), begin, static_cast<u64>(clock64()), sm_id(), 0};
  }
}

// Takes so many iterations, not so much time: what is preempted goes on where it was. Thread block 0 notes its span.
static __global__ void work_kernel(unsigned iterations, Span* span, unsigned* sink) {
  const u64 begin_ns = global_ns();
  unsigned value = threadIdx.x;
  for (unsigned i = 0; i < iterations; ++i) {
    value = value * 1664525U + 1013904223U;
    asm volatile("" : "+r"(value));
  }
  if (value == 0xDEADBEEFU && sink != nullptr) *sink = value;
  if (span != nullptr && blockIdx.x == 0 && threadIdx.x == 0) *span = {begin_ns, global_ns()};
}

// Holds its places for so long, whatever it lost of that to others: for what does not end by itself.
static __global__ void hold_kernel(u64 ns) {
  const u64 begin = global_ns();
  while (global_ns() - begin < ns) {
  }
}

// Says to the host that it runs.
static __global__ void flag_kernel(volatile u64* flag) {
  if (blockIdx.x == 0 && threadIdx.x == 0) {
    __threadfence_system();
    flag[0] = 1;
  }
}

// Iterations of work_kernel that take so long with a thread block of 128 threads on each SM.
inline unsigned iterations_for(const Card& card, double us) {
  constexpr int kKernels = 40;
  constexpr unsigned kIterations = 50'000;
  Span* spans = device_array<Span>(kKernels);
  for (int i = 0; i < kKernels; ++i) {
    launch(work_kernel, card.num_sms(), 128, 0, nullptr, kIterations, spans + i, nullptr);
  }
  check(cudaDeviceSynchronize(), "work_kernel");
  u64 shortest = ~u64{0};  // another context may have run meanwhile
  for (const Span& span : copied(spans, kKernels)) {
    shortest = span.end_ns - span.begin_ns < shortest ? span.end_ns - span.begin_ns : shortest;
  }
  check(cudaFree(spans), "cudaFree");
  return static_cast<unsigned>(us * 1000.0 * kIterations / static_cast<double>(shortest));
}

}  // namespace probe
