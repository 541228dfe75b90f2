// SPDX-License-Identifier: Apache-2.0
// Pins in words.
#include "cosim/history.h"

#include <fmt/format.h>

#include <algorithm>

namespace tessera::cosim {

using namespace rtl_model;  // NOLINT(google-build-using-namespace): every second word here

namespace {

constexpr std::array<const char*, 6> kRegisters = {"policy",     "priority",  "tokens",
                                                   "page table", "partition", "slice end"};
constexpr std::array<const char*, 3> kTurnCauses = {"dry", "slice over", "off the run list"};
constexpr std::array<const char*, 4> kEvents = {"TB done", "set-up done", "restore done", "preempted"};
constexpr std::array<const char*, 3> kMoves = {"assign", "reserve", "retarget"};

template <typename E>
std::size_t at(E value) {
  return static_cast<std::size_t>(value);
}

std::string ksr_name(std::uint32_t ksr) { return ksr == kNone ? "nobody" : fmt::format("KSR {}", ksr); }

// What goes in.
std::string text(const SchedulerInputs& in, const SchedulerOutputs& out) {
  std::string text;
  const CommandPins& command = in.command;
  if (command.valid) {
    text +=
        fmt::format(" command(buffer {}, context {}, priority {}, {} TBs, {} per SM, descriptor {:#x})", command.buffer,
                    command.context, command.priority, command.num_tbs, command.tbs_per_sm, command.descriptor);
  }
  if (in.control.valid) {
    text += fmt::format(" write({}, context {}, {:#x}{})", kRegisters[at(in.control.reg)], in.control.context,
                        in.control.data, out.control_ready ? "" : ", waits");
  }
  if (in.slice_tick) text += " tick";
  if (in.linger_over) text += " linger over";
  if (in.lists_change) text += fmt::format(" waiting {:#x} listed {:#x}", in.waiting.word(0), in.listed.word(0));
  if (in.switch_over) text += " switch over";
  if (in.sm_event.valid) {
    const bool is_tagged = in.sm_event.kind == SmEventKind::kSetupDone && in.sm_event.tag != 0;
    text += fmt::format(" {}(SM {}{}{})", kEvents[at(in.sm_event.kind)], in.sm_event.sm,
                        is_tagged ? fmt::format(", tag {}", in.sm_event.tag) : "", out.sm_event_ready ? "" : ", waits");
  }
  if (in.handle.valid) text += fmt::format(" handle(SM {}, TB {})", in.handle.sm, in.handle.tb);
  return text;
}

// What comes out.
std::string text(const SchedulerOutputs& out) {
  std::string text;
  const EventPins& events = out.events;
  if (out.kernel_done.valid) text += fmt::format(" kernel_done({:#x})", out.kernel_done.descriptor);
  if (out.usage.valid) text += fmt::format(" usage(context {}: {} freed)", out.usage.context, out.usage.freed);
  if (events.policy_decided) text += events.withheld ? " decided (SMs stay idle by rule)" : " decided";
  if (events.policy_invoked) text += " invoked";
  if (events.activated) text += fmt::format(" activated(buffer {}, KSR {})", events.buffer, events.ksr);
  if (events.moved) {
    text += fmt::format(" {}(SM {} for KSR {}{})", kMoves[at(events.move)], events.sm, events.ksr,
                        events.cancelled ? ", cancelled" : "");
  }
  if (events.preempted) {
    text += fmt::format(" hand-over(SM {} to {})", events.sm, events.released ? "nobody" : ksr_name(events.ksr));
  } else if (events.released) {
    text += fmt::format(" release(SM {})", events.sm);
  }
  if (events.evicted) text += " evicted";
  if (events.turn_passed) text += fmt::format(" turn passed({})", kTurnCauses[at(events.turn_cause)]);
  if (events.turn_began) text += fmt::format(" turn began(context {})", out.turn);
  if (out.switch_start) text += fmt::format(" switch({} runs)", out.switch_runs ? "something" : "nothing");
  if (out.sm_control.valid) {
    constexpr const char* kCommands[] = {"set-up", "trap", "flush"};
    text += fmt::format(" {}(SM {}{})", kCommands[static_cast<unsigned>(out.sm_control.kind)], out.sm_control.sm,
                        out.sm_control.tag != 0 ? fmt::format(", tag {}", out.sm_control.tag) : "");
  }
  if (out.dispatch.valid) {
    text += fmt::format(" {}(SM {}, TB {}{})", out.dispatch.is_restore ? "restore" : "issue", out.dispatch.sm,
                        out.dispatch.tb, out.dispatch.last ? ", last" : "");
  }
  return text;
}

bool is_quiet(const SchedulerOutputs& out) {
  return !out.switch_start && !out.kernel_done.valid && !out.usage.valid && !out.events.any() &&
         !out.sm_control.valid && !out.dispatch.valid;
}

}  // namespace

void History::note(Cycle cycle, const SchedulerInputs& in, const SchedulerOutputs& out) {
  if (!in.any() && is_quiet(out)) return;
  entries_[num_++ % kDepth] = {cycle, in, out};
}

std::vector<std::string> History::lines() const {
  std::vector<std::string> lines;
  for (std::size_t i = num_ - std::min(num_, kDepth); i < num_; ++i) {
    const Entry& entry = entries_[i % kDepth];
    const std::string in = text(entry.in, entry.out);
    lines.push_back(fmt::format("{:>8}: in{} | out{}", entry.cycle, in.empty() ? " -" : in, text(entry.out)));
  }
  return lines;
}

}  // namespace tessera::cosim
