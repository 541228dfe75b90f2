// SPDX-License-Identifier: Apache-2.0
// Experiment: two equal contexts, each an endless kernel that notes when it did not run.
// Why: length of a slice and cost of a switch over what is resident: gpu_switch of the GPU file. Unit: us, medians over
// the slices; columns as silicon/h200/slices.csv. Check: at least ten slices a context, period = run + nobody within 5
// us, and all SMs stop within 2 us.
#include <algorithm>
#include <cmath>

#include "common.h"
#include "kernels.h"
#include "processes.h"

namespace probe {
namespace {

constexpr int kContexts = 2;
constexpr int kMostGaps = 256;
constexpr u64 kGapNs = 4000;            // what a warp does not see of the clock for so long, it did not run
constexpr double kSameGapNs = 200'000;  // stops of all SMs lie closer, slices far wider apart
constexpr double kMilliseconds = 120;

struct Gap {
  u64 stop_ns, start_ns;
};
struct Notes {  // of a thread block
  u64 num_gaps;
  Gap gaps[kMostGaps];
};

struct Load {
  const char* name;
  int sms;  // 0: all
  int blocks_per_sm, threads, smem_kib;
  bool is_large;  // the kernel of some 64 registers
};
constexpr Load kLoads[] = {
    {"11", 1, 1, 32, 0, false},       {"tt", 0, 1, 32, 0, false},          {"rr", 0, 2, 1024, 0, false},
    {"ss", 0, 1, 32, 226, false},     {"r16k", 0, 1, 128, 0, false},       {"r64k", 0, 1, 512, 0, false},
    {"r128k", 0, 1, 1024, 0, false},  {"m56", 0, 1, 1024, 56, false},      {"m112", 0, 1, 1024, 112, false},
    {"m226", 0, 1, 1024, 226, false}, {"m226t128", 0, 1, 128, 226, false}, {"m226t512", 0, 1, 512, 226, false},
    {"f1", 1, 1, 1024, 226, true},    {"f16", 16, 1, 1024, 226, true},     {"f66", 66, 1, 1024, 226, true},
    {"f132", 0, 1, 1024, 226, true},
};

// The first warp watches the clock; the others only hold their registers.
template <int kValues>
__device__ void watch(u64 duration_ns, Notes* notes, float* sink) {
  __shared__ volatile int is_over;
  if (threadIdx.x == 0) is_over = 0;
  __syncthreads();
  float values[kValues];
#pragma unroll
  for (int i = 0; i < kValues; ++i) values[i] = static_cast<float>(i * threadIdx.x + blockIdx.x);
  const auto compute = [&] {
#pragma unroll
    for (int i = 0; i < kValues; ++i) values[i] = values[i] * 1.0001F + 0.5F;
  };
  if (threadIdx.x < 32) {
    Notes& mine = notes[blockIdx.x];
    const u64 begin = __shfl_sync(~0U, global_ns(), 0);
    u64 last = begin, num_gaps = 0;
    while (last - begin < duration_ns) {
      compute();
      u64 now = __shfl_sync(~0U, global_ns(), 0);
      if (now - last > kGapNs) {
        if (threadIdx.x == 0 && num_gaps < kMostGaps) mine.gaps[num_gaps] = {last, now};
        ++num_gaps;
        now = __shfl_sync(~0U, global_ns(), 0);  // the note itself took time
      }
      last = now;
    }
    if (threadIdx.x == 0) {
      mine.num_gaps = num_gaps < kMostGaps ? num_gaps : kMostGaps;
      is_over = 1;
    }
  } else {
    while (is_over == 0) compute();
  }
  float sum = 0;
#pragma unroll
  for (int i = 0; i < kValues; ++i) sum += values[i];
  if (sum == 123.456F) *sink = sum;
}
__global__ void __launch_bounds__(1024, 2) small_watch(u64 duration_ns, Notes* notes, float* sink) {
  watch<8>(duration_ns, notes, sink);
}
__global__ void __launch_bounds__(1024, 1) large_watch(u64 duration_ns, Notes* notes, float* sink) {
  watch<36>(duration_ns, notes, sink);
}

// A stretch in which a context ran: its thread blocks' starts, and their stops.
struct Slice {
  int context = 0;
  std::vector<double> starts, stops;  // us
  double first_start() const { return quantile(starts, 0); }
  double last_stop() const { return quantile(stops, 1); }
};

// Slices of a context: what lies between two gaps that all of its thread blocks saw.
std::vector<Slice> slices_of(int context, const Notes* notes, int blocks) {
  std::vector<Slice> slices;
  const Notes& first = notes[0];
  for (u64 k = 0; k + 1 < first.num_gaps; ++k) {
    Slice slice;
    slice.context = context;
    for (int block = 0; block < blocks; ++block) {
      const Notes& of = notes[block];
      for (u64 i = 0; i + 1 < of.num_gaps; ++i) {
        const double off = static_cast<double>(of.gaps[i].stop_ns) - static_cast<double>(first.gaps[k].stop_ns);
        if (std::abs(off) > kSameGapNs) continue;
        slice.starts.push_back(static_cast<double>(of.gaps[i].start_ns) / 1e3);
        slice.stops.push_back(static_cast<double>(of.gaps[i + 1].stop_ns) / 1e3);
        break;
      }
    }
    if (static_cast<int>(slice.starts.size()) == blocks) slices.push_back(slice);
  }
  return slices;
}

Doubts write_row(const Rows& rows, const Load& load, int sms, int registers, std::vector<Slice> slices) {
  std::sort(slices.begin(), slices.end(),
            [](const Slice& a, const Slice& b) { return a.first_start() < b.first_start(); });
  std::vector<double> period, run, run_median, nobody, nobody_median, starts, stops;
  for (std::size_t i = 0; i < slices.size(); ++i) {
    const Slice& slice = slices[i];
    const double median = quantile(slice.starts, 0.5);
    run.push_back(slice.last_stop() - slice.first_start());
    run_median.push_back(slice.last_stop() - median);
    starts.push_back(quantile(slice.starts, 1) - slice.first_start());
    stops.push_back(slice.last_stop() - quantile(slice.stops, 0));
    if (i + 1 == slices.size() || slices[i + 1].context == slice.context) continue;
    period.push_back(slices[i + 1].first_start() - slice.first_start());
    nobody.push_back(slices[i + 1].first_start() - slice.last_stop());
    nobody_median.push_back(quantile(slices[i + 1].starts, 0.5) - slice.last_stop());
  }
  std::fprintf(rows.file(), "%s,%d,%d,%d,%d,%d,%d,%.1f,%.1f,%.1f,%.1f,%.1f,%.1f,%.1f,%.1f,%.1f,%zu\n", load.name,
               kContexts, sms, load.blocks_per_sm, load.threads, load.smem_kib, registers, quantile(period, 0.5),
               quantile(run, 0.5), quantile(run_median, 0.5), quantile(nobody, 0.5), quantile(nobody_median, 0.5),
               quantile(nobody, 0), quantile(nobody, 1), quantile(starts, 0.5), quantile(stops, 0.5), slices.size());
  const std::string name = std::string("slices of ") + load.name + ": ";
  Doubts doubts;
  if (slices.size() < 10 * kContexts) return {name + "too few were seen: do the contexts share by time here?"};
  if (std::abs(quantile(period, 0.5) - quantile(run, 0.5) - quantile(nobody, 0.5)) > 5) {
    doubts.push_back(name + "period is not run and nobody");
  }
  if (quantile(stops, 0.5) > 2) doubts.push_back(name + "SMs do not stop together");
  return doubts;
}

}  // namespace

Doubts measure_slices(const std::string& folder) {
  constexpr int kMostBlocks = 2 * 512;
  Notes* const notes = shared_array<Notes>(std::size_t{kContexts} * kMostBlocks);
  int* const about = shared_array<int>(2 + std::size(kLoads));  // SMs, KiB an SM, registers by load; 0: left out
  Meeting meeting(kContexts + 1);
  const auto context = [&](int number) {
    const Card card = open_card();
    about[0] = card.num_sms();
    about[1] = static_cast<int>(card.properties.sharedMemPerBlockOptin / 1024);
    const auto kernels = {small_watch, large_watch};
    for (const auto kernel : kernels) allow_all_shared_memory(reinterpret_cast<const void*>(kernel));
    Notes* const seen = device_array<Notes>(kMostBlocks);
    float* const sink = device_array<float>(1);
    for (std::size_t i = 0; i < std::size(kLoads); ++i) {
      const Load& load = kLoads[i];
      const auto kernel = load.is_large ? large_watch : small_watch;
      cudaFuncAttributes attributes{};
      check(cudaFuncGetAttributes(&attributes, reinterpret_cast<const void*>(kernel)), "cudaFuncGetAttributes");
      const int sms = load.sms == 0 ? card.num_sms() : load.sms;
      const int blocks = sms * load.blocks_per_sm;
      const bool fits = sms <= card.num_sms() && blocks <= kMostBlocks && load.smem_kib < about[1] &&
                        load.blocks_per_sm * load.threads <= card.properties.maxThreadsPerMultiProcessor;
      about[2 + i] = fits ? (attributes.numRegs + 7) / 8 * 8 : 0;  // allocated by eights
      meeting.wait();
      if (fits) {
        launch(kernel, blocks, load.threads, static_cast<std::size_t>(load.smem_kib) * 1024, nullptr,
               static_cast<u64>(kMilliseconds * 1e6), seen, sink);
        check(cudaDeviceSynchronize(), "watch");
        check(cudaMemcpy(notes + number * kMostBlocks, seen, static_cast<std::size_t>(blocks) * sizeof(Notes),
                         cudaMemcpyDeviceToHost),
              "cudaMemcpy");
      }
      meeting.wait();
      meeting.wait();  // the rows of this load are written
    }
  };
  Doubts doubts;
  const auto writer = [&] {
    const Rows rows(folder, "slices.csv",
                    "name,contexts,sms,blocks_per_sm,threads,smem_kib,registers,period_us,run_first_sm_us,"
                    "run_median_sm_us,none_runs_first_sm_us,none_runs_median_sm_us,none_runs_min_us,none_runs_max_us,"
                    "spread_of_starts_us,spread_of_stops_us,slices");
    for (std::size_t i = 0; i < std::size(kLoads); ++i) {
      meeting.wait();
      meeting.wait();
      const int sms = kLoads[i].sms == 0 ? about[0] : kLoads[i].sms;
      if (about[2 + i] > 0) {
        std::vector<Slice> slices;
        for (int c = 0; c < kContexts; ++c) {
          const std::vector<Slice> of = slices_of(c, notes + c * kMostBlocks, sms * kLoads[i].blocks_per_sm);
          slices.insert(slices.end(), of.begin(), of.end());
        }
        for (const std::string& doubt : write_row(rows, kLoads[i], sms, about[2 + i], slices)) {
          std::fprintf(stderr, "tessera: probe: doubtful: %s\n", doubt.c_str());
        }
      }
      meeting.wait();
    }
  };
  if (!run_beside_each_other({[&] { context(0); }, [&] { context(1); }, writer})) {
    doubts.push_back("slices: a process failed");
  }
  return doubts;
}

}  // namespace probe
