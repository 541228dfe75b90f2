// SPDX-License-Identifier: Apache-2.0
// The process of a module that has a clock.
#include "rtl_model/base/clocked_module.h"

namespace tessera::rtl_model {

void ClockedModule::end_of_elaboration() {
  if (clk_i.size() == 0) return;
  SC_HAS_PROCESS(ClockedModule);
  SC_METHOD(on_clock);
  sensitive << clk_i->posedge_event();
}

// The edge in a delta cycle of its own, then a delta cycle for each level. Cycle 0 has no edge before it.
void ClockedModule::on_clock() {
  const bool has_settled = next_work_ == work_.size();
  if (has_settled && clk_i->posedge()) {
    seq();
    next_work_ = 0;
    delta_ = 0;
  } else {
    while (next_work_ < work_.size() && work_[next_work_].first <= delta_) work_[next_work_++].second();
    ++delta_;
  }
  if (next_work_ < work_.size()) next_trigger(sc_core::SC_ZERO_TIME);
}

}  // namespace tessera::rtl_model
