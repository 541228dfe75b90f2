// SPDX-License-Identifier: Apache-2.0
// Where an SM's next thread block comes from: a kernel's handles first, then fresh ones ([T14] 3.3, Figure 3). A
// limited number is sent per cycle (tbs_per_cycle, or tb_issue_mhz), in the order of the requests.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "model/policy/scheduling_tables.h"
#include "model/record/checks/invariant_monitor.h"
#include "model/spec/issue_rate.h"
#include "model/spec/spec_fwd.h"
#include "tlm/execution_engine/sm_array/sm_array.h"
#include "tlm/execution_engine/sm_control/contention.h"
#include "tlm/execution_engine/sm_control/ptbq.h"

namespace tessera::tlm_model {

class TbSupply {
 public:
  // `monitor` may be null.
  TbSupply(const spec::Spec& spec, policy::SchedulingTables& tables, const SmOwners& owners, SmArray& array,
           record::InvariantMonitor* monitor);

  // Claims the cycle, not before `earliest`, in which the next TB is sent.
  Cycle claim(Cycle earliest) { return turns_.claim(earliest); }
  // Duration of the kernel's next fresh TB on that SM, with the contention of the kernels that run now.
  Cycle duration_of_next(const KernelRun& kernel, SmId sm) {
    return contention_ == nullptr ? kernel.next_duration
                                  : contention_->stretched(kernel.next_duration, kernel.launch, sm);
  }
  bool has_contention() const { return contention_ != nullptr; }

  // Sends the next fresh TB to a free place.
  void send_fresh(SmId id, Place place, KsrId ksr, Cycle earliest);
  // Sends the next handle, in cycle `start`. True: its TB's context must be restored first.
  bool send_handle(SmId id, Place place, KsrId ksr, Cycle start);
  // What is sent, where it arrives later than it leaves: the next fresh TB, which starts in `start`, and how long it
  // takes; the next handle.
  struct FreshTb {
    std::uint32_t tb = 0;
    Cycle duration = 0;
  };
  FreshTb take_fresh(SmId id, KsrId ksr, Cycle start);
  TbHandle take_handle(SmId id, KsrId ksr);
  // Takes back TBs of one kernel that were dropped or saved: queues their handles and frees their slots.
  void take_back(SmId id, std::uint64_t slots, Cycle now);

  const Ptbq& ptbq(KsrId id) const { return ptbqs_[index(id)]; }

 private:
  const spec::Spec& spec_;
  policy::SchedulingTables& tables_;
  SmArray& array_;
  record::InvariantMonitor* monitor_;
  std::unique_ptr<Contention> contention_;  // null: kernels do not slow each other down
  spec::IssueTurns turns_;
  std::vector<Ptbq> ptbqs_;  // by KSR
};

inline void TbSupply::send_fresh(SmId id, Place place, KsrId ksr, Cycle earliest) {
  const Cycle start = claim(earliest);
  array_.start_fresh(id, place, ksr, start, duration_of_next(array_.kernel(ksr), id));
  tables_.add_resident(id);
}

}  // namespace tessera::tlm_model
