// SPDX-License-Identifier: Apache-2.0
// How well an imported application, alone on its GPU, does what was recorded.
#pragma once

#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "importer/host_program.h"
#include "importer/kernel_groups.h"
#include "importer/workload.h"
#include "model/spec/spec.h"

namespace tessera::importer {

// Of one simulated run: the times of each kernel's launches, in the order in which they arrived at the engine, and
// from the first GPU operation to the end of the last.
struct SimulatedRun {
  std::vector<std::vector<double>> kernel_ns;  // by kernel of the application
  double span_ns = 0;
  bool is_complete = false;
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(SimulatedRun, kernel_ns, span_ns, is_complete)

// As a profiler sees it: from when the engine turns to a kernel, waiting for SMs that others have not counted, to its
// last thread block. In a worker process; `spec` has one process. Throws std::runtime_error when the simulation fails.
SimulatedRun simulate_alone(const spec::Spec& spec, const std::function<bool()>& is_interrupted);

struct KernelFidelity {
  std::string name;
  std::uint64_t launches = 0;
  double recorded_us = 0;  // mean
  double simulated_us = 0;
  double worst_error = 0;  // of a launch, where every launch stands by itself; else of the mean
  std::uint64_t num_overlapped = 0;
  std::uint64_t num_beyond = 0;  // launches off by more than kMaxKernelError (exact); 1 or 0 otherwise

  double error() const { return recorded_us > 0 ? simulated_us / recorded_us - 1 : 0; }
};

// What the span becomes shorter by when a cause is removed by itself and the application simulated again
// (span_reasons.h).
struct SpanReason {
  std::string name;
  std::string text;
  double moves_us = 0;
};

struct Fidelity {
  std::vector<KernelFidelity> kernels;  // those of no recorded duration left out
  double recorded_span_us = 0;
  double simulated_span_us = 0;
  double recorded_busy_us = 0;      // at least one operation ran
  double recorded_overlap_us = 0;   // work beside other work: what all operations took, less what the GPU was busy
  std::vector<SpanReason> reasons;  // where the spans differ by more than kNoticeableSpanError

  double span_error() const { return recorded_span_us > 0 ? simulated_span_us / recorded_span_us - 1 : 0; }
};
inline constexpr double kMaxKernelError = 0.01;
inline constexpr double kMaxSpanError = 0.05;
inline constexpr double kNoticeableSpanError = 0.01;

Fidelity compare(const Profile& profile, const Workload& workload, const KernelGroups& groups,
                 const HostProgram& program, const SimulatedRun& run, bool is_exact);

// Kernels that shared the machine with others when they were recorded take other times alone: what they need to take
// alone so that they take the recorded time in their company. False: nothing is left to be changed.
bool fit_to_company(const KernelGroups& recorded, const SimulatedRun& run, bool is_exact, KernelGroups& groups,
                    HostProgram& program);

// Factors of the launches of a program of which every launch is to take its recorded time.
void set_exact_factors(const spec::Spec& spec, KernelGroups& groups, HostProgram& program);

}  // namespace tessera::importer
