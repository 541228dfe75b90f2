// SPDX-License-Identifier: Apache-2.0
// SCAN: selects the command to activate (docs/hardware/timing.md 5.5). One buffer is read per cycle and compared in the
// next.
#pragma once

#include "rtl_model/policy/policy_table.h"
#include "rtl_model/policy/urgency.h"
#include "rtl_model/tables/tables.h"

namespace tessera::rtl_model {

class CommandScan {
 public:
  CommandScan(const CoreParams& params, const Tables& tables)
      : tables_(tables), num_buffers_(params.num_command_buffers), num_contexts_(params.num_contexts) {}

  void start() {
    cycle_ = 0;
    passing_ = best_ = {};
  }
  // A cycle of SCAN, except the last. `turn`: the context in turn.
  void step(const PolicyRow& policy, std::uint32_t turn);
  bool is_last_cycle() const { return cycle_ == num_buffers_ + 1; }
  // The result, in the last cycle. kNone: no command may be activated.
  std::uint32_t outcome(const PolicyRow& policy) const;

 private:
  struct Command {
    std::uint32_t buffer = kNone;
    std::uint32_t context = 0;
    std::uint32_t priority = 0;
    Urgency urgency;
    std::uint32_t distance = 0;  // of its context from the one in turn
  };
  Command command_that_passes(Entry entry, std::uint32_t turn) const;
  static bool has_higher_key(Key key, const Command& command, const Command& than);

  const Tables& tables_;
  std::uint32_t num_buffers_;
  std::uint32_t num_contexts_;
  std::uint32_t cycle_ = 0;
  Command passing_, best_;
  std::uint32_t engine_context_ = kNone;  // context of the active queue's first entry, one cycle ago
};

}  // namespace tessera::rtl_model
