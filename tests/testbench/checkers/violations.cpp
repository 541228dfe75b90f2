// SPDX-License-Identifier: Apache-2.0
// One way or more to break each rule.
#include "violations.h"

#include <algorithm>
#include <utility>

#include "pins.h"

namespace {

using Sms = std::vector<Sm>;

enum Kind { kTbDone, kSetUpDone, kRestoreDone, kPreempted, kReserved };

void silence(Vtsr_scheduler& top) {
  top.command_valid_i = top.control_valid_i = top.sm_event_valid_i = top.handle_valid_i = 0;
}

bool command(Vtsr_scheduler& top, bool to_free, int context, int num_tbs, int tbs_per_sm) {
  for (int buffer = 0; buffer < NUM_COMMAND_BUFFERS; ++buffer) {
    if (get_bit(top.buffer_free_o, buffer) != to_free) continue;
    silence(top);
    top.command_valid_i = 1;
    top.command_buffer_i = buffer;
    if (context < NUM_CONTEXTS) top.waiting_i |= 1U << context;
    top.command_context_i = context;
    top.command_num_tbs_i = num_tbs;
    top.command_tbs_per_sm_i = tbs_per_sm;
    return true;
  }
  return false;
}

void control(Vtsr_scheduler& top, int reg, int context, unsigned data) {
  silence(top);
  top.control_valid_i = 1;
  top.control_reg_i = reg;
  top.control_context_i = context;
  top.control_data_i = data;
}
bool control_of_nobody(Vtsr_scheduler& top, int reg) { return control(top, reg, NUM_CONTEXTS, 1), true; }
bool control_that_waits(Vtsr_scheduler& top) { return !top.control_ready_o && (control(top, 1, 0, 1), true); }

bool event(Vtsr_scheduler& top, std::size_t sm, Kind kind) {
  silence(top);
  top.sm_event_valid_i = 1;
  top.sm_event_sm_i = sm;
  top.sm_event_kind_i = kind;
  return true;
}

bool handle(Vtsr_scheduler& top, std::size_t sm) {
  silence(top);
  top.handle_valid_i = 1;
  top.handle_sm_i = sm;
  return true;
}

// An event or a handle of the first SM for which `is_wrong` holds.
template <typename IsWrong>
bool event_where(Vtsr_scheduler& top, const Sms& sms, Kind kind, IsWrong is_wrong) {
  const auto sm = std::find_if(sms.begin(), sms.end(), is_wrong);
  return sm != sms.end() && event(top, sm - sms.begin(), kind);
}
template <typename IsWrong>
bool handle_where(Vtsr_scheduler& top, const Sms& sms, IsWrong is_wrong) {
  const auto sm = std::find_if(sms.begin(), sms.end(), is_wrong);
  return sm != sms.end() && handle(top, sm - sms.begin());
}

bool has_begun_save(const Sm& sm) { return sm.phase == Phase::kSave && sm.handles_out > 0; }
bool any_save_has_begun(const Sms& sms) { return std::any_of(sms.begin(), sms.end(), has_begun_save); }
bool gives_last_handle(const Sm& sm) { return has_begun_save(sm) && sm.handles_out + 1 == sm.slots.size(); }
bool was_saved(const Sm& sm) { return sm.phase == Phase::kSaved && sm.handles_out > 0; }
bool is_stopped(const Sm& sm) {
  return (sm.phase == Phase::kSave || sm.phase == Phase::kFreeze) && sm.handles_out == 0 && !sm.slots.empty();
}

// An event together with a handle that would be right without it.
template <typename IsWrong>
bool event_with_handle(Vtsr_scheduler& top, const Sms& sms, Kind kind, IsWrong is_wrong) {
  const auto sm = std::find_if(sms.begin(), sms.end(), is_wrong);
  if (sm == sms.end()) return false;
  event(top, sm - sms.begin(), kind);
  top.handle_valid_i = 1;
  top.handle_sm_i = sm - sms.begin();
  return true;
}

}  // namespace

