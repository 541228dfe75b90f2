// SPDX-License-Identifier: Apache-2.0
// From what SMs show to records.
#include "rtl_model/observe/recorder.h"
#include "rtl_model/params.h"

namespace tessera::rtl_model {

using record::Kind;

// ---- thread blocks and their contexts -------------------------------------------------------------------------

void Recorder::tb_issued(std::uint32_t sm, std::uint32_t slot, std::uint32_t tb, Cycle start) {
  SmView& view = sms_[sm];
  KernelView& kernel = kernels_[view.ksr];
  if (++kernel.fresh_tbs == kernel.launch.num_tbs) kernel.last_fresh_start = start;
  start_running(view, slot, start);
  ++view.residents;
  if (monitor_ != nullptr) {
    monitor_->tb_issued(KsrId(view.ksr), tb);
    check_residents(sm);
  }
  emit_tb(Kind::kTbIssued, sm, slot, tb, start, 0, engine_->clock().sm);
}

void Recorder::tb_finished(std::uint32_t sm, std::uint32_t slot, std::uint32_t tb, Cycle now) {
  SmView& view = sms_[sm];
  view.meter.stopped(1, now);
  --view.residents;
  ++kernels_[view.ksr].finished_tbs;
  if (monitor_ != nullptr) {
    monitor_->set_now(now);
    monitor_->tb_finished(KsrId(view.ksr), tb);
  }
  emit_tb(Kind::kTbFinished, sm, slot, tb, now, 0, now);
}

void Recorder::told_to_stop(std::uint32_t sm, bool flushes) {
  sms_[sm].technique = flushes ? record::Technique::kFlush : record::Technique::kContextSwitch;
}

void Recorder::tb_flushed(std::uint32_t sm, std::uint32_t slot, std::uint32_t tb, Cycle now) {
  SmView& view = sms_[sm];
  view.meter.stopped(1, now);
  --view.residents;
  ++view.flushed;
  if (monitor_ != nullptr) monitor_->tb_flushed(KsrId(view.ksr), tb);
  emit_tb(Kind::kTbFlushed, sm, slot, tb, now, 0, now);
}

void Recorder::sm_flushed(std::uint32_t sm, std::uint32_t count, Cycle lost, Cycle now) {
  record::Record flushed = about_sm(Kind::kSmFlushed, sm, now);
  flushed.value = count;
  flushed.cycles = lost;
  log_.emit(now, flushed);
}

void Recorder::tb_restarted(std::uint32_t sm, std::uint32_t slot, std::uint32_t tb, Cycle start) {
  SmView& view = sms_[sm];
  --kernels_[view.ksr].open_flushes;
  start_running(view, slot, start);
  ++view.residents;
  if (monitor_ != nullptr) {
    monitor_->tb_restarted(KsrId(view.ksr), tb);
    check_residents(sm);
  }
  emit_tb(Kind::kTbRestarted, sm, slot, tb, start, 0, engine_->clock().sm);
}

void Recorder::tbs_stopped(std::uint32_t sm, std::uint32_t count, Cycle now) { sms_[sm].meter.stopped(count, now); }

void Recorder::handle_sent(std::uint32_t sm, std::uint32_t slot, std::uint32_t tb) {
  sms_[sm].saved.emplace_back(slot, tb);
}

void Recorder::tb_restored(std::uint32_t sm, std::uint32_t slot, std::uint32_t tb,
                           const std::optional<std::string>& mismatch, Cycle now) {
  SmView& view = sms_[sm];
  --kernels_[view.ksr].open_saves;
  start_running(view, slot, now);
  ++view.residents;
  if (monitor_ != nullptr) {
    monitor_->tb_restored(KsrId(view.ksr), tb);
    if (mismatch) monitor_->violated(record::Invariant::kContextIntact, *mismatch);
    check_residents(sm);
  }
  emit_tb(Kind::kTbRestored, sm, slot, tb, now, view.launch.context_bytes_per_tb(), now);
}

void Recorder::save_started(std::uint32_t sm, std::uint64_t bytes, Cycle now) {
  sms_[sm].saved_bytes = bytes;
  record::Record started = about_sm(Kind::kSaveStarted, sm, now);
  started.bytes = bytes;
  log_.emit(now, started);
}

void Recorder::restore_started(std::uint32_t sm, std::uint64_t bytes, Cycle now) {
  record::Record started = about_sm(Kind::kRestoreStarted, sm, now);
  started.bytes = bytes;
  log_.emit(now, started);
  sms_[sm].meter.preemption_begins(now);
}

void Recorder::restore_done(std::uint32_t sm, std::uint64_t bytes, Cycle cycles, Cycle now) {
  record::Record done = about_sm(Kind::kRestoreDone, sm, now);
  done.bytes = bytes;
  done.cycles = cycles;
  log_.emit(now, done);
  sms_[sm].meter.preemption_ends(now);
}

// ---- loops of event-driven kernels -----------------------------------------------------------------------------

void Recorder::loops_left(const KernelView& kernel, Cycle now) {
  const Launch& launch = kernel.launch;
  const LoopMemory& memory = engine_->loop_memory();
  record::Record left;
  left.cycle = now;
  left.kind = Kind::kLoopsLeft;
  left.process = launch.process;
  left.launch = static_cast<std::uint32_t>(launch.id);
  left.value = memory.loops_left(launch.context);
  left.bytes = kernel.loop_bytes;
  if (memory.is_told(launch.context, launch.loops->number)) left.cycles = now - memory.told_at(launch.context);
  log_.emit(now, left);
}

void Recorder::loop_resumed(std::uint32_t sm, std::uint32_t slot, std::uint32_t tb, cooperative::Position steps,
                            std::uint64_t bytes, Cycle now) {
  emit_loop(Kind::kLoopResumed, sm, slot, tb, steps, bytes, now);
}

void Recorder::loop_left(std::uint32_t sm, std::uint32_t slot, std::uint32_t tb, cooperative::Position steps,
                         std::uint64_t bytes, Cycle now) {
  emit_loop(Kind::kLoopLeft, sm, slot, tb, steps, bytes, now);
  kernels_[sms_[sm].ksr].loop_bytes += bytes;
}

void Recorder::io_requested(std::uint32_t sm, std::uint32_t, std::uint32_t tb, const cooperative::Step& io, Cycle now) {
  record::Record asked;
  asked.cycle = now;
  asked.kind = Kind::kIoRequested;
  asked.process = sms_[sm].launch.process;
  asked.tb = tb;
  asked.bytes = io.bytes;
  asked.value = io.direction == spec::IoDirection::kWrite ? 1 : 0;
  log_.emit(now, asked);
}

void Recorder::emit_loop(Kind kind, std::uint32_t sm, std::uint32_t slot, std::uint32_t tb, cooperative::Position steps,
                         std::uint64_t bytes, Cycle now) {
  record::Record record = about_sm(kind, sm, now);
  record.process = sms_[sm].launch.process;
  record.slot = static_cast<std::uint16_t>(slot);
  record.tb = tb;
  record.value = steps;
  record.bytes = bytes;
  log_.emit(now, record);
}

}  // namespace tessera::rtl_model
