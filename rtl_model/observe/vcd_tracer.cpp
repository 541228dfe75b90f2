// SPDX-License-Identifier: Apache-2.0
// Sampling the clocked half for its waveform.
#include "rtl_model/observe/vcd_tracer.h"

#include <utility>

#include "rtl_model/params.h"

namespace tessera::rtl_model {

class VcdTracer::Declarer final : public ISignalSink {
 public:
  Declarer(VcdWriter& writer, std::vector<Signal>& signals) : writer_(writer), signals_(signals) {}
  void enter(const std::string& instance) override { writer_.enter_scope(instance); }
  void leave() override { writer_.leave_scope(); }
  void signal(const std::string& name, unsigned width, std::function<std::uint64_t()> value) override {
    signals_.push_back({std::move(value), writer_.declare(name, width)});
  }

 private:
  VcdWriter& writer_;
  std::vector<Signal>& signals_;
};

VcdTracer::VcdTracer(std::ostream& out, std::uint64_t clock_hz, const WaveWindow::Bounds& bounds,
                     std::uint64_t max_bytes, const IWatchedEngine& engine)
    : writer_(out),
      core_clock_(clock_hz * engine.params().clock_ratio),
      window_(bounds, engine),
      max_bytes_(max_bytes) {
  Declarer declarer(writer_, signals_);
  declarer.enter(kVcdRoot);
  engine.list_signals(declarer);
  declarer.leave();
  writer_.end_declarations();
}

void VcdTracer::watch(const ClockCount& clock) {
  if (!window_.takes(clock)) return;
  const Picoseconds time = core_clock_.time_of(clock.core);
  has_first_values_ ? write_changes(time) : write_first(time);
  window_.kept(clock, writer_.num_bytes() >= max_bytes_);
}

void VcdTracer::write_first(Picoseconds time) {
  writer_.begin_first_values(time);
  for (Signal& signal : signals_) writer_.write_first(signal.variable, signal.value());
  writer_.end_first_values();
  has_first_values_ = true;
}

void VcdTracer::write_changes(Picoseconds time) {
  writer_.set_time(time);
  for (Signal& signal : signals_) writer_.write_change(signal.variable, signal.value());
}

}  // namespace tessera::rtl_model
