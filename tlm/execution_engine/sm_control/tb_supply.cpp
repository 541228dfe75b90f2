// SPDX-License-Identifier: Apache-2.0
// Thread blocks are sent to SMs, and handles come back.
#include "tlm/execution_engine/sm_control/tb_supply.h"

#include "model/spec/spec.h"

namespace tessera::tlm_model {

TbSupply::TbSupply(const spec::Spec& spec, policy::SchedulingTables& tables, const SmOwners& owners, SmArray& array,
                   record::InvariantMonitor* monitor)
    : spec_(spec),
      tables_(tables),
      array_(array),
      monitor_(monitor),
      turns_(spec::issue_rate(spec)),
      ptbqs_(spec.gpu.framework.num_ksrs, Ptbq(spec.gpu.num_sms * spec.gpu.max_tbs_per_sm)) {
  if (spec.contention.is_on()) contention_ = std::make_unique<Contention>(spec.contention, tables, owners, array);
}

TbSupply::FreshTb TbSupply::take_fresh(SmId id, KsrId ksr, Cycle start) {
  FreshTb taken;
  taken.duration = duration_of_next(array_.kernel(ksr), id);
  taken.tb = array_.send_next(ksr, start);
  tables_.add_resident(id);
  return taken;
}

TbHandle TbSupply::take_handle(SmId id, KsrId ksr) {
  const TbHandle handle = ptbqs_[index(ksr)].pop();
  policy::KsrEntry& entry = tables_.ksr(ksr);
  entry.preempted_tbs = ptbqs_[index(ksr)].size();
  if (entry.preempted_tbs == 0) array_.set_fresh_end(ksr, array_.kernel(ksr).tbs.total);
  tables_.add_resident(id);
  return handle;
}

// A flushed TB needs nothing and starts at once.
bool TbSupply::send_handle(SmId id, Place place, KsrId ksr, Cycle start) {
  const TbHandle handle = take_handle(id, ksr);
  if (!handle.is_flushed()) {
    array_.await_context(id, place, ksr, handle);
    return true;
  }
  array_.start_again(id, place, ksr, handle, start);
  return false;
}

void TbSupply::take_back(SmId id, std::uint64_t slots, Cycle now) {
  const KsrId ksr = array_.slot(id, lowest(slots)).kernel;
  Ptbq& ptbq = ptbqs_[index(ksr)];
  std::uint32_t left = num_slots(slots);
  array_.take_out(id, slots, now, [&](TbHandle handle) {
    handle.is_last_of_sm = --left == 0;
    ptbq.push(handle);
    tables_.remove_resident(id);
  });
  policy::KsrEntry& entry = tables_.ksr(ksr);
  entry.preempted_tbs = ptbq.size();
  tables_.touch(id);
  array_.set_fresh_end(ksr, 0);
  if (monitor_ != nullptr) monitor_->check_ptbq(ksr, ptbq.size(), spec_.gpu.num_sms * entry.tbs_per_sm);
}

}  // namespace tessera::tlm_model
