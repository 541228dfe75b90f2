// SPDX-License-Identifier: Apache-2.0
// Waveform files.
#include "platform/clocked/waveform.h"

#include <algorithm>
#include <stdexcept>

#include "rtl_model/observe/gtkw_writer.h"

namespace tessera::platform {

Waveform::Waveform(const WaveformRequest& request) : request_(request), stream_(request.vcd, std::ios::binary) {
  if (!stream_) throw std::runtime_error("cannot write " + request.vcd.string());
}

void Waveform::attach(const spec::Spec& spec, rtl_model::ClockedEngine& engine) {
  const Clock clock(spec.gpu.clock_hz);
  rtl_model::VcdTracer::Window window;
  if (request_.from) window.from = clock.cycle_at(*request_.from);
  window.length = std::max<Cycle>(1, clock.cycles_in(request_.length));
  tracer_ = std::make_unique<rtl_model::VcdTracer>(stream_, spec.gpu.clock_hz, engine.params().clock_ratio, window,
                                                   request_.max_bytes, engine);
  engine.add_watcher(tracer_.get());
  std::filesystem::path save_file = request_.vcd;
  std::ofstream gtkw(save_file.replace_extension(".gtkw"), std::ios::binary);
  rtl_model::write_gtkw(gtkw, request_.vcd.filename().string(), engine);
}

std::optional<Cycle> Waveform::cut() {
  stream_.flush();
  if (!stream_) throw std::runtime_error("cannot write all of " + request_.vcd.filename().string());
  return tracer_ == nullptr ? std::nullopt : tracer_->cut();
}

}  // namespace tessera::platform
