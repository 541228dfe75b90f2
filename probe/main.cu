// SPDX-License-Identifier: Apache-2.0
// The probe: each experiment in a process of its own, one after another, into a folder of CSV files.
#include <cstdio>
#include <string>

#include "common.h"
#include "processes.h"

namespace {

struct Experiment {
  const char* name;
  probe::Doubts (*measure)(const std::string& folder);
  bool forks;  // opens the device only in processes of its own
};
constexpr Experiment kExperiments[] = {
    {"card", probe::measure_card, false},         {"launch", probe::measure_launch, false},
    {"dispatch", probe::measure_dispatch, false}, {"turnaround", probe::measure_turnaround, false},
    {"slices", probe::measure_slices, true},      {"arrivals", probe::measure_arrivals, true},
    {"requests", probe::measure_requests, true},
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: %s FOLDER\n", argv[0]);
    return 2;
  }
  const std::string folder = argv[1];
  for (const Experiment& experiment : kExperiments) {
    const double begin = probe::now_us();
    std::fprintf(stderr, "tessera: probe: %s", experiment.name);
    const auto measure = [&] {
      for (const std::string& doubt : experiment.measure(folder)) {
        std::fprintf(stderr, "\ntessera: probe: doubtful: %s", doubt.c_str());
      }
    };
    bool is_done = true;
    if (experiment.forks) {
      measure();
    } else {
      is_done = probe::run_in_a_process(measure);
    }
    std::fprintf(stderr, " (%.1f s)\n", (probe::now_us() - begin) / 1e6);
    if (!is_done) return 3;
  }
  return 0;
}
