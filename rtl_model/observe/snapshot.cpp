// SPDX-License-Identifier: Apache-2.0
// The core's registers as plain values (rtl_model/interfaces/core_snapshot.h).
#include "rtl_model/scheduler/tsr_scheduler.h"

namespace tessera::rtl_model {
namespace {

CommandSnapshot snapshot_of(const CommandBuffers::Row& row) {
  return {row.valid, row.context, row.priority, row.num_tbs, row.tbs_per_sm, row.descriptor};
}

KsrSnapshot snapshot_of(const KsrRow& row) {
  return {row.valid,     row.has_pool_token, row.descriptor, row.context,  row.priority,
          row.tokens,    row.tbs_per_sm,     row.remaining,  row.next_tb,  row.outstanding,
          row.preempted, row.promised,       row.owned,      row.reserved, row.covered};
}

SmSnapshot snapshot_of(const Smst& smst, const SmRow& row) {
  return {static_cast<std::uint32_t>(row.state), smst.has_owner(row) ? std::uint32_t{row.ksr} : kNone,
          smst.has_next(row) ? std::uint32_t{row.next} : kNone, row.running};
}

ContextSnapshot snapshot_of(const ContextTable::Row& row) {
  return {row.page_table, row.has_budget, row.budget, row.kernels, row.held, row.has_pool_token};
}

}  // namespace

void TsrScheduler::read_tables(CoreSnapshot& snapshot) {
  const CommandBuffers& commands = tables_.command_buffers;
  snapshot.command_buffers.resize(params_.num_command_buffers);
  for (std::uint32_t i = 0; i < params_.num_command_buffers; ++i) {
    snapshot.command_buffers[i] = snapshot_of(commands.row(i));
  }
  snapshot.command_ages.resize(commands.num_waiting());
  for (std::uint32_t i = 0; i < commands.num_waiting(); ++i) snapshot.command_ages[i] = commands.by_age(i);
  snapshot.last_buffer = commands.last();
  snapshot.active_queue.resize(tables_.active_queue.size());
  for (std::uint32_t i = 0; i < tables_.active_queue.size(); ++i) {
    snapshot.active_queue[i] = tables_.active_queue.at(i);
  }
  snapshot.ksrt.resize(params_.num_ksrs);
  for (std::uint32_t i = 0; i < params_.num_ksrs; ++i) snapshot.ksrt[i] = snapshot_of(tables_.ksrt.row(i));
  snapshot.smst.resize(params_.num_sms);
  for (std::uint32_t i = 0; i < params_.num_sms; ++i) {
    snapshot.smst[i] = snapshot_of(tables_.smst, tables_.smst.row(i));
  }
  snapshot.contexts.resize(params_.num_contexts);
  for (std::uint32_t i = 0; i < params_.num_contexts; ++i) {
    snapshot.contexts[i] = snapshot_of(tables_.context_table.row(i));
  }
  snapshot.pool = u_search_.pool();
  snapshot.policy = u_search_.policy();
  snapshot.is_policy_at_rest = u_search_.is_idle();
}

void TsrScheduler::read(CoreSnapshot& snapshot) {
  read_tables(snapshot);
  snapshot.ptbq.resize(params_.num_ksrs);
  for (std::uint32_t ksr = 0; ksr < params_.num_ksrs; ++ksr) {
    std::vector<std::uint64_t>& handles = snapshot.ptbq[ksr];
    handles.resize(tables_.ksrt.row(ksr).preempted);
    for (std::uint32_t i = 0; i < handles.size(); ++i) {
      const TbHandle handle = u_ptbq_.at(ksr, i);
      handles[i] = std::uint64_t{handle.tb} << 32 | handle.stack_pointer;
    }
  }
}

}  // namespace tessera::rtl_model
