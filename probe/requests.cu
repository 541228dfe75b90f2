// SPDX-License-Identifier: Apache-2.0
// Experiment: processes in closed loops: a request is so many queued kernels of 100 us, and a wait.
// Why: what throughput and latency come of slices and switches: rows that `tessera measured` compares. Unit: us,
// released and finished; columns as silicon/h200/requests_*.csv. Check: of two processes, neither gets less than 0.9 of
// the other.
#include <algorithm>

#include "common.h"
#include "kernels.h"
#include "processes.h"

namespace probe {
namespace {

constexpr double kKernelUs = 100;
constexpr std::size_t kMostRequests = 40'000;

struct Requests {
  std::size_t count;
  double released[kMostRequests], finished[kMostRequests];
};

void request(int num_kernels, double total_us, Requests& seen, Meeting& meeting) {
  const Card card = open_card();
  const unsigned iterations = iterations_for(card, kKernelUs);
  launch(work_kernel, card.num_sms(), 128, 0, nullptr, iterations, nullptr, nullptr);
  check(cudaDeviceSynchronize(), "work_kernel");
  meeting.wait();
  const double begin = now_us();
  for (seen.count = 0; now_us() - begin < total_us && seen.count < kMostRequests; ++seen.count) {
    seen.released[seen.count] = now_us() - begin;
    for (int i = 0; i < num_kernels; ++i) {
      launch(work_kernel, card.num_sms(), 128, 0, nullptr, iterations, nullptr, nullptr);
    }
    check(cudaDeviceSynchronize(), "work_kernel");
    seen.finished[seen.count] = now_us() - begin;
  }
}

}  // namespace

Doubts measure_requests(const std::string& folder) {
  struct Case {
    const char* name;
    int processes, kernels;
    double total_us;
  };
  constexpr Case kCases[] = {
      {"requests_alone.csv", 1, 60, 1.5e6}, {"requests_two.csv", 2, 60, 2e6}, {"requests_single.csv", 2, 1, 1e6}};
  Doubts doubts;
  for (const Case& one : kCases) {
    Requests* const seen = shared_array<Requests>(static_cast<std::size_t>(one.processes));
    Meeting meeting(one.processes);
    std::vector<std::function<void()>> processes;
    for (int p = 0; p < one.processes; ++p) {
      processes.push_back([&, p] { request(one.kernels, one.total_us, seen[p], meeting); });
    }
    if (!run_beside_each_other(processes)) {
      doubts.push_back(std::string(one.name) + ": a process failed");
      continue;
    }
    const Rows rows(folder, one.name, "process,request,released_us,finished_us");
    std::size_t least = kMostRequests, most = 0;
    for (int p = 0; p < one.processes; ++p) {
      least = std::min(least, seen[p].count);
      most = std::max(most, seen[p].count);
      for (std::size_t i = 0; i < seen[p].count; ++i) {
        std::fprintf(rows.file(), "%d,%zu,%.2f,%.2f\n", p, i, seen[p].released[i], seen[p].finished[i]);
      }
    }
    if (least * 10 < most * 9) doubts.push_back(std::string(one.name) + ": the processes do not get the same");
  }
  return doubts;
}

}  // namespace probe
