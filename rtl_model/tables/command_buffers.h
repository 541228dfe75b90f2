// SPDX-License-Identifier: Apache-2.0
// Command buffers ([T14] 3.3): a kernel launch each, waiting to enter the active queue; and the order in which they
// arrived.
#pragma once

#include <utility>
#include <vector>

#include "rtl_model/base/clocked_module.h"
#include "rtl_model/base/field.h"
#include "rtl_model/interfaces/pins.h"
#include "rtl_model/params.h"

namespace tessera::rtl_model {

// How a policy chooses among the waiting commands.
enum class CommandOrder : std::uint8_t {
  kArrival,         // first come
  kPriority,        // highest priority, then first come
  kPriorityInTurn,  // highest priority, then round robin over the buffers
  kInTurn,          // round robin over the buffers
};

class CommandBuffers final : public ClockedModule {
 public:
  CommandBuffers(const sc_core::sc_module_name& name, const Params& params);

  struct Row {
    bool valid = false;
    Field32 context, priority, num_tbs, tbs_per_sm;
    Field64 descriptor;
  };

  // Read ports.
  const Row& row(std::uint32_t buffer) const { return rows_q_[buffer]; }
  const SmSet& free() const { return free_q_; }
  bool any_waiting() const { return count_q_ != 0; }
  std::uint32_t num_waiting() const { return count_q_; }
  std::uint32_t by_age(std::uint32_t position) const { return age_q_[position]; }  // of those that wait; 0: the oldest
  std::uint32_t last() const { return last_q_; }
  // The buffer whose turn it is; kNone without a waiting command. One level of priority encoders over all buffers.
  std::uint32_t select(CommandOrder order) const;

  // Write ports, a use each in a cycle.
  void accept(const CommandPins& command) { accept_ = command; }
  void retire(std::uint32_t buffer) { retired_ = buffer; }  // its command has entered the active queue
  void set_priority(std::uint32_t context, std::uint32_t priority);

  void seq() override;
  bool is_written() const { return accept_.valid || retired_ != kNone || writes_priority_; }
  bool take_changed() { return std::exchange(has_changed_, false); }  // edges since the last call changed free()
  void list_signals(ISignalSink& signals) const override;

 private:
  std::uint32_t next_in_turn(bool any_priority, std::uint32_t priority) const;

  std::vector<Row> rows_q_;
  SmSet free_q_;                // a bit per buffer
  std::vector<Field32> age_q_;  // buffers in order of arrival; the first count_q_ count
  Field32 count_q_;
  Field32 last_q_;  // activated last: the turn passes to the one behind

  bool has_changed_ = true;
  CommandPins accept_;
  std::uint32_t retired_ = kNone;
  bool writes_priority_ = false;
  std::uint32_t written_context_ = 0;
  std::uint32_t written_priority_ = 0;
};

}  // namespace tessera::rtl_model
