// SPDX-License-Identifier: Apache-2.0
#include "testbench/mutation/recording.h"

#include <fmt/format.h>

#include <stdexcept>

#include "cosim/core_library.h"
#include "testbench/lockstep_bench.h"

namespace tessera::testbench {
namespace {

constexpr std::size_t kStepsOfEpisode = 1000;

// Hands everything on, and writes it down.
class RecordingCore final : public cosim::IVerilatedCore {
 public:
  RecordingCore(std::unique_ptr<cosim::IVerilatedCore> core, Recording& recording)
      : core_(std::move(core)), recording_(recording) {}

  void reset(const cosim::Straps& straps) override {
    core_->reset(straps);
    recording_.episodes.push_back({straps, core_->outputs(), {}, {}});
  }
  void cycle(const rtl_model::SchedulerInputs& inputs) override {
    core_->cycle(inputs);
    Recording::Episode& episode = recording_.episodes.back();
    if (episode.steps.size() == kStepsOfEpisode) return;
    episode.steps.push_back({inputs, core_->outputs()});
    if (episode.steps.size() % Recording::kStepsBetweenSnapshots != 0) return;
    read_registers(*core_, episode.registers.emplace_back());
  }
  const rtl_model::SchedulerOutputs& outputs() const override { return core_->outputs(); }
  void read(rtl_model::CoreSnapshot& snapshot) override { core_->read(snapshot); }
  bool open_wave(const std::string& path, std::vector<cosim::WaveSignal> extra) override {
    return core_->open_wave(path, std::move(extra));
  }
  void sample(std::uint64_t time_ps) override { core_->sample(time_ps); }
  void close_wave() override { core_->close_wave(); }
  void write_coverage(const std::string& path) override { core_->write_coverage(path); }
  std::string take_assertion_failure() override { return core_->take_assertion_failure(); }

 private:
  std::unique_ptr<cosim::IVerilatedCore> core_;
  Recording& recording_;
};

// Of a KSR most fields are in RAM, and with them what the ring holds.
void forget_memories(rtl_model::CoreSnapshot& snapshot) {
  for (rtl_model::KsrSnapshot& ksr : snapshot.ksrt) {
    const rtl_model::KsrSnapshot whole = ksr;
    ksr = {};
    ksr.valid = whole.valid;
    ksr.context = whole.context;
    ksr.priority = whole.priority;
  }
  for (rtl_model::CommandSnapshot& command : snapshot.command_buffers) {
    command.num_tbs = command.tbs_per_sm = command.due = command.partition = 0;
    command.descriptor = 0;
    command.has_due = false;
  }
  for (rtl_model::ContextSnapshot& context : snapshot.contexts) context.page_table = context.budget = 0;
  snapshot.ptbq.clear();
}

}  // namespace

void read_registers(cosim::IVerilatedCore& core, rtl_model::CoreSnapshot& snapshot) {
  core.read(snapshot);
  forget_memories(snapshot);
}

std::uint64_t Recording::num_cycles() const {
  std::uint64_t sum = 0;
  for (const Episode& episode : episodes) sum += episode.steps.size();
  return sum;
}

Recording record(const Configuration& configuration, std::uint64_t seed, std::uint64_t cycles) {
  Recording recording;
  auto core = cosim::make_core(cosim::BuildRequest(cosim::Elaboration(configuration.params)));
  LockstepBench bench(configuration, std::make_unique<RecordingCore>(std::move(core), recording));
  std::uint64_t num_cycles = 0;
  for (std::uint64_t episode = 0; num_cycles < cycles; ++episode) {
    if (const std::optional<Failure> failure = bench.run_episode(seed, episode)) {
      throw std::runtime_error(
          fmt::format("rtl_model and rtl differ without any mutation: configuration {}, seed {}, episode {}, {}",
                      configuration.name, seed, episode, failure->what));
    }
    num_cycles += recording.episodes.back().steps.size();
  }
  return recording;
}

}  // namespace tessera::testbench