const std::vector<Violation>& strap_violations() {
  static const std::vector<Violation> kAll{
      {"assume_policy_is_present", "a reserved code",
       [](Vtsr_scheduler& top, const Sms&) { return top.strap_policy_i |= 15, true; }},
      {"assume_activation_takes_cycles", "none",
       [](Vtsr_scheduler& top, const Sms&) { return top.strap_activation_cycles_i = 0, true; }},
      {"assume_search_step_takes_cycles", "none",
       [](Vtsr_scheduler& top, const Sms&) { return top.strap_search_step_cycles_i = 0, true; }},
      {"assume_rounds_are_breadth_first", "depth first",
       [](Vtsr_scheduler& top, const Sms&) {
         top.strap_rounds_i = 1;
         top.strap_breadth_first_i = 0;
         return true;
       }},
  };
  return kAll;
}

const std::vector<Violation>& traffic_violations() {
  static const std::vector<Violation> kAll {
    {"assume_straps_are_constant", "policy",
     [](Vtsr_scheduler& top, const Sms&) { return top.strap_policy_i ^= 1 << 7, true; }},
        {"assume_straps_are_constant", "activation",
         [](Vtsr_scheduler& top, const Sms&) { return ++top.strap_activation_cycles_i, true; }},
        {"assume_straps_are_constant", "search step",
         [](Vtsr_scheduler& top, const Sms&) { return ++top.strap_search_step_cycles_i, true; }},
        {"assume_straps_are_constant", "breadth first",
         [](Vtsr_scheduler& top, const Sms&) { return !top.strap_rounds_i && (top.strap_breadth_first_i ^= 1, true); }},
        {"assume_straps_are_constant", "rounds",
         [](Vtsr_scheduler& top, const Sms&) { return top.strap_breadth_first_i && (top.strap_rounds_i ^= 1, true); }},
        {"assume_straps_are_constant", "linger",
         [](Vtsr_scheduler& top, const Sms&) { return top.strap_linger_i ^= 1, true; }},

        {"assume_command_towards_free_buffer", "one that is taken",
         [](Vtsr_scheduler& top, const Sms&) { return command(top, false, 0, 1, 1); }},
        {"assume_command_towards_free_buffer", "one that is not there",
         [](Vtsr_scheduler& top, const Sms&) {
           return command(top, true, 0, 1, 1) && (top.command_buffer_i = NUM_COMMAND_BUFFERS, true);
         }},
        {"assume_command_has_tbs", "none", [](Vtsr_scheduler& top, const Sms&) { return command(top, true, 0, 0, 1); }},
        {"assume_command_fits_an_sm", "none",
         [](Vtsr_scheduler& top, const Sms&) { return command(top, true, 0, 1, 0); }},
        {"assume_command_fits_an_sm", "too many",
         [](Vtsr_scheduler& top, const Sms&) { return command(top, true, 0, 1, MAX_TBS_PER_SM + 1); }},
        {"assume_command_context_exists", "one too many",
         [](Vtsr_scheduler& top, const Sms&) { return command(top, true, NUM_CONTEXTS, 1, 1); }},

        {"assume_control_context_exists", "priority",
         [](Vtsr_scheduler& top, const Sms&) { return control_of_nobody(top, 1); }},
        {"assume_control_context_exists", "tokens",
         [](Vtsr_scheduler& top, const Sms&) { return control_of_nobody(top, 2); }},
        {"assume_control_context_exists", "page table",
         [](Vtsr_scheduler& top, const Sms&) { return control_of_nobody(top, 3); }},
        {"assume_control_context_exists", "slice end",
         [](Vtsr_scheduler& top, const Sms&) { return control_of_nobody(top, 5); }},
        {"assume_waiting_until_its_command", "not waited for in its cycle",
         [](Vtsr_scheduler& top, const Sms&) {
           static bool was_waited_for = false;  // in the cycle before
           top.waiting_i |= 1;
           return std::exchange(was_waited_for, true) && command(top, true, 0, 1, 1) && (top.waiting_i &= ~1U, true);
         }},
        {"assume_switch_ends_after_its_start", "none has started",
         [](Vtsr_scheduler& top, const Sms&) {
           return !top.switch_start_o && top.slice_timer_enable_o && (silence(top), top.switch_over_i = 1, true);
         }},
        {"assume_control_sm_exists", "one too many",
         [](Vtsr_scheduler& top, const Sms&) { return control(top, 4, 0, NUM_SMS << 8), true; }},
        {"assume_control_is_held", "withdrawn", [](Vtsr_scheduler& top, const Sms&) { return control_that_waits(top); },
         [](Vtsr_scheduler&, const Sms&) {}},
        {"assume_control_is_held", "other data",
         [](Vtsr_scheduler& top, const Sms&) { return control_that_waits(top); },
         [](Vtsr_scheduler& top, const Sms&) { control(top, 1, 0, 2); }},
        {"assume_control_is_held", "another register",
         [](Vtsr_scheduler& top, const Sms&) { return control_that_waits(top); },
         [](Vtsr_scheduler& top, const Sms&) { control(top, 2, 0, 1); }},

        {"assume_event_of_an_sm", "one too many",
         [](Vtsr_scheduler& top, const Sms&) { return event(top, NUM_SMS, kTbDone); }},
        {"assume_event_of_a_kind", "a reserved one",
         [](Vtsr_scheduler& top, const Sms&) { return event(top, 0, kReserved); }},
        {"assume_tb_done_of_running_tb", "no TB there",
         [](Vtsr_scheduler& top, const Sms& sms) {
           return event_where(top, sms, kTbDone, [](const Sm& sm) {
             return (sm.phase == Phase::kNone || sm.phase == Phase::kRun) && sm.slots.empty() && sm.done.empty();
           });
         }},
        {"assume_tb_done_of_running_tb", "all were saved",
         [](Vtsr_scheduler& top, const Sms& sms) { return event_where(top, sms, kTbDone, was_saved); }},
        {"assume_tb_done_of_running_tb", "with the last handle",
         [](Vtsr_scheduler& top, const Sms& sms) { return event_with_handle(top, sms, kTbDone, gives_last_handle); }},
        {"assume_set_up_done_after_set_up", "done before",
         [](Vtsr_scheduler& top, const Sms& sms) {
           return event_where(top, sms, kSetUpDone, [](const Sm& sm) { return sm.phase == Phase::kRun; });
         }},
#if TAG_WIDTH > 0
        {"assume_set_up_done_after_set_up", "of another one",
         [](Vtsr_scheduler& top, const Sms& sms) {
           const auto sm = std::find_if(sms.begin(), sms.end(), [](const Sm& each) { return each.unanswered == 1; });
           if (sm == sms.end()) return false;
           event(top, sm - sms.begin(), kSetUpDone);
           top.sm_event_tag_i = sm->tag ^ 1;
           return true;
         }},
#endif
        {"assume_restore_done_after_batch", "no batch",
         [](Vtsr_scheduler& top, const Sms& sms) {
           return event_where(top, sms, kRestoreDone, [](const Sm& sm) { return !sm.restoring; });
         }},
        {"assume_preempted_after_trap_and_handles", "no trap",
         [](Vtsr_scheduler& top, const Sms& sms) {
           return event_where(top, sms, kPreempted, [](const Sm& sm) { return sm.phase == Phase::kRun; });
         }},
        {"assume_preempted_after_trap_and_handles", "no handle yet",
         [](Vtsr_scheduler& top, const Sms& sms) { return event_where(top, sms, kPreempted, is_stopped); }},
        {"assume_preempted_after_trap_and_handles", "with the last handle",
         [](Vtsr_scheduler& top, const Sms& sms) {
           return event_with_handle(top, sms, kPreempted, gives_last_handle);
         }},

        {"assume_handle_of_an_sm", "one too many",
         [](Vtsr_scheduler& top, const Sms&) { return handle(top, NUM_SMS); }},
        {"assume_handle_of_stopped_tb", "no trap",
         [](Vtsr_scheduler& top, const Sms& sms) {
           return !any_save_has_begun(sms) &&
                  handle_where(top, sms, [](const Sm& sm) { return sm.phase == Phase::kRun && !sm.slots.empty(); });
         }},
        {"assume_handle_of_stopped_tb", "one too many",
         [](Vtsr_scheduler& top, const Sms& sms) {
           return !any_save_has_begun(sms) && handle_where(top, sms, was_saved);
         }},
        {"assume_handles_of_a_save_are_together", "another SM's between",
         [](Vtsr_scheduler& top, const Sms& sms) {
           return any_save_has_begun(sms) && handle_where(top, sms, is_stopped);
         },
         [](Vtsr_scheduler& top, const Sms& sms) { handle_where(top, sms, has_begun_save); }},
  };
  return kAll;
}
