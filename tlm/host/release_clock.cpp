// SPDX-License-Identifier: Apache-2.0
// Which releases have come, which of them wait, and which are skipped. What ends and what is released in one cycle may
// come in any order: nothing here depends on it.
#include "tlm/host/release_clock.h"

#include "model/record/numbers.h"
#include "model/spec/spec.h"

namespace tessera::tlm_model {

ReleaseClock::ReleaseClock(const sc_core::sc_module_name& name, const spec::Spec& spec, std::uint32_t process,
                           record::RecordLog& log)
    : sc_module(name),
      process_(spec.processes[process]),
      index_(static_cast<std::uint16_t>(process)),
      times_(spec, process),
      log_(log),
      time_(spec.gpu.clock_hz),
      deadline_(spec::deadline_cycles(process_, time_.clock())) {
  look_ahead();
  SC_HAS_PROCESS(ReleaseClock);
  SC_METHOD(release);
  SC_METHOD(announce);
  sensitive << cycle_passed_;
  dont_initialize();
}

std::optional<std::uint32_t> ReleaseClock::wait_for_run() {
  drop_passed();
  while (!is_over_ && waiting_.empty()) wait(released_);
  if (is_over_) return std::nullopt;
  running_ = waiting_.front().run;
  waiting_.pop_front();
  return running_;
}

bool ReleaseClock::has_run() {
  drop_passed();
  return is_over_ || !waiting_.empty();
}

void ReleaseClock::end_run() {
  running_.reset();
  last_end_ = time_.now();
  ++num_ended_;
  drop_passed();
  is_over_ = num_ended_ == process_.runs || (waiting_.empty() && !next_);
}

void ReleaseClock::release() {
  const Cycle now = time_.now();
  bool has_come = false;
  for (; !is_over_ && next_ && next_->cycle <= now; look_ahead()) {
    waiting_.push_back(*next_);
    unannounced_.push_back(*next_);
    has_come = true;
  }
  if (has_come) {
    released_.notify(sc_core::SC_ZERO_TIME);
    // By the end of the cycle it is clear which runs have ended in it.
    cycle_passed_.notify(time_.at(now + 1) - sc_core::sc_time(1, sc_core::SC_PS) - sc_core::sc_time_stamp());
  }
  if (!is_over_ && next_) next_trigger(time_.until(next_->cycle));
}

void ReleaseClock::announce() {
  const bool skips = process_.releases->overrun == spec::Overrun::kSkip;
  for (const Release& release : unannounced_) {
    if (is_over_) break;  // with the run that ended in this cycle
    const std::uint64_t others = skips ? (running_ && *running_ < release.run ? 1 : 0) : release.run - num_ended_;
    emit(release, others + 1);
  }
  unannounced_.clear();
}

// As many as there are to be runs; which of them is the last where some are skipped, only time tells.
void ReleaseClock::look_ahead() {
  const std::uint32_t run = next_ ? next_->run + 1 : 0;
  const bool is_limited = process_.runs && process_.releases->overrun == spec::Overrun::kQueue;
  const std::optional<Picoseconds> time = is_limited && run == *process_.runs ? std::nullopt : times_.next();
  next_.reset();
  if (time) next_ = Release{run, time_.clock().cycles_in(*time)};
}

void ReleaseClock::drop_passed() {
  if (process_.releases->overrun != spec::Overrun::kSkip) return;
  while (!waiting_.empty() && waiting_.front().cycle < last_end_) waiting_.pop_front();
}

void ReleaseClock::emit(const Release& release, std::uint64_t num_open) {
  record::Record record;
  record.cycle = release.cycle;
  record.kind = record::Kind::kRunReleased;
  record.process = index_;
  record.run = release.run;
  record::number::deadline(record) = deadline_;
  record::number::open_runs(record) = num_open;
  log_.emit(time_.now(), record);
}

}  // namespace tessera::tlm_model
