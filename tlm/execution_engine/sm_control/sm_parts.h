// SPDX-License-Identifier: Apache-2.0
// The parts that every SM driver is made of, independent of its timing and of how thread blocks leave.
#pragma once

#include "tlm/execution_engine/sm_array/sm_array.h"
#include "tlm/execution_engine/sm_control/sm_owners.h"
#include "tlm/execution_engine/sm_control/tb_supply.h"

namespace tessera::tlm_model {

struct SmParts {
  // `sm_timers` has a leaf per SM, numbered by its id. `invariants` may be null; `context_bytes` is null when no bytes
  // are moved. All of them must outlive this object.
  SmParts(const spec::Spec& spec_of_machine, policy::SchedulingTables& scheduling_tables, EventTree& sm_timers,
          record::RecordLog& record_log, record::InvariantMonitor* invariants, PagedMemory* context_bytes)
      : spec(spec_of_machine),
        tables(scheduling_tables),
        timers(sm_timers),
        log(record_log),
        monitor(invariants),
        array(spec, log, monitor, context_bytes),
        owners(spec, tables, array, log),
        supply(spec, tables, owners, array, monitor) {}

  const spec::Spec& spec;
  policy::SchedulingTables& tables;
  EventTree& timers;
  record::RecordLog& log;
  record::InvariantMonitor* monitor;
  SmArray array;
  SmOwners owners;
  TbSupply supply;
};

}  // namespace tessera::tlm_model
