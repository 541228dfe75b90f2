// SPDX-License-Identifier: Apache-2.0
// A table of fields for each structure; widths follow the sizes of the machine, those of addresses are fixed.
#include "model/storage/framework_storage.h"

#include <algorithm>
#include <array>
#include <stdexcept>

#include "model/spec/next_core.h"
#include "model/storage/one_job_storage.h"

namespace tessera::storage {
namespace {

constexpr std::uint32_t kAddressBits = 40;  // GPU virtual addresses of the GK110
constexpr std::uint32_t kPageTableBits = 64;
constexpr std::uint32_t kStackPointerBits = 32;
constexpr std::uint32_t kPriorityBits = 4;
constexpr std::uint32_t kTokensLeftBits = 10;  // signed: debt is allowed
constexpr std::uint32_t kSmStateBits = 2;      // idle, running, reserved
constexpr std::uint32_t kMoveBits = 2;         // assign, reserve, retarget
constexpr std::uint32_t kRankBits = 4;         // a priority, or fewer
constexpr std::uint32_t kPolicyBits = 7;       // policy, technique, access, scopes
constexpr std::uint32_t kStateBits = 3;

// To tell `count` things apart.
std::uint32_t bits_for(std::uint64_t count) {
  std::uint32_t bits = 0;
  while ((std::uint64_t{1} << bits) < count) ++bits;
  return bits;
}

// Of an index below `count` and one code for "none", and of a number of up to `count`.
std::uint32_t index_or_count(std::uint64_t count) { return bits_for(count + 1); }

std::uint32_t search_steps(const CoreSizes& sizes) {
  return (sizes.num_sms + sizes.search_width - 1) / sizes.search_width;
}

struct Widths {
  explicit Widths(const CoreSizes& sizes)
      : sm(index_or_count(sizes.num_sms)),
        ksr(index_or_count(sizes.num_ksrs)),
        context(index_or_count(sizes.num_contexts)),
        buffer(index_or_count(sizes.num_command_buffers)),
        resident(index_or_count(sizes.max_tbs_per_sm)),
        slots(index_or_count(std::uint64_t{sizes.num_sms} * sizes.max_tbs_per_sm)),
        pointer(std::max(1U, bits_for(sizes.ptbq_depth))),
        step(index_or_count(std::max(search_steps(sizes), sizes.num_ksrs))),
        tb(sizes.tb_width),
        remaining(std::min(tb, slots + 1)),
        wait(sizes.wait_width) {}

