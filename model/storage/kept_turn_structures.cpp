// SPDX-License-Identifier: Apache-2.0
// Names as in tsr_kept_turn and in the parts that heed a kept turn.
#include "model/storage/kept_turn_structures.h"

#include <algorithm>

#include "model/storage/widths.h"

namespace tessera::storage {
namespace {

constexpr std::uint32_t kSliceEndBits = 2;
constexpr std::uint32_t kStateBits = 2;
constexpr std::uint32_t kCauseBits = 2;

Structure kept_turn(const CoreSizes& sizes, std::uint32_t context) {
  return {"kept_turn",
          "tsr_kept_turn",
          sizes.num_contexts,
          {{"waiting", 1, NeededBy::kKeptTurn, "a launch of the context is on its way"},
           {"listed", 1, NeededBy::kKeptTurn, "it is on the run list"},
           {"slice_end", kSliceEndBits, NeededBy::kKeptTurn, "what becomes of its SMs when its slice ends"}},
          {{"state", kStateBits, NeededBy::kKeptTurn, "of the turn: nobody, owned, leaving, switching"},
           {"next", context, NeededBy::kKeptTurn, "who gets the turn next"},
           {"has_next", 1, NeededBy::kKeptTurn, "that is fixed"},
           {"tick", 1, NeededBy::kKeptTurn, "a tick waits"},
           {"over", 1, NeededBy::kKeptTurn, "the slice is over, and nobody took the turn"},
           {"runs", 1, NeededBy::kKeptTurn, "something ran as the turn passed"},
           {"evicts", 1, NeededBy::kKeptTurn, "an eviction is due"},
           {"loaded", 1, NeededBy::kKeptTurn, "somebody has had the turn"},
           {"unlisted", 1, NeededBy::kKeptTurn, "the turn goes to nobody"},
           {"passed", 1, NeededBy::kKeptTurn, "leaving: an owner, not whom the turn found"},
           {"skips", 1, NeededBy::kKeptTurn, "switching: there is nothing to switch"},
           {"waiting_changed", 1, NeededBy::kKeptTurn, "in the cycle before: the core is not idle"},
           {"switch_start", 1, NeededBy::kKeptTurn, "pin: a switch begins"},
           {"passed_out", 1, NeededBy::kObservation, "pulse: the turn has passed"},
           {"began_out", 1, NeededBy::kObservation, "pulse: it has begun"},
           {"cause", kCauseBits, NeededBy::kObservation, "why it has passed"}}};
}

Structure queued_contexts(const CoreSizes& sizes, std::uint32_t context) {
  return {
      "queued_contexts",
      "tsr_commands",
      sizes.num_contexts,
      {{"g_queued.queued", 1, NeededBy::kKeptTurn, "a command of the context waits in a buffer"}},
      {{"g_nearness.distance", context, NeededBy::kKeptTurn, "from the turn to the context of a command that passes"},
       {"g_nearness.best_distance", context, NeededBy::kKeptTurn, "to that of the nearest so far"}}};
}

Structure spread(const CoreSizes& sizes) {
  const std::uint32_t resident = index_or_count(sizes.max_tbs_per_sm);
  return {
      "spread",
      "tsr_spread",
      sizes.num_ksrs,
      {{"saved_per_sm", resident, NeededBy::kKeptTurn, "of TBs in the ring, the most that one SM had", Memory::kRam}},
      {{"g_spread.most", resident, NeededBy::kKeptTurn, "the same, of the open row"},
       {"g_spread.spreads", 1, NeededBy::kKeptTurn, "a batch ends by it"},
       {"g_spread.left", resident + 1, NeededBy::kKeptTurn, "TBs until then"}}};
}

}  // namespace

void add_kept_turn(std::vector<Structure>& structures, const CoreSizes& sizes) {
  const std::uint32_t context = std::max(1U, bits_for(sizes.num_contexts));
  const auto named = [&](const std::string& name) {
    return std::find_if(structures.begin(), structures.end(), [&](const Structure& each) { return each.name == name; });
  };
  const auto add = [&](const char* name, const Field& field) { named(name)->once.push_back(field); };
  add("search", {"g_evict.evict", 1, NeededBy::kKeptTurn, "state: an eviction is carried out"});
  add("engine", {"g_evict.evicts", 1, NeededBy::kKeptTurn, "kind of job: an eviction"});
  add("policy_register", {"g_turn.kept", 1, NeededBy::kKeptTurn, "the turn is kept"});
  add("policy_register", {"g_turn.of_gpu", 1, NeededBy::kKeptTurn, "switch scope"});
  const Structure control = {
      "turn_control",
      "tsr_turn_control",
      1,
      {},
      {{"g_kept_turn.evicted", 1, NeededBy::kObservation, "pulse: an eviction was carried out"}}};
  structures.insert(named("policy"),
                    {kept_turn(sizes, context), control, queued_contexts(sizes, context), spread(sizes)});
}

}  // namespace tessera::storage
