// SPDX-License-Identifier: Apache-2.0
// A table of fields for each structure (docs/hardware/timing.md 4.1), as rtl/ has them for the five policies of its
// default; widths follow the sizes of the machine.
#include <algorithm>

#include "model/spec/scheduler_spec.h"
#include "model/storage/framework_storage.h"
#include "model/storage/kept_turn_structures.h"
#include "model/storage/refill_lane_structures.h"
#include "model/storage/widths.h"

namespace tessera::storage {
namespace {

constexpr std::uint32_t kDescriptorBits = 40;
constexpr std::uint32_t kPageTableBits = 64;
constexpr std::uint32_t kStackPointerBits = 32;
constexpr std::uint32_t kPriorityBits = 4;
constexpr std::uint32_t kTokensLeftBits = 10;  // signed: debt is allowed
constexpr std::uint32_t kKeyBits = kTokensLeftBits + 1;
constexpr std::uint32_t kJobs = 8;
constexpr std::uint32_t kPhases = 8;
constexpr std::uint32_t kSearchStates = 12;

// Of an index that is always one.
std::uint32_t address(std::uint64_t count) { return std::max(1U, bits_for(count)); }

struct Widths {
  explicit Widths(const CoreSizes& sizes)
      : sm(index_or_count(sizes.num_sms)),
        ksr(index_or_count(sizes.num_ksrs)),
        context(address(sizes.num_contexts)),
        buffer(address(sizes.num_command_buffers)),
        buffers(index_or_count(sizes.num_command_buffers)),
        resident(index_or_count(sizes.max_tbs_per_sm)),
        slots(index_or_count(std::uint64_t{sizes.num_sms} * sizes.max_tbs_per_sm)),
        pointer(address(sizes.ptbq_depth)),
        token_rows(std::max(sizes.num_ksrs, sizes.num_contexts)),
        token_row(address(token_rows)),
        steps((sizes.num_ksrs + sizes.search_width - 1) / sizes.search_width),
        lanes(sizes.search_width),
        tb(sizes.tb_width),
        wait(sizes.wait_width) {}

