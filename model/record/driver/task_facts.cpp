// SPDX-License-Identifier: Apache-2.0
#include "model/record/driver/task_facts.h"

#include "model/spec/spec.h"

namespace tessera::record {

TaskFacts make_task_facts(const spec::Spec& spec) {
  TaskFacts facts;
  facts.has_run_list = spec.driver.kind == spec::DriverKind::kGcaps;
  if (spec.driver.kind != spec::DriverKind::kXsched && !facts.has_run_list) return facts;
  facts.has_weights = !facts.has_run_list && spec.driver.xsched.has_weights();
  facts.has_outsider = !facts.has_run_list && spec.driver.xsched.suspensions.has_value();
  for (std::size_t i = 0; i < spec.processes.size(); ++i) {
    TaskFacts::Task& task = facts.tasks.emplace_back();
    task.priority = spec.processes[i].priority;
    if (facts.has_run_list) continue;
    const spec::XschedTaskSpec xsched = spec.driver.xsched.task(i);
    task.threshold = xsched.threshold;
    task.batch = xsched.batch;
    task.level = xsched.level;
  }
  return facts;
}

}  // namespace tessera::record
