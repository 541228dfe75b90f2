// SPDX-License-Identifier: Apache-2.0
// The machine of the log, on a scheduler clock that is fast enough.
#include "platform/clocked/clocked_replay.h"

#include "model/spec/spec.h"
#include "platform/clocked/clocked_core.h"

namespace tessera::platform {

ClockedReplay replay_log_clocked(const workload::TbLog& log, const rtl_model::SchedulerFactory& make_scheduler) {
  spec::Spec machine = tlm_model::replay_machine(log);
  // 1. A search looks at all SMs at once: all of them are assigned within the SM cycle in which the kernel arrives.
  machine.scheduler.search_width = log.num_sms;
  // 2. In an SM cycle: activation and a decision per SM, or a TB for each SM and a completion for each slot.
  machine.scheduler.tbs_per_cycle = log.num_sms * (machine.gpu.max_tbs_per_sm + 3);
  ClockedReplay result;
  result.clock_ratio = machine.scheduler.tbs_per_cycle;
  result.replay = tlm_model::replay_log(log, machine, [&](const spec::Spec& spec, record::RecordLog& records) {
    return std::make_unique<ClockedCore>(spec, records, nullptr, make_scheduler);
  });
  return result;
}

}  // namespace tessera::platform
