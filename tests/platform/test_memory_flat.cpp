// SPDX-License-Identifier: Apache-2.0
// Memory stays flat however long an experiment is: nothing is allocated for a thread block, and nothing is kept
// of a launch or a run that is over.
#include <malloc.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <new>

#include "tests/platform/machine_bench.h"

namespace {

// Of this program, through operator new.
struct Heap {
  std::uint64_t allocations = 0;
  std::uint64_t live_bytes = 0;
  std::uint64_t peak_bytes = 0;
};
Heap heap;

void* try_allocate(std::size_t bytes) noexcept {
  void* const memory = std::malloc(bytes);
  if (memory == nullptr) return nullptr;
  ++heap.allocations;
  heap.live_bytes += malloc_usable_size(memory);
  heap.peak_bytes = std::max(heap.peak_bytes, heap.live_bytes);
  return memory;
}

void* allocate(std::size_t bytes) {
  void* const memory = try_allocate(bytes);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

void release(void* memory) {
  heap.live_bytes -= malloc_usable_size(memory);
  std::free(memory);
}

}  // namespace

void* operator new(std::size_t bytes) { return allocate(bytes); }
void* operator new[](std::size_t bytes) { return allocate(bytes); }
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept { return try_allocate(bytes); }
void* operator new[](std::size_t bytes, const std::nothrow_t&) noexcept { return try_allocate(bytes); }
void operator delete(void* memory) noexcept { release(memory); }
void operator delete[](void* memory) noexcept { release(memory); }
void operator delete(void* memory, std::size_t) noexcept { release(memory); }
void operator delete[](void* memory, std::size_t) noexcept { release(memory); }

namespace tessera::platform::test {
namespace {

constexpr std::uint32_t kLaunches = 20;

// A process that launches kernels of so many TBs.
spec::Spec launches_of(std::uint32_t num_tbs) {
  spec::Spec spec = tiny_platform();
  add_process(spec, {kernel_of("kernel", num_tbs, 200)}, {loop(kLaunches, {launch(0)}), synchronise()});
  return spec;
}

// Two processes that preempt each other, copy and launch until each has had so many runs.
spec::Spec runs_of_two(std::uint32_t min_runs) {
  spec::Spec spec = tiny_platform();
  spec.scheduler.policy = spec::PolicyKind::kPpq;
  spec.stop.min_runs = min_runs;
  const auto program = [] {
    return std::vector<spec::HostStep>{copy_async(spec::CopyDirection::kToGpu, 4096), loop(kLaunches, {launch(0)}),
                                       copy(spec::CopyDirection::kToHost, 4096), synchronise()};
  };
  add_process(spec, {kernel_of("low", 100, 1000)}, program());
  add_process(spec, {kernel_of("high", 10, 300)}, program()).priority = 1;
  return spec;
}

struct Usage {
  std::uint64_t allocations = 0;
  std::uint64_t peak_bytes = 0;
  std::uint64_t tbs = 0;
  std::uint64_t preemptions = 0;
};

// Of a simulation in a process of its own.
Usage usage_of(const spec::Spec& spec) {
  const auto task = [&]() -> nlohmann::json {
    throw_on_systemc_reports();
    const Heap before = heap;
    heap.peak_bytes = heap.live_bytes;
    const record::RunResult result = simulate(spec, {}, never_interrupted);
    const Heap after = heap;
    std::uint64_t preemptions = 0;
    for (const auto& [technique, of_technique] : result.preemptions) preemptions += of_technique.latency.count;
    return {after.allocations - before.allocations, after.peak_bytes - before.live_bytes, result.tbs_completed,
            preemptions};
  };
  const auto answer = run_in_workers({task}, 1).front().get<std::vector<std::uint64_t>>();
  return {answer.at(0), answer.at(1), answer.at(2), answer.at(3)};
}

TEST(MemoryFlat, ThreadBlocksAreNeverAllocated) {
  const Usage few = usage_of(launches_of(100));
  const Usage many = usage_of(launches_of(10'000));
  EXPECT_EQ(few.tbs, 100U * kLaunches);
  EXPECT_EQ(many.tbs, 10'000U * kLaunches);
  // A buffer may find its size at another time; 198 000 TBs more add nothing.
  EXPECT_LT(many.allocations, few.allocations + kLaunches);
  // The invariants keep two bits for each TB of an active kernel.
  EXPECT_LT(many.peak_bytes, few.peak_bytes + 10'000);
}

TEST(MemoryFlat, AHundredTimesTheRunsFitTheSameMemory) {
  const std::uint32_t runs = 3;
  const Usage brief = usage_of(runs_of_two(runs));
  const Usage lasting = usage_of(runs_of_two(100 * runs));
  EXPECT_GT(lasting.preemptions, 50 * brief.preemptions);
  EXPECT_GT(brief.preemptions, 0U);
  // Less than a byte for every launch more: buffers that find their size late, nothing else.
  EXPECT_LT(lasting.peak_bytes, brief.peak_bytes + std::uint64_t{99} * runs * 2 * kLaunches);
}

}  // namespace
}  // namespace tessera::platform::test