  std::uint32_t sm, ksr, context, buffer;
  std::uint32_t resident;  // TBs of an SM
  std::uint32_t slots;     // TBs of all SMs
  std::uint32_t pointer;   // into a PTBQ
  std::uint32_t step;
  std::uint32_t tb;
  std::uint32_t remaining;  // TBs never sent, as far as slots could wait for them
  std::uint32_t wait;
};

// ---- the tables ------------------------------------------------------------------------------------------------

Structure command_buffers(const CoreSizes& sizes, const Widths& w) {
  return {"command_buffers",
          "tsr_command_buffers",
          sizes.num_command_buffers,
          {{"valid", 1, NeededBy::kAll, "a launch waits in it"},
           {"context", w.context, NeededBy::kAll, "whose launch"},
           {"priority", kPriorityBits, NeededBy::kPriorities, "0 .. 15, of the process"},
           {"num_tbs", w.tb, NeededBy::kAll, "thread blocks of the kernel (tb_id_bits)", Memory::kRam},
           {"tbs_per_sm", w.resident, NeededBy::kAll, "how many fit an SM, 1 .. T_MAX"},
           {"descriptor", kAddressBits, NeededBy::kAll, "address of the launch descriptor", Memory::kRam},
           {"age", w.buffer, NeededBy::kAll, "an index: buffers in order of arrival"}},
          {{"count", w.buffer, NeededBy::kAll, "buffers that wait, 0 .. all"},
           {"last", w.buffer, NeededBy::kPreemption, "the one taken last, for taking turns"}}};
}

Structure active_queue(const CoreSizes& sizes, const Widths& w) {
  return {"active_queue",
          "tsr_active_queue",
          sizes.num_ksrs,
          {{"ksr", w.ksr, NeededBy::kAll, "KSRs in order of activation"}},
          {{"count", w.ksr, NeededBy::kAll, "active kernels, 0 .. N_KSR"}}};
}

Structure ksrt(const CoreSizes& sizes, const Widths& w) {
  Structure table = {
      "ksrt",
      "tsr_ksrt",
      sizes.num_ksrs,
      {{"valid", 1, NeededBy::kAll, "a kernel is active in it"},
       {"has_pool_token", 1, NeededBy::kDss, "one of its tokens goes back to the pool"},
       {"descriptor", kAddressBits, NeededBy::kAll, "address of the launch descriptor", Memory::kRam},
       {"context", w.context, NeededBy::kAll, "whose kernel"},
       {"priority", kPriorityBits, NeededBy::kPriorities, "0 .. 15"},
       {"tokens", spec::kTokenBits, NeededBy::kDss, "the budget, 0 .. 511"},
       {"tbs_per_sm", w.resident, NeededBy::kAll, "1 .. T_MAX"},
       {"remaining", w.remaining, NeededBy::kAll, "thread blocks never sent: as many as slots could wait for"},
       {"has_more", 1, NeededBy::kAll, "there are more than that"},
       {"has_fresh", 1, NeededBy::kAll, "there is one"},
       {"has_handles", 1, NeededBy::kContextSwitch, "preempted is not 0"},
       {"next_tb", w.tb, NeededBy::kAll, "number of the next one (tb_id_bits)"},
       {"outstanding", w.slots, NeededBy::kAll, "sent and not finished, 0 .. N_SM x T_MAX"},
       {"preempted", w.slots, NeededBy::kContextSwitch, "handles that may be read, 0 .. N_SM x T_MAX"},
       {"promised", w.slots, NeededBy::kContextSwitch, "places kept in the PTBQ, 0 .. N_SM x T_MAX"},
       {"owned", w.sm, NeededBy::kDssAndBreadthFirst, "SMs that run it, 0 .. N_SM"},
       {"reserved", w.sm, NeededBy::kDssAndBreadthFirst, "SMs whose next it is, 0 .. N_SM"},
       {"covered", w.slots, NeededBy::kAll, "free slots that wait for it, 0 .. N_SM x T_MAX"}},
      {{"launch_valid", 1, NeededBy::kAll, "a launch arrives from its command buffer"},
       {"launch_ksr", w.ksr, NeededBy::kAll, "for whom"}}};
  if (w.tb == w.remaining) return table;
  const std::uint32_t more = w.tb - w.remaining;
  table.row.push_back({"more", more, NeededBy::kAll, "thread blocks at first, above those bits", Memory::kRam});
  table.once.push_back({"g_more.borrow_valid", 1, NeededBy::kAll, "those bits of a row began anew"});
  table.once.push_back({"g_more.borrow_ksr", w.ksr, NeededBy::kAll, "whose"});
  table.once.push_back({"g_more.borrow_count", more, NeededBy::kAll, "how often they did before"});
  return table;
}

Structure smst(const CoreSizes& sizes, const Widths& w) {
  return {"smst",
          "tsr_smst",
          sizes.num_sms,
          {{"state", kSmStateBits, NeededBy::kAll, "idle, running, reserved"},
           {"ksr", w.ksr, NeededBy::kAll, "whom it runs; all ones: nobody"},
           {"next", w.ksr, NeededBy::kPreemption, "whom it is reserved for; all ones: nobody"},
           {"running", w.resident, NeededBy::kAll, "resident thread blocks, 0 .. T_MAX"}},
          {}};
}

Structure context_table(const CoreSizes& sizes, const Widths& w) {
  return {"context_table",
          "tsr_context_table",
          sizes.num_contexts,
          {{"page_table", kPageTableBits, NeededBy::kAll, "base register, sent to an SM at set-up", Memory::kRam},
           {"has_page_table", 1, NeededBy::kAll, "the OS wrote it"},
           {"has_budget", 1, NeededBy::kDss, "the OS wrote one"},
           {"budget", spec::kTokenBits, NeededBy::kDss, "tokens that the OS wrote, 0 .. 511"},
           {"kernels", w.ksr, NeededBy::kDssAndTimeSlice, "active ones, 0 .. N_KSR"},
           {"held", w.sm, NeededBy::kDss, "SMs its kernels own or wait for, 0 .. N_SM"},
           {"has_pool_token", 1, NeededBy::kDss, "one of its tokens goes back to the pool"}},
          {{"read_is_written", 1, NeededBy::kAll, "the page table that was read last is one"}}};
}

Structure ptbq(const CoreSizes& sizes, const Widths& w) {
  return {"ptbq",
          "tsr_ptbq",
          std::uint64_t{sizes.num_ksrs} * sizes.ptbq_depth,
          {{"tb", w.tb, NeededBy::kContextSwitch, "number of a preempted thread block (tb_id_bits)", Memory::kRam},
           {"stack_pointer", kStackPointerBits, NeededBy::kContextSwitch, "where its context lies", Memory::kRam}},
          {}};
}

Structure ptbq_pointers(const CoreSizes& sizes, const Widths& w) {
  return {"ptbq_pointers",
          "tsr_ptbq",
          sizes.num_ksrs,
          {{"head", w.pointer, NeededBy::kContextSwitch, "of a ring of N_SM x T_MAX handles"},
           {"tail", w.pointer, NeededBy::kContextSwitch, "of a ring of N_SM x T_MAX handles"}},
          {}};
}

// ---- who works on them -----------------------------------------------------------------------------------------

Structure search(const CoreSizes&, const Widths& w) {
  return {"search",
          "tsr_search",
          1,
          {},
          {{"policy", kPolicyBits, NeededBy::kAll, "policy, technique, access, scopes"},
           {"state", kStateBits, NeededBy::kAll, "idle, begin, activate, walk, distribute"},
           {"is_second", 1, NeededBy::kPreemption, "the walk that looks for a victim"},
           {"step", w.step, NeededBy::kAll, "steps of a walk, or KSRs of a distribution"},
           {"cycle", w.wait, NeededBy::kAll, "cycles of a step or of an activation"},
           {"settle", 2, NeededBy::kPipelinedSearch, "cycles since the last rows passed"},
           {"began", 1, NeededBy::kPipelinedSearch, "in the last cycle"},
           {"pending", 1, NeededBy::kAll, "something came since the walk began"},
           {"tick_waits", 1, NeededBy::kTimeSlice, "the slice timer ticked since then"},
           {"idle_found", 1, NeededBy::kAll, "an idle SM was seen"},
           {"idle_sm", w.sm, NeededBy::kAll, "the lowest"},
           {"candidate_ksr", w.ksr, NeededBy::kPreemption, "who gets an SM, kept for the second walk"},
           {"candidate_takes_idle", 1, NeededBy::kPreemption, "an idle one will do"},
           {"victim_found", 1, NeededBy::kPreemption, "an SM may be taken"},
           {"victim_running", 1, NeededBy::kPreemption, "it is reserved, not retargeted"},
           {"victim_rank", kRankBits, NeededBy::kPreemption, "how gladly it is taken"},
           {"victim_sm", w.sm, NeededBy::kPreemption, "the lowest of that rank"},
           {"victim_claimant", w.ksr, NeededBy::kPreemption, "who has it, or will"},
           {"pool", w.sm, NeededBy::kDss, "tokens left over by equal sharing, 0 .. N_SM"}}};
}

// Rows on their way to the engines, what was chosen, and the outcome on its way to the driver.
Structure search_stages(const CoreSizes& sizes, const Widths& w) {
  const std::uint32_t kernel_rows =
      std::max(sizes.search_width, (sizes.num_ksrs + search_steps(sizes) - 1) / search_steps(sizes));
  const std::uint32_t kernel_row =
      1 + w.ksr + w.context + kPriorityBits + spec::kTokenBits + w.remaining + 1 + 2 * w.slots + 3 * w.sm;
  const std::uint32_t sm_row = 3 + w.sm + w.ksr + w.context + kPriorityBits;
  return {"search_stages",
          "tsr_stage",
          1,
          {},
          {{"chosen", w.buffer, NeededBy::kPipelinedSearch, "the command that may be activated"},
           {"entrance", 3 + w.context, NeededBy::kPipelinedSearch, "whether it may"},
           {"passes", 3, NeededBy::kPipelinedSearch, "rows pass, the first ones, of a second walk"},
           {"kernel_rows", kernel_rows * kernel_row, NeededBy::kPipelinedSearch, "KSRs that passed in the last cycle"},
           {"sm_rows", sizes.search_width * sm_row, NeededBy::kPipelinedSearch, "SMs that did"},
           {"outcome", 5 + w.sm + w.ksr, NeededBy::kPipelinedSearch, "the move, when it has been checked"}}};
}

Structure fcfs(const CoreSizes&, const Widths& w) {
  return {"fcfs",
          "tsr_fcfs",
          1,
          {},
          {{"found", 1, NeededBy::kFcfs, "a kernel with uncovered thread blocks"},
           {"ksr", w.ksr, NeededBy::kFcfs, "the first"}}};
}

Structure ppq(const CoreSizes&, const Widths& w) {
  return {"ppq",
          "tsr_priority",
          1,
          {},
          {{"top_valid", 1, NeededBy::kPpq, "a kernel is active"},
           {"top_ksr", w.ksr, NeededBy::kPpq, "the first of the highest priority"},
           {"top_priority", kPriorityBits, NeededBy::kPpq, "0 .. 15"},
           {"requester_valid", 1, NeededBy::kPpq, "one has uncovered thread blocks"},
           {"requester_ksr", w.ksr, NeededBy::kPpq, "the first of the highest priority among those"},
           {"requester_priority", kPriorityBits, NeededBy::kPpq, "0 .. 15"},
           {"candidate_priority", kPriorityBits, NeededBy::kPpq, "victims are below, 0 .. 15"}}};
}

Structure dss(const CoreSizes&, const Widths& w) {
  return {"dss",
          "tsr_dss",
          1,
          {},
          {{"max_valid", 1, NeededBy::kDss, "a kernel has uncovered thread blocks"},
           {"max_ksr", w.ksr, NeededBy::kDss, "the one with most tokens left"},
           {"max_left", kTokensLeftBits, NeededBy::kDss, "signed: debt is allowed"},
           {"min_valid", 1, NeededBy::kDss, "a kernel holds an SM"},
           {"min_ksr", w.ksr, NeededBy::kDss, "the one with fewest tokens left"},
           {"min_left", kTokensLeftBits, NeededBy::kDss, "signed: debt is allowed"}}};
}

Structure time_slice(const CoreSizes&, const Widths& w) {
  return {"time_slice",
          "tsr_time_slice",
          1,
          {},
          {{"turn", w.context, NeededBy::kTimeSlice, "whose turn it is"},
           {"nearest_valid", 1, NeededBy::kTimeSlice, "a context is active"},
           {"nearest_context", w.context, NeededBy::kTimeSlice, "the next in turn"},
           {"nearest_distance", w.context, NeededBy::kTimeSlice, "how far from the turn"},
           {"requester_valid", 1, NeededBy::kTimeSlice, "one has uncovered thread blocks"},
           {"requester_ksr", w.ksr, NeededBy::kTimeSlice, "its first kernel"},
           {"requester_context", w.context, NeededBy::kTimeSlice, "the next in turn among those"},
           {"requester_distance", w.context, NeededBy::kTimeSlice, "how far from the turn"}}};
}

Structure sm_driver(const CoreSizes& sizes, const Widths& w) {
  return {"sm_driver",
          "tsr_sm_driver",
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
          {{"turn", w.sm, NeededBy::kAll, "the SM that got a thread block last"},
           {"turn_count", w.resident, NeededBy::kAll, "how many it got, 0 .. T_MAX"},
           {"in_batch", 1, NeededBy::kContextSwitch, "it is being sent handles"},
           {"read_valid", 1, NeededBy::kContextSwitch, "a handle was read for the pins"},
           {"read_last", 1, NeededBy::kContextSwitch, "the last of its batch"},
           {"read_sm", w.sm, NeededBy::kContextSwitch, "for whom"},
           {"control_valid", 1, NeededBy::kAll, "a set-up or a trap was sent in the last cycle"},
           {"control_kind", 1, NeededBy::kContextSwitch, "a trap"},
           {"control_sm", w.sm, NeededBy::kAll, "to whom"},
           {"control_context", w.context, NeededBy::kAll, "of a set-up"}}};
}

Structure event_outputs(const CoreSizes&, const Widths& w) {
  return {"event_outputs",
          "tsr_event_outputs",
          1,
          {},
          {{"kernel_done_valid", 1, NeededBy::kAll, "to the command dispatcher"},
           {"policy_invoked", 1, NeededBy::kObservation, "pulse"},
           {"policy_decided", 1, NeededBy::kObservation, "pulse"},
           {"activated", 1, NeededBy::kObservation, "pulse"},
           {"activated_buffer", w.buffer, NeededBy::kObservation, "which launch"},
           {"activated_ksr", w.ksr, NeededBy::kObservation, "to where"},
           {"moved", 1, NeededBy::kObservation, "pulse"},
           {"move", kMoveBits, NeededBy::kObservation, "assign, reserve, retarget"},
           {"moved_sm", w.sm, NeededBy::kObservation, "which SM"},
           {"moved_ksr", w.ksr, NeededBy::kObservation, "to whom"},
           {"cancelled", 1, NeededBy::kObservation, "pulse: a drain goes on"},
           {"preempted", 1, NeededBy::kObservation, "pulse: a hand-over"},
           {"preempted_sm", w.sm, NeededBy::kObservation, "which SM"},
           {"next_ksr", w.ksr, NeededBy::kObservation, "to whom; all ones: nobody"},
           {"released", 1, NeededBy::kObservation, "pulse: an SM goes idle"},
           {"released_sm", w.sm, NeededBy::kObservation, "which"}}};
}

std::uint64_t sum(const std::vector<Field>& fields, Memory memory) {
  std::uint64_t bits = 0;
  for (const Field& field : fields) bits += field.memory == memory ? field.bits : 0;
  return bits;
}

}  // namespace

const char* to_string(NeededBy needed_by) {
  switch (needed_by) {
    case NeededBy::kAll:
      return "all";
    case NeededBy::kPriorities:
      return "npq, ppq";
    case NeededBy::kPreemption:
      return "preemption";
    case NeededBy::kContextSwitch:
      return "context_switch";
    case NeededBy::kBreadthFirst:
      return "breadth_first";
    case NeededBy::kDssAndBreadthFirst:
      return "dss, breadth_first";
    case NeededBy::kFcfs:
      return "fcfs, npq";
    case NeededBy::kPpq:
      return "ppq";
    case NeededBy::kDss:
      return "dss";
    case NeededBy::kTimeSlice:
      return "time_slice";
    case NeededBy::kDssAndTimeSlice:
      return "dss, time_slice";
    case NeededBy::kPipelinedSearch:
      return "pipelined_search";
    case NeededBy::kObservation:
      return "observation";
  }
  return "?";
}

std::uint64_t Structure::bits(Memory memory) const { return num_rows * sum(row, memory) + sum(once, memory); }

std::uint64_t Structure::bits() const { return bits(Memory::kFlipFlops) + bits(Memory::kRam); }

std::vector<Structure> framework_structures(const CoreSizes& sizes) {
  if (spec::is_next_core_wanted()) return one_job::framework_structures(sizes);
  const Widths widths(sizes);
  std::vector<Structure> structures;
  for (const auto make : {command_buffers, active_queue, ksrt, smst, context_table, ptbq, ptbq_pointers, search, fcfs,
                          ppq, dss, time_slice, sm_driver, event_outputs}) {
    structures.push_back(make(sizes, widths));
  }
  if (sizes.is_pipelined) structures.push_back(search_stages(sizes, widths));
  return structures;
}

const Structure& structure(const std::vector<Structure>& structures, const std::string& name) {
  const auto found =
      std::find_if(structures.begin(), structures.end(), [&](const Structure& each) { return each.name == name; });
  if (found == structures.end()) throw std::out_of_range("no structure " + name);
  return *found;
}

std::uint64_t table_bits(const std::vector<Structure>& structures) {
  // The next core keeps a KSR's row, status and descriptor apart.
  constexpr std::array kNames{"command_buffers", "active_queue", "ksrt", "smst", "ksr_status", "ksr_descriptors"};
  std::uint64_t bits = 0;
  for (const Structure& each : structures) {
    if (std::find(kNames.begin(), kNames.end(), std::string(each.name)) != kNames.end()) bits += each.bits();
  }
  return bits;
}

}  // namespace tessera::storage
