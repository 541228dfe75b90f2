// SPDX-License-Identifier: Apache-2.0
// The active queue ([T14] 3.3): the KSRs of the kernels that run or are preempted, in the order in which they were
// activated. It closes up when a kernel leaves.
#pragma once

#include <vector>

#include "rtl_model/base/clocked_module.h"
#include "rtl_model/base/field.h"
#include "rtl_model/interfaces/pins.h"
#include "rtl_model/params.h"

namespace tessera::rtl_model {

class ActiveQueue final : public ClockedModule {
 public:
  ActiveQueue(const sc_core::sc_module_name& name, const Params& params)
      : ClockedModule(name),
        ids_q_(params.num_ksrs, Field32(params.ksr_width())),
        count_q_(bits_for_value(params.num_ksrs)) {}

  std::uint32_t size() const { return count_q_; }
  bool is_full() const { return count_q_ == ids_q_.size(); }
  std::uint32_t at(std::uint32_t position) const { return ids_q_[position]; }

  void push(std::uint32_t ksr) { pushed_ = ksr; }
  void remove(std::uint32_t ksr) { removed_ = ksr; }

  bool is_written() const { return pushed_ != kNone || removed_ != kNone; }

  void seq() override {
    if (removed_ != kNone) {
      bool is_behind = false;
      for (std::uint32_t i = 0; i + 1 < count_q_; ++i) {
        is_behind = is_behind || ids_q_[i] == removed_;
        if (is_behind) ids_q_[i] = ids_q_[i + 1];
      }
      count_q_.add(-1);
      removed_ = kNone;
    }
    if (pushed_ != kNone) {
      ids_q_[count_q_] = pushed_;
      count_q_.add(1);
      pushed_ = kNone;
    }
  }

  void list_signals(ISignalSink& signals) const override {
    signals.enter("u_active_queue");
    signals.signal("count_q", count_q_.width(), [this] { return count_q_; });
    for (std::size_t i = 0; i < ids_q_.size(); ++i) {
      signals.signal(indexed("ksr_q", i), ids_q_[i].width(), [this, i] { return ids_q_[i]; });
    }
    signals.leave();
  }

 private:
  std::vector<Field32> ids_q_;
  Field32 count_q_;
  std::uint32_t pushed_ = kNone;
  std::uint32_t removed_ = kNone;
};

}  // namespace tessera::rtl_model
