// SPDX-License-Identifier: Apache-2.0
// Experiment: a kernel of one thread block arrives at random beside a context that is busy in one of four ways.
// Why: who keeps the GPU through which gaps, and when a slice is renewed: rows that `tessera measured` compares. Unit:
// us from the call to the first instruction, and to the return of a wait; columns as silicon/h200/arrival_*.csv. Check:
// none of them is earlier than the earliest one beside nothing.
#include <unistd.h>

#include <random>

#include "common.h"
#include "kernels.h"
#include "processes.h"

namespace probe {
namespace {

constexpr int kArrivals = 400;
constexpr double kBusyUs = 1.6e6;
constexpr int kShortestPauseUs = 200, kLongestPauseUs = 6000;
enum class Beside { kNothing, kOneEndlessKernel, kQueue, kLoop };

// Until the other process has seen enough.
void be_busy(Beside beside, Meeting& meeting) {
  const Card card = open_card();
  const unsigned iterations = iterations_for(card, 100);
  meeting.wait();
  if (beside == Beside::kOneEndlessKernel) {
    launch(hold_kernel, card.num_sms(), 1024, 0, nullptr, static_cast<u64>(kBusyUs * 1e3));
  }
  const double begin = now_us();
  while (beside != Beside::kOneEndlessKernel && now_us() - begin < kBusyUs) {
    launch(work_kernel, card.num_sms(), 128, 0, nullptr, iterations, nullptr, nullptr);
    if (beside == Beside::kLoop) check(cudaDeviceSynchronize(), "work_kernel");
  }
  check(cudaDeviceSynchronize(), "work_kernel");
}

void arrive(Beside beside, const std::string& folder, const char* name, Meeting& meeting) {
  open_card();
  volatile u64* const flag = host_flag();
  for (int i = 0; i < 20; ++i) {
    launch(flag_kernel, 1, 32, 0, nullptr, flag);
    check(cudaDeviceSynchronize(), "flag_kernel");
  }
  if (beside != Beside::kNothing) meeting.wait();
  usleep(20'000);
  const Rows rows(folder, name, "rep,to_first_block_us,to_sync_us");
  std::mt19937 random(2);
  std::uniform_int_distribution<int> pause(kShortestPauseUs, kLongestPauseUs);
  const double begin = now_us();
  for (int i = 0; i < kArrivals && now_us() - begin < kBusyUs - 100'000; ++i) {
    usleep(static_cast<useconds_t>(pause(random)));
    flag[0] = 0;
    const double called = now_us();
    launch(flag_kernel, 1, 32, 0, nullptr, flag);
    while (flag[0] == 0 && now_us() - called < 1e6) {
    }
    const double ran = now_us();
    check(cudaDeviceSynchronize(), "flag_kernel");
    std::fprintf(rows.file(), "%d,%.2f,%.2f\n", i, ran - called, now_us() - called);
  }
}

}  // namespace

Doubts measure_arrivals(const std::string& folder) {
  struct Case {
    Beside beside;
    const char* name;
  };
  constexpr Case kCases[] = {{Beside::kNothing, "arrival_idle.csv"},
                             {Beside::kOneEndlessKernel, "arrival_one_endless_kernel.csv"},
                             {Beside::kQueue, "arrival_queue_of_100us.csv"},
                             {Beside::kLoop, "arrival_loop_of_100us.csv"}};
  Doubts doubts;
  for (const Case& one : kCases) {
    Meeting meeting(2);
    std::vector<std::function<void()>> processes = {[&] { arrive(one.beside, folder, one.name, meeting); }};
    if (one.beside != Beside::kNothing) processes.push_back([&] { be_busy(one.beside, meeting); });
    if (!run_beside_each_other(processes)) doubts.push_back(std::string(one.name) + ": a process failed");
  }
  return doubts;
}

}  // namespace probe
