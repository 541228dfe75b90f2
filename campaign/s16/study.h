// SPDX-License-Identifier: Apache-2.0
// Many requests: the benchmarks of [S16] Table 4.2 on a machine, each asked at many times for its SMs, under some
// settings of the scheduler.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "campaign/campaign.h"
#include "campaign/s16/probe.h"
#include "model/workload/kernel_model.h"
#include "stats/estimate.h"

namespace tessera::campaign::s16 {

// A kernel that is preempted.
struct Victim {
  std::string benchmark;
  spec::KernelSpec kernel;
  workload::TbTime time;
  Cycle alone = 0;    // how long one launch runs on the empty machine
  double weight = 0;  // its launches' share of the time in which the benchmark's kernels run
};

// What the settings are compared on.
struct Study {
  spec::Spec machine;  // two processes: of the victim and of the guest
  std::vector<Victim> victims;
  spec::KernelSpec guest;
  workload::TbTime guest_time;  // where it ends
  std::uint32_t probes = 0;     // of each victim

  std::vector<std::string> benchmarks() const;
};
using StudyPtr = std::shared_ptr<const Study>;

// Changes a benchmark's kernel before it is measured alone; may be empty.
using Change = std::function<void(std::size_t kernel, spec::KernelSpec&)>;

// The same of the kernel that preempts them.
using GuestChange = std::function<void(spec::KernelSpec&)>;

// The benchmarks of the campaign's file on its machine. On another one they have as many waves of thread blocks, which
// is a larger input, but `max_waves` (0: as many as they have); and the guest is one wave there too.
StudyPtr make_study(const spec::Spec& base, std::uint32_t probes, const Change& change = {},
                    std::uint32_t max_waves = 0, const GuestChange& change_guest = {});

// How SMs are preempted.
struct Setting {
  spec::TechniqueKind technique = spec::TechniqueKind::kChimera;
  spec::Estimator estimator = spec::Estimator::kFinishedMean;
  spec::SwitchPricing pricing = spec::SwitchPricing::kPerTb;
  Picoseconds limit = 0;
  bool escalates = false;
  bool guest_ends = false;  // after its own time, and not never

  bool operator==(const Setting& other) const;
};

struct Sample {
  StudyPtr study;
  Setting setting;
  std::vector<std::vector<Probe>> probes;  // by victim
};

// Samples in the order of their studies and settings, the same for any number of workers. Throws Interrupted.
void run_samples(std::vector<Sample>& samples, const Options& options, Effort& effort,
                 std::vector<std::string>& violations);

// What a request adds to a mean.
struct Addend {
  double sum = 0;
  double count = 0;
};
using Measure = std::function<Addend(const Probe&)>;

// Of one benchmark: its kernels count as long as they run; strata are kernels.
stats::Estimate of_benchmark(const Sample& sample, const std::string& benchmark, const Measure& measure);
// The mean of all benchmarks that have a value, or of some.
stats::Estimate average(const Sample& sample, const Measure& measure, std::vector<std::string> benchmarks = {});

// Per cent.
Measure late_sms(const spec::GpuSpec& gpu, Picoseconds limit);
Measure late_requests(const spec::GpuSpec& gpu, Picoseconds limit);
Measure late_places();
// [S16] 4.2: the deadline is the limit and the preempting kernel's own time, alone. Where the guest ends.
Measure late_completions(const spec::GpuSpec& gpu, Picoseconds limit);
Measure overhead();              // instructions wasted, over those that flushing the same victims wastes
Measure utilisation();           // of registers, from the request to the last place
Measure utilisation_before();    // with no preemption
Measure estimate_error();        // of draining, over what it took: the mean of ratios
Measure total_estimate_error();  // the ratio of sums
Measure share_of(preemption::Exit exit);

}  // namespace tessera::campaign::s16
