// SPDX-License-Identifier: Apache-2.0
// Samples of the Verilog core.
#include "platform/clocked/fst_tracer.h"

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "rtl_model/observe/vcd_writer.h"
#include "rtl_model/params.h"

namespace tessera::platform {
namespace {

class Collector final : public rtl_model::ISignalSink {
 public:
  void enter(const std::string& instance) override {
    scopes_.push_back((scopes_.empty() ? "" : scopes_.back() + ".") + rtl_model::vcd_name(instance));
  }
  void leave() override { scopes_.pop_back(); }
  void signal(const std::string& name, unsigned width, std::function<std::uint64_t()> value) override {
    signals_.push_back({scopes_.back(), rtl_model::vcd_name(name), width, std::move(value)});
  }
  std::vector<cosim::WaveSignal> take() { return std::move(signals_); }

 private:
  std::vector<std::string> scopes_;
  std::vector<cosim::WaveSignal> signals_;
};

}  // namespace

FstTracer::FstTracer(const std::filesystem::path& path, std::uint64_t clock_hz,
                     const rtl_model::WaveWindow::Bounds& bounds, std::uint64_t max_bytes,
                     VerilatedScheduler& scheduler, const rtl_model::IWatchedEngine& engine)
    : path_(path),
      core_clock_(clock_hz * engine.params().clock_ratio),
      window_(bounds, engine),
      max_bytes_(max_bytes),
      engine_(engine),
      core_(scheduler.core()) {
  Collector surroundings;
  engine.list_surroundings(surroundings);
  if (!core_.open_wave(path.string(), surroundings.take())) {
    throw std::logic_error("the Verilog core was built without waves");
  }
  // A core that is clocked shows this cycle's registers before the edge only.
  scheduler.on_clock([this] { keep(engine_.clock()); });
}

// A core that stands still shows them all the time.
void FstTracer::watch(const rtl_model::ClockCount& clock) {
  if (!engine_.is_core_active()) keep(clock);
}

void FstTracer::keep(const rtl_model::ClockCount& clock) {
  if (!is_open_) return;
  if (window_.takes(clock)) {
    core_.sample(core_clock_.time_of(clock.core));
    window_.kept(clock, is_full());
  }
  is_open_ = !window_.is_over(clock);
  if (!is_open_) core_.close_wave();
}

bool FstTracer::is_full() {
  constexpr std::uint64_t kSamplesBetweenLooks = 4096;
  return ++num_samples_ % kSamplesBetweenLooks == 0 && std::filesystem::file_size(path_) >= max_bytes_;
}

}  // namespace tessera::platform