  std::uint32_t sm, ksr, context, buffer;
  std::uint32_t buffers;   // as a count
  std::uint32_t resident;  // TBs of an SM
  std::uint32_t slots;     // TBs of all SMs
  std::uint32_t pointer;   // into a ring of the PTBQ
  std::uint32_t token_rows, token_row;
  std::uint32_t steps;  // of a walk
  std::uint32_t lanes;  // entries of a step
  std::uint32_t tb;
  std::uint32_t wait;
};

// ---- the tables ------------------------------------------------------------------------------------------------

Structure command_buffers(const CoreSizes& sizes, const Widths& w) {
  return {"command_buffers",
          "tsr_commands",
          sizes.num_command_buffers,
          {{"valid", 1, NeededBy::kAll, "a launch waits in it"},
           {"context", w.context, NeededBy::kAll, "whose launch"},
           {"priority", kPriorityBits, NeededBy::kPriorities, "0 .. 15, of the process"},
           {"num_tbs", w.tb, NeededBy::kAll, "thread blocks of the kernel (tb_id_bits)", Memory::kRam},
           {"launch_tbs_per_sm", w.resident, NeededBy::kAll, "how many fit an SM, 1 .. T_MAX", Memory::kRam},
           {"descriptor", kDescriptorBits, NeededBy::kAll, "address of the launch descriptor", Memory::kRam},
           {"age", w.buffer, NeededBy::kFcfs, "an index: buffers in order of arrival"}},
          {{"count", w.buffers, NeededBy::kFcfs, "buffers that wait, 0 .. all"},
           {"last", w.buffer, NeededBy::kPreemption, "the one taken last, for taking turns"}}};
}

Structure active_queue(const CoreSizes& sizes, const Widths& w) {
  return {"active_queue",
          "tsr_active_queue",
          sizes.num_ksrs,
          {{"ksr", w.ksr, NeededBy::kAll, "KSRs in order of activation"},
           {"valid", 1, NeededBy::kAll, "the entry is one: the first ones are"},
           {"leaves", 1, NeededBy::kAll, "it is the kernel's that the engine has open"}},
          {}};
}

Structure ksrt(const CoreSizes& sizes, const Widths& w) {
  return {"ksrt",
          "tsr_ksr_row",
          sizes.num_ksrs,
          {{"row.next_tb", w.tb, NeededBy::kAll, "number of the next one (tb_id_bits)", Memory::kRam},
           {"row.remaining", w.tb, NeededBy::kAll, "thread blocks never sent", Memory::kRam},
           {"row.outstanding", w.slots, NeededBy::kAll, "sent and not finished, 0 .. N_SM x T_MAX", Memory::kRam},
           {"row.preempted", w.slots, NeededBy::kContextSwitch, "handles that may be read", Memory::kRam},
           {"row.covered", w.slots, NeededBy::kAll, "free slots that wait for it", Memory::kRam},
           {"row.head", w.pointer, NeededBy::kContextSwitch, "of its ring of handles", Memory::kRam},
           {"row.owned", w.sm, NeededBy::kDssAndBreadthFirst, "SMs that run it, 0 .. N_SM", Memory::kRam},
           {"row.reserved", w.sm, NeededBy::kDssAndBreadthFirst, "SMs whose next it is, 0 .. N_SM", Memory::kRam},
           {"row.tbs_per_sm", w.resident, NeededBy::kAll, "1 .. T_MAX", Memory::kRam}},
          {}};
}

Structure ksr_status(const CoreSizes& sizes, const Widths& w) {
  return {"ksr_status",
          "tsr_ksr_status",
          sizes.num_ksrs,
          {{"valid", 1, NeededBy::kAll, "a kernel is active in it"},
           {"fresh", 1, NeededBy::kAll, "it has thread blocks never sent"},
           {"handles", 1, NeededBy::kContextSwitch, "and some that were saved"},
           {"holds", 1, NeededBy::kDss, "SMs, owned or reserved"},
           {"uncovered", 1, NeededBy::kAll, "it has more thread blocks than slots wait for"},
           {"context", w.context, NeededBy::kAll, "whose kernel"},
           {"priority", kPriorityBits, NeededBy::kPriorities, "0 .. 15"},
           {"row", 1, NeededBy::kAll, "the engine has it open"}},
          {{"free_ksr", w.ksr, NeededBy::kAll, "the lowest that is free"},
           {"write", 1, NeededBy::kAll, "a row was written in the last cycle"},
           {"write_2", 1, NeededBy::kAll, "in the one before"},
           {"written_ksr", w.ksr, NeededBy::kAll, "which"}}};
}

Structure ksr_descriptors(const CoreSizes& sizes, const Widths&) {
  return {"ksr_descriptors",
          "tsr_descriptors",
          sizes.num_ksrs,
          {{"descriptor", kDescriptorBits, NeededBy::kAll, "address of the launch descriptor", Memory::kRam}},
          {}};
}

Structure smst(const CoreSizes& sizes, const Widths& w) {
  return {"smst",
          "tsr_smst",
          sizes.num_sms,
          {{"running", 1, NeededBy::kAll, "its state: neither is idle"},
           {"reserved", 1, NeededBy::kPreemption, "its state"},
           {"ksr", w.ksr, NeededBy::kAll, "whom it runs; all ones: nobody"},
           {"next", w.ksr, NeededBy::kPreemption, "whom it is reserved for; all ones: nobody"},
           {"count", w.resident, NeededBy::kAll, "resident thread blocks, 0 .. T_MAX"}},
          {}};
}

Structure sm_flags(const CoreSizes& sizes, const Widths&) {
  return {"sm_flags",
          "tsr_smst",
          sizes.num_sms,
          {{"set_up_pending", 1, NeededBy::kAll, "its set-up is to be sent"},
           {"active", 1, NeededBy::kAll, "set up and not trapped"},
           {"trap_pending", 1, NeededBy::kContextSwitch, "it is to be trapped"},
           {"trapped", 1, NeededBy::kContextSwitch, "trapped and not handed over"},
           {"restoring", 1, NeededBy::kContextSwitch, "contexts are on their way back"},
           {"full", 1, NeededBy::kAll, "no slot is free"},
           {"drains", 1, NeededBy::kPreemption, "technique of the preemption under way"},
           {"issuable", 1, NeededBy::kAll, "its owner has thread blocks to be sent"},
           {"served", 1, NeededBy::kBreadthFirst, "had its thread block of this SM cycle"}},
          {}};
}

Structure sm_find(const CoreSizes& sizes, const Widths&) {
  return {"sm_find",
          "tsr_sm_find",
          sizes.num_sms,
          {{"row", 1, NeededBy::kAll, "it asks, or is the job's"},
           {"behind", 1, NeededBy::kAll, "it is behind the SM of the last issue"}},
          {{"found", 1, NeededBy::kPreemption, "there is an SM to be taken away"}}};
}

Structure sm_look(const CoreSizes&, const Widths&) {
  return {"sm_look", "tsr_smst_look", 1, {}, {{"any_idle", 1, NeededBy::kAll, "an SM is idle"}}};
}

Structure sm_row(const CoreSizes&, const Widths& w) {
  return {"sm_row",
          "tsr_sm_row",
          1,
          {},
          {{"running", 1, NeededBy::kAll, "of the job's SM: its row"},
           {"reserved", 1, NeededBy::kPreemption, "its state"},
           {"ksr", w.ksr, NeededBy::kAll, "whom it runs"},
           {"next", w.ksr, NeededBy::kPreemption, "whom it is reserved for"},
           {"count", w.resident, NeededBy::kAll, "its thread blocks, as the job steps them"},
           {"active", 1, NeededBy::kAll, "set up and not trapped"},
           {"trapped", 1, NeededBy::kContextSwitch, "trapped"},
           {"restoring", 1, NeededBy::kContextSwitch, "contexts are on their way back"},
           {"drains", 1, NeededBy::kPreemption, "by draining"}}};
}

Structure contexts(const CoreSizes& sizes, const Widths& w) {
  return {"contexts",
          "tsr_contexts",
          sizes.num_contexts,
          {{"page_table", kPageTableBits, NeededBy::kAll, "base register, sent to an SM at set-up", Memory::kRam},
           {"budget", spec::kTokenBits, NeededBy::kDss, "tokens that the OS wrote, 0 .. 511", Memory::kRam},
           {"has_budget", 1, NeededBy::kDss, "the OS wrote one"},
           {"dealt", 1, NeededBy::kDss, "it has its tokens in this deal"},
           {"kernels", w.ksr, NeededBy::kDssAndTimeSlice, "active ones, 0 .. N_KSR"}},
          {{"active", index_or_count(sizes.num_contexts), NeededBy::kTimeSlice, "contexts with kernels"},
           {"has_budget_now", 1, NeededBy::kDss, "the one that was read has a budget"}}};
}

Structure tokens(const CoreSizes&, const Widths& w) {
  return {"tokens",
          "tsr_tokens",
          w.token_rows,
          {{"left", kTokensLeftBits, NeededBy::kDss, "signed: debt is allowed"},
           {"has_pool_token", 1, NeededBy::kDss, "one of its tokens goes back to the pool"}},
          {{"pool", w.sm, NeededBy::kDss, "tokens left over by equal sharing, 0 .. N_SM"},
           {"takes", 1, NeededBy::kDss, "one was taken in the last cycle"},
           {"returns", 1, NeededBy::kDss, "one came back"},
           {"replaces", 1, NeededBy::kDss, "one came back since the OS wrote a budget"},
           {"left_now", kTokensLeftBits, NeededBy::kDss, "of the row that is open"},
           {"step", kTokensLeftBits, NeededBy::kDss, "by which it changes"},
           {"is_deal", 1, NeededBy::kDss, "and one more, since the step is negated"},
           {"write", 1, NeededBy::kDss, "a row was written in the last cycle"},
           {"write_2", 1, NeededBy::kDss, "in the one before"},
           {"written_row", w.token_row, NeededBy::kDss, "which"}}};
}

Structure ptbq(const CoreSizes& sizes, const Widths& w) {
  return {"ptbq",
          "tsr_ptbq",
          std::uint64_t{sizes.num_ksrs} * sizes.ptbq_depth,
          {{"tb", w.tb, NeededBy::kContextSwitch, "number of a preempted thread block (tb_id_bits)", Memory::kRam},
           {"stack_pointer", kStackPointerBits, NeededBy::kContextSwitch, "where its context lies", Memory::kRam}},
          {}};
}

Structure ptbq_tails(const CoreSizes& sizes, const Widths& w) {
  return {"ptbq_tails",
          "tsr_ptbq",
          sizes.num_ksrs,
          {{"tail", w.pointer, NeededBy::kContextSwitch, "of a ring of N_SM x T_MAX handles"}},
          {{"push", 1, NeededBy::kContextSwitch, "a handle came in the last cycle"},
           {"push_ksr", w.ksr, NeededBy::kContextSwitch, "whose"},
           {"push_data", w.tb + kStackPointerBits, NeededBy::kContextSwitch, "it"}}};
}

// ---- who works on them -----------------------------------------------------------------------------------------

Structure scan(const CoreSizes& sizes, const Widths& w) {
  return {"scan",
          "tsr_commands",
          sizes.num_command_buffers,
          {{"is_best", 1, NeededBy::kFcfs, "the entry of the order of arrival that was found"}},
          {{"scanning", 1, NeededBy::kAll, "buffers pass"},
           {"ending", 1, NeededBy::kAll, "the last one is compared"},
           {"passes", 1, NeededBy::kAll, "a command is compared"},
           {"step", w.buffers, NeededBy::kAll, "how many have passed"},
           {"at", w.buffer, NeededBy::kPreemption, "the next in turn"},
           {"passing", w.buffer, NeededBy::kAll, "the buffer that is compared"},
           {"context_passing", w.context, NeededBy::kAll, "whose launch that is"},
           {"priority_passing", kPriorityBits, NeededBy::kPriorities, "its priority"},
           {"found", 1, NeededBy::kAll, "there is a best one"},
           {"best", w.buffer, NeededBy::kAll, "the best so far"},
           {"best_context", w.context, NeededBy::kAll, "whose launch that is"},
           {"best_priority", kPriorityBits, NeededBy::kPriorities, "its priority"}}};
}

Structure walk(const CoreSizes&, const Widths& w) {
  return {"walk",
          "tsr_walk",
          w.lanes,
          {{"entry_1", 1, NeededBy::kAll, "a kernel of the queue on its way"},
           {"ksr_1", w.ksr, NeededBy::kAll, "which"},
           {"entry_2", 1, NeededBy::kAll, "a cycle later, with the kernel's status"},
           {"ksr_2", w.ksr, NeededBy::kAll, "which"},
           {"uncovered_2", 1, NeededBy::kAll, "more thread blocks than slots wait for"},
           {"holds_2", 1, NeededBy::kPreemption, "it holds an SM"},
           {"context_2", w.context, NeededBy::kAll, "whose kernel"},
           {"priority_2", kPriorityBits, NeededBy::kPpq, "its priority"},
           {"entries.counts", 1, NeededBy::kAll, "and with its key: a kernel"},
           {"entries.uncovered", 1, NeededBy::kAll, "more thread blocks than slots wait for"},
           {"entries.holds", 1, NeededBy::kPreemption, "it holds an SM"},
           {"entries.has_due", 1, NeededBy::kPreemption, "it is due (edf)"},
           {"entries.ksr", w.ksr, NeededBy::kAll, "which"},
           {"entries.context", w.context, NeededBy::kAll, "whose kernel"},
           {"entries.key", kKeyBits, NeededBy::kPreemption, "priority, tokens left, or nearness"}},
          {{"pass_1", 1, NeededBy::kAll, "entries are on their way"},
           {"pass_2", 1, NeededBy::kAll, "a cycle later"},
           {"compares", 1, NeededBy::kAll, "another later"}}};
}

Structure search(const CoreSizes&, const Widths& w) {
  return {"search",
          "tsr_search",
          1,
          {},
          {{"state", kSearchStates, NeededBy::kAll,
            "idle, begin, scan, activate, walk, drain, judge, move, deal: a bit each"},
           {"pending", 1, NeededBy::kAll, "something came since the walk began"},
           {"step", w.steps, NeededBy::kAll, "whose entries pass, a bit each"},
           {"wait", w.wait, NeededBy::kAll, "cycles of a step or of an activation"},
           {"waited", 1, NeededBy::kAll, "they are over"},
           {"activating", 1, NeededBy::kDss, "the budget that was read is a launch's"}}};
}

Structure deal(const CoreSizes&, const Widths& w) {
  Structure deal = {"deal",
                    "tsr_deal",
                    1,
                    {},
                    {{"all", 1, NeededBy::kDss, "of all contexts"},
                     {"only_context", w.context, NeededBy::kDss, "of this one"},
                     {"context", w.context, NeededBy::kDss, "whose kernel is looked at"},
                     {"past", 1, NeededBy::kDss, "it has had all entries"}}};
  if (w.lanes > 1) deal.once.push_back({"g_lanes.lane", w.lanes, NeededBy::kDss, "which entry of a step, a bit each"});
  return deal;
}

Structure turn(const CoreSizes&, const Widths& w) {
  return {"turn",
          "tsr_turn",
          1,
          {},
          {{"turn", w.context, NeededBy::kTimeSlice, "whose turn it is"},
           {"tick_waits", 1, NeededBy::kTimeSlice, "the slice timer ticked"}}};
}

// A runner-up and tokens limit what a kernel gets at once.
Structure trackers(const CoreSizes&, const Widths& w) {
  return {"trackers",
          "tsr_trackers",
          1,
          {},
          {{"a_valid", 1, NeededBy::kAll, "tracker A: of the uncovered kernels"},
           {"a_ksr", w.ksr, NeededBy::kAll, "the first with the greatest key"},
           {"a_due", 1, NeededBy::kPreemption, "it is due (edf)"},
           {"a_key", kKeyBits, NeededBy::kPreemption, "its key"},
           {"a_context", w.context, NeededBy::kTimeSlice, "whose kernel"},
           {"b_valid", 1, NeededBy::kPreemption, "tracker B: of all kernels"},
           {"b_ksr", w.ksr, NeededBy::kPreemption, "the first with the greatest key"},
           {"b_due", 1, NeededBy::kPreemption, "it is due (edf)"},
           {"b_key", kKeyBits, NeededBy::kPreemption, "its key"},
           {"b_context", w.context, NeededBy::kTimeSlice, "whose kernel"},
           {"v_valid", 1, NeededBy::kPreemption, "tracker V: of those that hold an SM"},
           {"v_ksr", w.ksr, NeededBy::kPreemption, "the first with the lowest key"},
           {"v_due", 1, NeededBy::kPreemption, "it is due (edf)"},
           {"v_key", kKeyBits, NeededBy::kPreemption, "its key"},
           {"a_below", 1, NeededBy::kPpq, "B's key is above A's"},
           {"v_below_a", 1, NeededBy::kPreemption, "A's key is above V's"},
           {"v_below_b", 1, NeededBy::kPpq, "B's is"},
           {"first_valid", 1, NeededBy::kDss, "a kernel was seen"},
           {"first_context", w.context, NeededBy::kDss, "its context"},
           {"others", 1, NeededBy::kDss, "another budget's kernel was seen"},
           {"g_runner_up.r_valid", 1, NeededBy::kDss, "runner-up: of the uncovered ones of other budgets than A's"},
           {"g_runner_up.r_key", kTokensLeftBits, NeededBy::kDss, "the greatest key"},
           {"g_runner_up.a_first", 1, NeededBy::kDss, "A comes before it"}}};
}

Structure policy(const CoreSizes&, const Widths&) {
  return {"policy",
          "tsr_policy",
          1,
          {},
          {{"is_a", 1, NeededBy::kPreemption, "the candidate is A"},
           {"is_take", 1, NeededBy::kPreemption, "an SM is taken away for it; else it is given idle ones"}}};
}

Structure engine(const CoreSizes&, const Widths& w) {
  return {"engine",
          "tsr_engine",
          1,
          {},
          {{"phase", kPhases, NeededBy::kAll, "of the job, a bit each"},
           {"job", kJobs, NeededBy::kAll, "its kind, a bit each"},
           {"is_second", 1, NeededBy::kPreemption, "its second visit"},
           {"sm", w.sm, NeededBy::kAll, "its SM"},
           {"event_kind", 2, NeededBy::kAll, "of an SM event"},
           {"issue_first", 1, NeededBy::kAll, "an event was taken last"}}};
}

Structure job(const CoreSizes&, const Widths&) {
  return {"job",
          "tsr_job",
          1,
          {},
          {{"valid", 1, NeededBy::kAll, "its KSR is a kernel's"},
           {"issuable", 1, NeededBy::kAll, "which has thread blocks to be sent"},
           {"handles", 1, NeededBy::kContextSwitch, "saved ones"},
           {"rejected", 1, NeededBy::kAll, "tables are not as the search saw them, or a ring has no room"},
           {"no_room", 1, NeededBy::kContextSwitch, "the latter"},
           {"is_own", 1, NeededBy::kPreemption, "an SM of another partition was to be taken, and it is of its own"},
           {"comes_back", 1, NeededBy::kPreemption, "the SM's kernel is the one that the move is for"},
           {"leaves", 1, NeededBy::kAll, "the SM has nothing left of its kernel's"},
           {"releases", 1, NeededBy::kAll, "and goes idle"},
           {"finishes", 1, NeededBy::kAll, "the kernel ends"},
           {"refills", 1, NeededBy::kAll, "the slot gets the next thread block"}}};
}

Structure open_row(const CoreSizes&, const Widths& w) {
  return {"open_row",
          "tsr_ksr_row",
          1,
          {},
          {{"next_tb", w.tb, NeededBy::kAll, "of the KSR that is open: its row"},
           {"not_left", w.tb, NeededBy::kAll, "`remaining`, negated"},
           {"outstanding", w.slots, NeededBy::kAll, "sent and not finished"},
           {"preempted", w.slots, NeededBy::kContextSwitch, "handles that may be read"},
           {"covered", w.slots, NeededBy::kAll, "free slots that wait for it"},
           {"head", w.pointer, NeededBy::kContextSwitch, "of its ring of handles"},
           {"owned", w.sm, NeededBy::kDssAndBreadthFirst, "SMs that run it"},
           {"reserved", w.sm, NeededBy::kDssAndBreadthFirst, "SMs whose next it is"},
           {"tbs_per_sm", w.resident, NeededBy::kAll, "1 .. T_MAX"},
           {"slots", w.resident, NeededBy::kAll, "of the SM, to be covered or to be filled"},
           {"is_less", 1, NeededBy::kAll, "they are taken away"},
           {"carry_next", 1, NeededBy::kAll, "next_tb carries into its upper bits"},
           {"carry_left", 1, NeededBy::kAll, "so does remaining"},
           {"is_last", 1, NeededBy::kAll, "after the last thread block of a burst"}}};
}

Structure assign(const CoreSizes&, const Widths& w) {
  return {"assign",
          "tsr_assign",
          1,
          {},
          {{"is_first", 1, NeededBy::kAll, "no SM is given yet"},
           {"many", 1, NeededBy::kAll, "more thread blocks than slots can wait for"},
           {"need", w.slots + 3, NeededBy::kAll, "signed: else those that no slot waits for"},
           {"taken", w.slots + 1, NeededBy::kAll, "slots that the last SM brought"},
           {"limit", kTokensLeftBits - 1, NeededBy::kDss, "SMs that it may still be given"},
           {"freed", w.sm + 1, NeededBy::kDss, "signed: less those that it was given"}}};
}

Structure uncovered(const CoreSizes&, const Widths& w) {
  return {"uncovered",
          "tsr_uncovered",
          1,
          {},
          {{"is_few", 1, NeededBy::kBreadthFirst, "covered < owned"},
           {"waiting", w.slots + 1, NeededBy::kAll, "slots that wait for the kernel"},
           {"low", w.slots + 2, NeededBy::kAll, "its thread blocks, as far as that can count"},
           {"many", 1, NeededBy::kAll, "it has more"}}};
}

// What tells the answer to an SM's last set-up from late ones; only a core with tags has it.
Structure set_up_tags(const CoreSizes& sizes) {
  const std::uint32_t tag = sizes.tag_width, count = sizes.tag_width + 1;
  return {"set_up_tags",
          "tsr_tags",
          sizes.num_sms,
          {{"tag", tag, NeededBy::kLinks, "of its last set-up"},
           {"unanswered", count, NeededBy::kLinks, "set-ups that it may still answer"}},
          {{"event_tag", tag, NeededBy::kLinks, "of the set-up that an event answers"},
           {"new_tag", tag, NeededBy::kLinks, "of the set-up that is sent"},
           {"new_count", count, NeededBy::kLinks, "what the job makes of the SM's count"}}};
}

Structure policy_register(const CoreSizes&, const Widths&) {
  return {"policy_register",
          "tsr_policy_register",
          1,
          {},
          {{"policy", 3, NeededBy::kAll, "its code"},
           {"drain", 1, NeededBy::kPreemption, "technique: drain"},
           {"flush", 1, NeededBy::kPreemption, "technique: flush"},
           {"shared", 1, NeededBy::kPreemption, "access"},
           {"all", 1, NeededBy::kPpq, "exclusive scope"},
           {"by_process", 1, NeededBy::kDss, "token scope"},
           {"debt", 2, NeededBy::kDss, "when a kernel may go into debt"},
           {"once", 1, NeededBy::kDss, "the remainder is given out once"}}};
}

Structure pins(const CoreSizes&, const Widths& w) {
  return {"pins",
          "tsr_scheduler",
          1,
          {},
          {{"ksr", w.ksr, NeededBy::kAll, "that the job visits"},
           {"context", w.context, NeededBy::kAll, "whose kernel"},
           {"invokes", 1, NeededBy::kAll, "the policy"},
           {"reads", 1, NeededBy::kContextSwitch, "a handle comes out of memory"},
           {"reads_last", 1, NeededBy::kContextSwitch, "the last of its batch"},
           {"sm_control_valid", 1, NeededBy::kAll, "a set-up or a trap"},
           {"kernel_done_valid", 1, NeededBy::kAll, "to the command dispatcher"},
           {"usage_valid", 1, NeededBy::kObservation, "pulse: a context holds more SMs, or fewer"},
           {"events_policy_invoked", 1, NeededBy::kObservation, "pulse"},
           {"events_policy_decided", 1, NeededBy::kObservation, "pulse"},
           {"events_withheld", 1, NeededBy::kObservation, "with it: SMs stay idle by rule"},
           {"events_activated", 1, NeededBy::kObservation, "pulse"},
           {"events_moved", 1, NeededBy::kObservation, "pulse"},
           {"events_cancelled", 1, NeededBy::kObservation, "pulse: a drain goes on"},
           {"events_preempted", 1, NeededBy::kObservation, "pulse: a hand-over"},
           {"events_released", 1, NeededBy::kObservation, "pulse: an SM goes idle"}}};
}

}  // namespace

std::vector<Structure> framework_structures(const CoreSizes& sizes) {
  const Widths widths(sizes);
  std::vector<Structure> structures;
  for (const auto make : {command_buffers,
                          active_queue,
                          ksrt,
                          ksr_status,
                          ksr_descriptors,
                          smst,
                          sm_flags,
                          sm_find,
                          sm_look,
                          sm_row,
                          contexts,
                          tokens,
                          ptbq,
                          ptbq_tails,
                          scan,
                          walk,
                          search,
                          deal,
                          turn,
                          trackers,
                          policy,
                          engine,
                          job,
                          open_row,
                          assign,
                          uncovered,
                          policy_register,
                          pins}) {
    structures.push_back(make(sizes, widths));
  }
  if (sizes.tag_width != 0) structures.insert(structures.end() - 1, set_up_tags(sizes));
  if (sizes.has_refill_lane) add_refill_lane(structures, sizes);
  if (sizes.keeps_turn) add_kept_turn(structures, sizes);
  return structures;
}

}  // namespace tessera::storage
