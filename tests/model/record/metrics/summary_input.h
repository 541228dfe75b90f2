// SPDX-License-Identifier: Apache-2.0
// The results from which the tests of the summary and of its schema start.
#pragma once

#include "model/record/metrics/metrics.h"
#include "model/record/metrics/summary.h"
#include "tests/model/record/support.h"

namespace tessera::record::test {

// Two processes of three runs; alone they take 1000 and 4000 cycles, together 2000 and 5000 on average.
inline SummaryInput two_processes() {
  MetricsSink metrics(2);
  feed(metrics, sound_log(), kSoundLogEnd);
  SummaryInput input;
  input.tessera_version = "1.2.3";
  input.abstraction = "tlm";
  input.engine = "serialised";
  input.spec = {{"seed", 7}, {"gpu", {{"num_sms", 2}}}};
  input.processes = {{"interactive", "spmv", 1, false, {1, 1000}, {}}, {"batch", "lbm", 0, false, {2, 8000}, {}}};
  input.clock_hz = 2'000'000;  // two cycles a microsecond
  input.num_sms = 2;
  input.shared = metrics.result();
  input.shared.complete = true;
  input.shared.stop_reason = "min_runs";
  input.shared.invariants = {{"tokens", "ok"}};
  input.shared.processes = {{3, 6000}, {3, 15000}};
  return input;
}

}  // namespace tessera::record::test
