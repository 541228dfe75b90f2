// SPDX-License-Identifier: Apache-2.0
#include "testbench/agents/surroundings.h"

#include <algorithm>

namespace tessera::testbench {
namespace {

constexpr std::uint64_t kTbsBeforeCarry = 12;
constexpr std::uint32_t kTbsBeforeEnd = 100;  // of a kernel

}  // namespace

Surroundings::Surroundings(const Profile& profile, std::uint64_t seed)
    : profile_(profile), random_(seed), host_(profile, random_.next()), sms_(profile, random_.next()) {}

void Surroundings::drive(Cycle now, const rtl_model::SchedulerOutputs& out, rtl_model::SchedulerInputs& in) {
  sms_.drive(now, in);
  host_.drive(now, out, in);
}

void Surroundings::settle(Cycle now, const rtl_model::SchedulerInputs& in, const rtl_model::SchedulerOutputs& out,
                          const Scoreboard& board) {
  sms_.settle(now, in, out);
  if (in.sm_event.valid && out.sm_event_ready && board.finishing_context()) {
    host_.see_finish(now, *board.finishing_context());
  }
  if (out.events.moved && out.events.move != rtl_model::MoveKind::kAssign) hurry(now, out.events, board);
}

// An SM is taken away: its kernel, or the one that is to get it, finishes meanwhile.
void Surroundings::hurry(Cycle now, const rtl_model::EventPins& events, const Scoreboard& board) {
  if (!random_.chance(profile_.sms.hurry_permille)) return;
  const std::uint32_t ksr = random_.one_in(2) ? events.ksr : board.sm(events.sm).ksr;
  if (ksr == rtl_model::kNone) return;
  for (std::uint32_t sm = 0; sm < profile_.params.num_sms; ++sm) {
    if (board.sm(sm).ksr == ksr) sms_.hurry(now, sm);
  }
}

// So that the number of the next one, or of those that are left, soon carries.
std::uint32_t Surroundings::first_tb(std::uint32_t num_tbs) {
  const unsigned bits = profile_.host.carry_bits;
  if (profile_.host.nears_limit && profile_.host.starts_late && num_tbs > kTbsBeforeEnd && random_.one_in(2))
    return num_tbs - random_.in32(1, kTbsBeforeEnd);
  if (!profile_.host.starts_late || num_tbs >> bits == 0) return 0;
  const std::uint64_t multiple = random_.in(1, num_tbs >> bits) << bits;
  const std::uint64_t before = random_.in(1, kTbsBeforeCarry);
  const std::uint64_t first = random_.one_in(2) ? multiple - before : num_tbs - multiple + before;
  return first < num_tbs ? static_cast<std::uint32_t>(first) : 0;
}

Cycle Surroundings::next_activity(const rtl_model::SchedulerOutputs& out, const rtl_model::SchedulerInputs& in) const {
  return std::min(host_.next_activity(out, in), sms_.next_activity());
}

}  // namespace tessera::testbench
