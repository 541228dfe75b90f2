// SPDX-License-Identifier: Apache-2.0
// A slice ends where the SM's phase, or the kernel that it is drawn as, changes.
#include "model/record/trace/sm_slices.h"

#include "model/record/kind_info.h"

namespace tessera::record {

SmSlices::SmSlices(std::uint32_t num_sms, const std::optional<SetUp>& set_up, ISmSliceListener& listener)
    : sms_(num_sms), set_up_(set_up), listener_(listener) {}

void SmSlices::consume(const Record& record) {
  has_thread_blocks_ = has_thread_blocks_ || is_per_tb(record.kind);
  if (record.kind == Kind::kSmsWithheld) {
    for (std::uint32_t sm = 0; sm < sms_.size(); ++sm) follow(sm, record);
  } else if (kind_info(record.kind).has(kFieldSm)) {
    follow(record.sm, record);
  }
}

void SmSlices::follow(std::uint32_t index, const Record& record) {
  Sm& sm = sms_.at(index);
  sm.held.apply(record);
  if (sm.held.is_used()) return show_parts(index, record.cycle);
  sm.state.apply(record);
  // A shared SM is drawn as its guest's: the owner is the one of the slice before.
  const SmPhase phase = sm.state.phase();
  show(sm.whole, index, 0, phase, phase == SmPhase::kShared ? sm.state.guest() : sm.state.launch(), record.cycle);
}

// A part shows the kernel in its middle, where kernels lie side by side in the order of their launches.
void SmSlices::show_parts(std::uint32_t index, Cycle cycle) {
  constexpr std::uint64_t kWhole = 1'000'000;
  Sm& sm = sms_[index];
  sm.parts.resize(kPartsOfSharedSm);
  auto kernel = sm.held.held().begin();
  std::uint64_t below = 0;  // what the kernels up to this one hold
  for (std::uint32_t i = 0; i < kPartsOfSharedSm; ++i) {
    const std::uint64_t middle = kWhole * (2 * i + 1) / (2 * kPartsOfSharedSm);
    while (kernel != sm.held.held().end() && below + kernel->share_ppm <= middle) below += (kernel++)->share_ppm;
    const bool is_free = kernel == sm.held.held().end();
    show(sm.parts[i], index, i, is_free ? SmPhase::kIdle : sm.held.phase(), is_free ? kNoNumber : kernel->launch,
         cycle);
  }
}

void SmSlices::show(Open& open, std::uint32_t sm, std::uint32_t part, SmPhase phase, std::uint32_t launch,
                    Cycle cycle) {
  if (phase == open.phase && launch == open.launch) return;
  if (set_up_ && open.phase == SmPhase::kSetUp && !has_thread_blocks_) end_set_up(open, sm, part, phase, cycle);
  if (open.phase != SmPhase::kIdle && open.since < cycle) {
    listener_.sm_slice({sm, part, open.since, cycle, open.phase, open.launch});
  }
  open = {phase, launch, cycle};
}

// Where the log does not tell, a set-up is followed by running if it was long enough for that.
void SmSlices::end_set_up(Open& open, std::uint32_t sm, std::uint32_t part, SmPhase next, Cycle cycle) {
  const Cycle idle = next == SmPhase::kRestoring ? set_up_->latest_restore : set_up_->first_tb;
  if (open.since + idle >= cycle) return;
  const Cycle end = open.since + set_up_->first_tb;
  listener_.sm_slice({sm, part, open.since, end, open.phase, open.launch});
  open.since = end;
  open.phase = SmPhase::kRunning;
}

void SmSlices::finish(Cycle end) {
  for (std::uint32_t i = 0; i < sms_.size(); ++i) {
    show(sms_[i].whole, i, 0, SmPhase::kIdle, kNoNumber, end);
    std::uint32_t part = 0;
    for (Open& open : sms_[i].parts) show(open, i, part++, SmPhase::kIdle, kNoNumber, end);
  }
}

}  // namespace tessera::record
