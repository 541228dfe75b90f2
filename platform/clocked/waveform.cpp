// SPDX-License-Identifier: Apache-2.0
// Waveform files.
#include "platform/clocked/waveform.h"

#include <algorithm>
#include <stdexcept>

#include "model/spec/spec.h"
#include "platform/clocked/fst_tracer.h"
#include "platform/clocked/lockstep_scheduler.h"
#include "rtl_model/engine/clocked_engine.h"
#include "rtl_model/observe/gtkw_writer.h"
#include "rtl_model/observe/vcd_tracer.h"

namespace tessera::platform {
namespace {

// The Verilog core of an engine that has one.
VerilatedScheduler& verilated_scheduler_of(const rtl_model::ClockedEngine& engine) {
  rtl_model::ISchedulerCore& core = engine.scheduler();
  if (auto* lockstep = dynamic_cast<LockstepScheduler*>(&core)) return lockstep->rtl();
  return dynamic_cast<VerilatedScheduler&>(core);
}

}  // namespace

Waveform::Waveform(const WaveformRequest& request) : request_(request) {
  if (request.vcd.empty()) return;
  vcd_.open(request.vcd, std::ios::binary);
  if (!vcd_) throw std::runtime_error("cannot write " + request.vcd.string());
}

void Waveform::attach(const spec::Spec& spec, rtl_model::ClockedEngine& engine) {
  const Clock clock(spec.gpu.clock_hz);
  rtl_model::WaveWindow::Bounds bounds;
  if (request_.from) bounds.from = clock.cycle_at(*request_.from);
  bounds.length = std::max<Cycle>(1, clock.cycles_in(request_.length));
  if (!request_.vcd.empty()) attach_vcd(spec.gpu.clock_hz, bounds, engine);
  if (!request_.fst.empty()) attach_fst(spec.gpu.clock_hz, bounds, engine);
  for (const File& file : files_) engine.add_watcher(file.tracer.get());
}

void Waveform::attach_vcd(std::uint64_t clock_hz, const rtl_model::WaveWindow::Bounds& bounds,
                          rtl_model::ClockedEngine& engine) {
  files_.push_back({request_.vcd.filename().string(),
                    std::make_unique<rtl_model::VcdTracer>(vcd_, clock_hz, bounds, request_.max_bytes, engine)});
  std::filesystem::path save_file = request_.vcd;
  std::ofstream gtkw(save_file.replace_extension(".gtkw"), std::ios::binary);
  rtl_model::write_gtkw(gtkw, request_.vcd.filename().string(), engine);
}

void Waveform::attach_fst(std::uint64_t clock_hz, const rtl_model::WaveWindow::Bounds& bounds,
                          rtl_model::ClockedEngine& engine) {
  files_.push_back(
      {request_.fst.filename().string(), std::make_unique<FstTracer>(request_.fst, clock_hz, bounds, request_.max_bytes,
                                                                     verilated_scheduler_of(engine), engine)});
}

Cycle Waveform::next_sample() const {
  Cycle next = kNever;
  for (const File& file : files_) next = std::min(next, file.tracer->window().next_sample());
  return next;
}

std::vector<std::pair<std::string, Cycle>> Waveform::cuts() {
  if (!request_.vcd.empty() && !vcd_.flush()) {
    throw std::runtime_error("cannot write all of " + request_.vcd.filename().string());
  }
  std::vector<std::pair<std::string, Cycle>> cuts;
  for (const File& file : files_) {
    if (file.tracer->window().cut()) cuts.emplace_back(file.name, *file.tracer->window().cut());
  }
  return cuts;
}

}  // namespace tessera::platform
