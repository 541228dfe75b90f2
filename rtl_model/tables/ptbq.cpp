// SPDX-License-Identifier: Apache-2.0
// PTBQ: its ports and its edge.
#include "rtl_model/tables/ptbq.h"

namespace tessera::rtl_model {

Ptbq::Ptbq(const sc_core::sc_module_name& name, const Params& params)
    : ClockedModule(name),
      depth_(params.ptbq_depth),
      memory_(std::size_t{params.num_ksrs} * params.ptbq_depth),
      head_q_(params.num_ksrs, Field32(bits_for_value(params.ptbq_depth - 1))),
      tail_q_(head_q_) {}

void Ptbq::push(std::uint32_t ksr, const TbHandle& handle) {
  pushed_ = ksr;
  pushed_handle_ = handle;
}

void Ptbq::seq() {
  // The read comes first: a word is not read in the cycle in which it is written.
  if (popped_ != kNone) {
    read_data_q_ = memory_[address(popped_, head_q_[popped_])];
    advance(head_q_[popped_]);
    popped_ = kNone;
  }
  if (pushed_ != kNone) {
    memory_[address(pushed_, tail_q_[pushed_])] = pushed_handle_;
    advance(tail_q_[pushed_]);
    pushed_ = kNone;
  }
}

void Ptbq::list_signals(ISignalSink& signals) const {
  signals.enter("u_ptbq");
  signals.signal("read_data_tb_q", 32, [this] { return read_data_q_.tb; });
  signals.signal("read_data_stack_pointer_q", 32, [this] { return read_data_q_.stack_pointer; });
  for (std::size_t i = 0; i < head_q_.size(); ++i) {
    signals.signal(indexed("head_q", i), head_q_[i].width(), [this, i] { return head_q_[i]; });
    signals.signal(indexed("tail_q", i), tail_q_[i].width(), [this, i] { return tail_q_[i]; });
  }
  signals.leave();
}

}  // namespace tessera::rtl_model
