// SPDX-License-Identifier: Apache-2.0
#include "testbench/lockstep_bench.h"

#include <fmt/format.h>

#include "cosim/compare.h"
#include "cosim/elaboration.h"

namespace tessera::testbench {
namespace {

constexpr Cycle kCyclesBetweenSnapshots = 64;         // registers agree in every cycle, not only at rest
constexpr Cycle kMaxCyclesToRest = 1'000'000;         // active ones
constexpr std::uint64_t kPicosecondsPerCycle = 1000;  // of a waveform

std::uint64_t seed_of(std::uint64_t seed, std::uint64_t episode) {
  return workload::mix64(workload::mix64(seed) + 0x9E3779B97F4A7C15ULL * (episode + 1));
}

std::string text(const cosim::Difference& difference) {
  return fmt::format("{}: {:#x} in rtl_model, {:#x} in rtl", difference.signal, difference.left, difference.right);
}

}  // namespace

// What lives from one reset to the next.
struct LockstepBench::Episode {
  Episode(const Profile& with, std::uint64_t seed) : profile(with), around(with, seed), board(with.params) {}

  void went_wrong(const std::string& with) {
    if (what.empty()) what = with;
  }

  Profile profile;
  Surroundings around;
  Scoreboard board;
  Cycle now = 0;
  Cycle active_cycles = 0;
  bool is_stopping = false;     // no more input
  bool waits_for_ever = false;  // kernels do: no debt, and no tokens; no SMs in their partitions
  bool was_resting = false;
  std::string what;  // went wrong
};

LockstepBench::LockstepBench(const Configuration& configuration, std::unique_ptr<cosim::IVerilatedCore> core)
    : configuration_(configuration), core_(std::move(core)) {}

std::optional<Failure> LockstepBench::run(std::uint64_t seed, Cycle active_cycles,
                                          const std::function<bool()>& is_interrupted) {
  const Cycle end = counts_.active_cycles + active_cycles;
  for (std::uint64_t episode = 0; counts_.active_cycles < end; ++episode) {
    if (is_interrupted && is_interrupted()) break;
    if (std::optional<Failure> failure = run_episode(seed, episode)) return failure;
  }
  return {};
}

std::optional<Failure> LockstepBench::run_episode(std::uint64_t seed, std::uint64_t number) {
  const std::uint64_t episode_seed = seed_of(seed, number);
  Profile profile = draw_profile(configuration_.params, configuration_.policies, episode_seed);
  if (!configuration_.has_linger) profile.params.linger_cycles = 0;
  Episode episode(profile, episode_seed);
  ++counts_.episodes;
  try {
    reset(episode.profile);
    compare(episode);
    compare_registers(episode);
    while (episode.what.empty() && !is_over(episode)) cycle(episode);
  } catch (const std::logic_error& error) {
    episode.went_wrong(error.what());  // rtl_model: a value did not fit its register
  }
  counts_.active_cycles += episode.active_cycles;
  counts_.cycles += episode.now;
  if (!episode.is_stopping) ++counts_.resets;
  coverage_.sample_reset();
  close_wave(episode.now);
  if (episode.what.empty()) return {};
  return Failure{configuration_.name,     seed, number, episode.now, episode.what, history_.lines(),
                 wave_ ? wave_->path : ""};
}

void LockstepBench::reset(const Profile& profile) {
  model_.reset(profile.params);
  core_->reset(cosim::straps_of(profile.params));
  coverage_.reset(model_);
  history_.clear();
  in_ = {};
}

// Either a reset cuts it short, or it ends when all kernels have.
bool LockstepBench::is_over(Episode& episode) const {
  if (episode.waits_for_ever) return true;
  if (episode.active_cycles < episode.profile.active_cycles) return false;
  if (!episode.profile.comes_to_rest) return true;
  if (!episode.is_stopping) episode.around.stop();
  episode.is_stopping = true;
  if (episode.active_cycles > episode.profile.active_cycles + kMaxCyclesToRest) {
    episode.went_wrong("the core does not come to rest");
  }
  return !episode.board.has_work() && model_.outputs().idle;
}

// ---- a cycle -------------------------------------------------------------------------------------------------

void LockstepBench::cycle(Episode& episode) {
  // 1. Inputs, from what rtl_model shows.
  const rtl_model::SchedulerOutputs& out = model_.outputs();
  episode.around.drive(episode.now, out, in_);
  const bool is_resting = out.idle && !in_.any();
  // 2. All that look on.
  sample_wave(episode.now);
  history_.note(episode.now, in_, out);
  episode.board.cycle(in_, out);
  if (!episode.board.violation().empty()) return episode.went_wrong(episode.board.violation());
  if (out.kernel_done.valid) ++counts_.kernels;
  if (out.events.turn_began) ++counts_.turns;
  if (out.switch_start) ++counts_.switches;
  if (!is_resting || !episode.was_resting) coverage_.sample(in_, out, episode.board);
  episode.around.settle(episode.now, in_, out, episode.board);
  if (is_resting && !episode.was_resting) compare_registers(episode);
  const std::uint32_t activated = out.events.activated ? out.events.ksr : rtl_model::kNone;
  // 3. The edge.
  if (!is_resting) ++episode.active_cycles;
  model_.cycle(in_);
  core_->cycle(in_);
  ++episode.now;
  compare(episode);
  if (activated != rtl_model::kNone) start_late(episode, activated);
  if (episode.active_cycles % kCyclesBetweenSnapshots == 0 && !is_resting) compare_registers(episode);
  if (is_resting) rest(episode);
  episode.was_resting = is_resting;
}

// A job that opens the kernel's row begins a cycle later at the earliest.
void LockstepBench::start_late(Episode& episode, std::uint32_t ksr) {
  const std::uint32_t first = episode.around.first_tb(episode.board.kernel(ksr).command.num_tbs);
  if (first == 0 || !core_->start_late(ksr, first)) return;
  model_.start_late(ksr, first);
  episode.board.start_late(ksr, first);
}

// Cycles in which nothing can happen are passed over.
void LockstepBench::rest(Episode& episode) {
  const Cycle next = episode.around.next_activity(model_.outputs(), in_);
  if (next >= kNever / 2) {
    episode.waits_for_ever = episode.board.has_work();
    if (episode.waits_for_ever && !episode.board.withholds_sms() && !episode.board.are_all_without_sms())
      episode.went_wrong("deadlock: core idle with work pending");
    return;
  }
  if (next > episode.now) episode.now = next;
}

void LockstepBench::compare(Episode& episode) {
  if (const auto difference = cosim::first_difference(model_.outputs(), core_->outputs())) {
    episode.went_wrong(text(*difference));
  }
  if (const std::string failed = core_->take_assertion_failure(); !failed.empty()) episode.went_wrong(failed);
}

void LockstepBench::compare_registers(Episode& episode) {
  if (!core_->has_registers()) return;
  ++counts_.snapshots;
  model_.read(of_model_);
  core_->read(of_core_);
  if (const auto difference = cosim::first_difference(of_model_, of_core_)) episode.went_wrong(text(*difference));
}

// ---- waveform ------------------------------------------------------------------------------------------------

void LockstepBench::keep_wave(const std::string& path, Cycle from) { wave_ = Wave{path, from, false}; }

void LockstepBench::sample_wave(Cycle now) {
  if (!wave_ || now < wave_->from) return;
  if (!wave_->is_open) wave_->is_open = core_->open_wave(wave_->path, {});
  core_->sample(now * kPicosecondsPerCycle);
}

void LockstepBench::close_wave(Cycle now) {
  if (!wave_) return;
  sample_wave(now);  // the cycle that went wrong
  core_->close_wave();
}

}  // namespace tessera::testbench
