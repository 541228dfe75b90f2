// SPDX-License-Identifier: Apache-2.0
// Names as in tsr_refill_entry, tsr_refill_lane, tsr_refill_steps, and in the parts that the lane asks.
#include "model/storage/refill_lane_structures.h"

#include <algorithm>

#include "model/storage/widths.h"

namespace tessera::storage {
namespace {

constexpr std::uint32_t kKindBits = 2;       // of an SM event
constexpr std::uint32_t kLeastLowBits = 12;  // of a thread block's number that the lane counts
constexpr NeededBy kLane = NeededBy::kRefillLane;

struct LaneWidths {
  explicit LaneWidths(const CoreSizes& sizes)
      : sm(index_or_count(sizes.num_sms)),
        ksr(index_or_count(sizes.num_ksrs)),
        slots(index_or_count(std::uint64_t{sizes.num_sms} * sizes.max_tbs_per_sm)),
        low(std::min(sizes.tb_width, std::max(kLeastLowBits, slots))),
        high(sizes.tb_width - low),
        tag(sizes.tag_width),
        step(2 * low + 2 * slots),
        base(high + 1 + 2 * sm) {}

  std::uint32_t sm, ksr, slots;
  std::uint32_t low, high;  // of a thread block's number
  std::uint32_t tag;
  std::uint32_t step, base;  // words
};

Structure entry(const CoreSizes& sizes, const LaneWidths& w) {
  return {"refill_entry",
          "tsr_refill_entry",
          sizes.num_sms,
          {{"a_row", 1, kLane, "the issue that entered is for this SM"},
           {"asked", 1, kLane, "an issue for the SM is on its way"},
           {"behind", 1, kLane, "it is behind the SM of the last issue"}},
          {{"a_valid", 1, kLane, "an entry is there"},
           {"a_issue", 1, kLane, "an issue, no event"},
           {"a_sm", w.sm, kLane, "the event's SM"},
           {"a_kind", kKindBits, kLane, "of the event"},
           {"a_tag", w.tag, kLane, "of the set-up that it answers"},
           {"s_valid", 1, kLane, "the same a cycle later"},
           {"s_sm", w.sm, kLane, "its SM"},
           {"s_issue", 1, kLane, "an issue, no event"},
           {"s_kind", kKindBits, kLane, "of the event"},
           {"s_tag", w.tag, kLane, "of the set-up that it answers"},
           {"b_valid", 1, kLane, "an entry waits for R"},
           {"b_sm", w.sm, kLane, "its SM"},
           {"b_ksr", w.ksr, kLane, "whose SM"},
           {"b_issue", 1, kLane, "an issue, no event"},
           {"b_kind", kKindBits, kLane, "of the event"},
           {"b_tag", w.tag, kLane, "of the set-up that it answers"},
           {"issue_first", 1, kLane, "an event entered last"}}};
}

Structure judged(const CoreSizes& sizes, const LaneWidths& w) {
  return {"refill_lane",
          "tsr_refill_lane",
          sizes.num_sms,
          {{"row", 1, kLane, "its SM's entry is judged"}},
          {{"valid", 1, kLane, "an entry is judged"},
           {"slow", 1, kLane, "it is the engine's"},
           {"issue", 1, kLane, "an issue, no event"},
           {"sm", w.sm, kLane, "its SM"},
           {"ksr", w.ksr, kLane, "whose SM"},
           {"kind", kKindBits, kLane, "of the event"},
           {"tag", w.tag, kLane, "of the set-up that it answers"}}};
}

Structure steps(const CoreSizes& sizes, const LaneWidths& w) {
  return {"refill_steps",
          "tsr_refill_steps",
          sizes.num_ksrs,
          {{"steps.next_tb", w.low, NeededBy::kAll, "low bits of the next one's number", Memory::kRam},
           {"steps.remaining", w.low, NeededBy::kAll, "of thread blocks never sent", Memory::kRam},
           {"steps.covered", w.slots, NeededBy::kAll, "free slots that wait for it", Memory::kRam},
           {"steps.outstanding", w.slots, NeededBy::kAll, "sent and not finished", Memory::kRam},
           {"bases.is_low", 1, kLane, "`remaining` has no upper bits", Memory::kRam},
           {"bases.owned", w.sm, NeededBy::kDssAndBreadthFirst, "SMs that run it", Memory::kRam},
           {"bases.reserved", w.sm, NeededBy::kDssAndBreadthFirst, "SMs whose next it is", Memory::kRam}},
          {{"row_read", 1, kLane, "the engine has read a row"},
           {"x_valid", 1, kLane, "an entry whose counters are read"},
           {"x_sm", w.sm, kLane, "its SM"},
           {"x_ksr", w.ksr, kLane, "its kernel"},
           {"x_fresh", 1, kLane, "a thread block starts"},
           {"x_issue", 1, kLane, "and none has ended"},
           {"x_frees_slot", 1, kLane, "one has ended, and its slot waits"},
           {"x_judges", 1, kLane, "`uncovered` may change"},
           {"same_1", 1, kLane, "the entry before it is of its kernel"},
           {"same_2", 1, kLane, "that before"},
           {"same_3", 1, kLane, "that before"},
           {"y_valid", 1, kLane, "an entry whose counters step"},
           {"y_sm", w.sm, kLane, "its SM"},
           {"y_ksr", w.ksr, kLane, "its kernel"},
           {"y_fresh", 1, kLane, "a thread block starts"},
           {"y_issue", 1, kLane, "and none has ended"},
           {"y_frees_slot", 1, kLane, "one has ended, and its slot waits"},
           {"y_judges", 1, kLane, "`uncovered` may change"},
           {"y_same", 1, kLane, "the entry before it is of its kernel"},
           {"y_step", w.step, kLane, "its counters, before that one's step"},
           {"y_base", w.base, kLane, "what does not change"},
           {"w_valid", 1, kLane, "an entry whose counters are written"},
           {"w_sm", w.sm, kLane, "its SM"},
           {"w_ksr", w.ksr, kLane, "its kernel"},
           {"w_fresh", 1, kLane, "pins: a thread block starts"},
           {"w_judges", 1, kLane, "`uncovered` may change"},
           {"w_step", w.step, kLane, "its counters"},
           {"w_base", w.base, kLane, "what does not change"},
           {"w_tb", w.low, kLane, "pins: the thread block's number, low bits"},
           {"w_few", 1, kLane, "a carry is near: the engine's"},
           {"v_valid", 1, kLane, "an entry a cycle after W"},
           {"v_ksr", w.ksr, kLane, "its kernel"},
           {"v_judges", 1, kLane, "`uncovered` may change"},
           {"v_step", w.step, kLane, "its counters"},
           {"v_base", 1 + 2 * w.sm, kLane, "what `uncovered` needs beside them"},
           {"u_valid", 1, kLane, "two cycles after W"},
           {"u_ksr", w.ksr, kLane, "its kernel"},
           {"u_judges", 1, kLane, "`uncovered` changes"}}};
}

// With the upper bits of thread blocks' numbers, where the lane does not count all of them.
Structure counters(const CoreSizes& sizes, const LaneWidths& w) {
  Structure all = steps(sizes, w);
  if (w.high > 0)
    all.row.push_back({"bases.next_tb", w.high, NeededBy::kAll, "upper bits of the next one's number", Memory::kRam});
  return all;
}

}  // namespace

void add_refill_lane(std::vector<Structure>& structures, const CoreSizes& sizes) {
  const LaneWidths w(sizes);
  const auto named = [&](const std::string& name) {
    return std::find_if(structures.begin(), structures.end(), [&](const Structure& each) { return each.name == name; });
  };
  // What stays where it was: the upper bits of `remaining`, and what the lane does not look at.
  std::vector<Field>& row = named("ksrt")->row;
  const auto is_of_lane = [](const Field& field) {
    const std::string name = field.name;
    return name == "row.next_tb" || name == "row.outstanding" || name == "row.covered" || name == "row.owned" ||
           name == "row.reserved";
  };
  row.erase(std::remove_if(row.begin(), row.end(), is_of_lane), row.end());
  row.front().bits = w.high;
  if (w.high == 0) row.erase(row.begin());

  std::vector<Field>& status = named("ksr_status")->row;
  status.push_back({"g_refill.refills", 1, kLane, "it has thread blocks that the lane may send"});
  status.push_back({"g_refill.tbs_per_sm", index_or_count(sizes.max_tbs_per_sm), kLane, "1 .. T_MAX"});
  named("ksr_status")->once.push_back({"g_refill.judges", 1, kLane, "counters were written in the last cycle"});
  named("ksr_status")->once.push_back({"g_refill.judges_2", 1, kLane, "in the one before"});
  Structure judge = *named("uncovered");
  judge.name = "refill_uncovered";
  for (Field& field : judge.once) field.needed_by = kLane;
  const Structure set_ups = {
      "set_ups", "tsr_set_ups", 1, {}, {{"g_awaits.awaits", 1, kLane, "the SM's set-up is to be sent"}}};
  structures.insert(named("pins"), {set_ups, entry(sizes, w), judged(sizes, w), counters(sizes, w), judge});
}

}  // namespace tessera::storage
