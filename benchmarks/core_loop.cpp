// SPDX-License-Identifier: Apache-2.0
// Compiled twice: as it is, and with without_tb_records.h in front.
#include "core_loop.h"

#include "measurement.h"
#include "model/record/metrics/metrics.h"
#include "model/spec/spec.h"
#include "model/workload/kernel_times.h"
#include "tlm/execution_engine/execution_core.h"

namespace tessera::tlm_model::bench {

double run_one_kernel(const spec::Spec& spec) {
  const spec::KernelSpec& kernel = spec.applications.front().kernels.front();
  record::MetricsSink metrics(1);
  record::RecordLog log;
  log.add_sink(&metrics);
  ExecutionCore core(spec, log, nullptr);
  KernelLaunch launch;
  launch.num_tbs = kernel.num_tbs;
  launch.regs_per_tb = kernel.regs_per_tb;
  launch.threads_per_tb = kernel.threads_per_tb;
  launch.durations = workload::TbDurations(workload::tb_time(spec, kernel), workload::launch_key(1, 0, 0, 0));
  core.send({0, 0, launch});
  const double start = tessera::bench::cpu_seconds();
  while (core.next_event() != kNever) core.run_until(kNever);
  return tessera::bench::cpu_seconds() - start;
}

}  // namespace tessera::tlm_model::bench
