// SPDX-License-Identifier: Apache-2.0
// The choice of the next transfer, and its time on the link.
#include "tlm/dma/dma_engine.h"

#include <algorithm>
#include <tuple>

#include "model/record/numbers.h"
#include "model/spec/gpu_spec.h"
#include "model/spec/scheduler_spec.h"

namespace tessera::tlm_model {

DmaEngine::DmaEngine(const sc_core::sc_module_name& name, const spec::GpuSpec& gpu, spec::DmaPolicy policy,
                     record::RecordLog& log, IDmaClient& client, LinkTraffic* link)
    : sc_module(name),
      time_(gpu.clock_hz),
      pcie_(gpu),
      log_(log),
      client_(client),
      link_(link),
      is_by_priority_(policy == spec::DmaPolicy::kNpq),
      engines_(gpu.num_dma_engines) {
  SC_HAS_PROCESS(DmaEngine);
  SC_THREAD(run);  // a thread, since moving bytes may wait
}

void DmaEngine::submit(const DmaTransfer& transfer) {
  const Cycle now = time_.now();
  waiting_.push_back({transfer, now});
  schedule(now);
}

bool DmaEngine::is_busy() const {
  return !waiting_.empty() ||
         std::any_of(engines_.begin(), engines_.end(), [](const Engine& engine) { return engine.end != kNever; });
}

void DmaEngine::run() {
  for (;;) {
    wait(advance_event_);
    end_transfers();
    const Cycle now = time_.now();  // moving bytes may have taken time
    start_transfers(now);
    schedule(now);
  }
}

// A transfer has ended when its bytes lie there: system memory may add to the link's time.
void DmaEngine::end_transfers() {
  for (Engine& engine : engines_) {
    if (end_of(engine) > time_.now()) continue;
    if (engine.transfer.moves_bytes) client_.move_bytes(engine.transfer);
    engine.end = kNever;
    emit(record::Kind::kDmaEnded, engine.transfer, time_.now());
    client_.transfer_done(engine.transfer);
  }
}

void DmaEngine::start_transfers(Cycle now) {
  for (std::size_t i = 0; i < engines_.size(); ++i) {
    if (engines_[i].end != kNever) continue;
    auto best = waiting_.end();
    for (auto it = waiting_.begin(); it != waiting_.end(); ++it) {
      if (it->stamp >= now || !serves(i, it->transfer)) continue;
      if (best == waiting_.end() || goes_before(*it, *best)) best = it;
    }
    if (best == waiting_.end()) continue;
    engines_[i] = {best->transfer, now + std::max<Cycle>(1, pcie_.transfer(best->transfer.bytes))};
    waiting_.erase(best);
    if (link_ != nullptr) link_->copy_started(direction_of(engines_[i].transfer), engines_[i].transfer.bytes, now);
    emit(record::Kind::kDmaStarted, engines_[i].transfer, now);
    client_.transfer_started();
  }
}

// As far as is known: messages that are still to come may put it off.
Cycle DmaEngine::end_of(const Engine& engine) const {
  if (engine.end == kNever || link_ == nullptr) return engine.end;
  return engine.end + link_->copy_delay(direction_of(engine.transfer));
}

LinkDirection DmaEngine::direction_of(const DmaTransfer& transfer) {
  return transfer.is_to_host ? LinkDirection::kToHost : LinkDirection::kToGpu;
}

// Two engines: one for each direction.
bool DmaEngine::serves(std::size_t engine, const DmaTransfer& transfer) const {
  return engines_.size() == 1 || (engine == 1) == transfer.is_to_host;
}

bool DmaEngine::goes_before(const Waiting& a, const Waiting& b) const {
  if (is_by_priority_ && a.transfer.priority != b.transfer.priority) return a.transfer.priority > b.transfer.priority;
  return std::tuple(a.stamp, index(a.transfer.queue)) < std::tuple(b.stamp, index(b.transfer.queue));
}

void DmaEngine::schedule(Cycle now) {
  Cycle next = kNever;
  for (std::size_t i = 0; i < engines_.size(); ++i) {
    next = std::min(next, end_of(engines_[i]));
    for (const Waiting& waiting : waiting_) {
      if (engines_[i].end == kNever && serves(i, waiting.transfer))
        next = std::min(next, std::max(now, waiting.stamp) + 1);
    }
  }
  if (next != kNever) advance_event_.notify(time_.until(next));
}

void DmaEngine::emit(record::Kind kind, const DmaTransfer& transfer, Cycle now) {
  record::Record record;
  record.cycle = now;
  record.kind = kind;
  record.process = transfer.process;
  record.bytes = transfer.bytes;
  record::number::is_to_host(record) = transfer.is_to_host ? 1 : 0;
  log_.emit(now, record);
}

}  // namespace tessera::tlm_model
