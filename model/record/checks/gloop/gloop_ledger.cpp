// SPDX-License-Identifier: Apache-2.0
// A cycle in the order of its causes: loops leave, the host hears of it, the next launch begins.
#include "model/record/checks/gloop/gloop_ledger.h"

#include <algorithm>
#include <utility>

namespace tessera::record::gloop_check {
namespace {

// The driver hears of a release in the cycle after it, so what it tells the holder in that cycle comes before.
constexpr Kind kCauses[] = {Kind::kLoopLeft,       Kind::kTbFinished,     Kind::kLoopsLeft,    Kind::kIoDone,
                            Kind::kYieldRequested, Kind::kTokenRevoked,   Kind::kKernelKilled, Kind::kTokenReleased,
                            Kind::kRunEnded,       Kind::kTokenRequested, Kind::kTokenGranted, Kind::kKernelArrived,
                            Kind::kLoopResumed,    Kind::kIoRequested};

std::size_t place_among_causes(Kind kind) {
  return static_cast<std::size_t>(std::find(std::begin(kCauses), std::end(kCauses), kind) - std::begin(kCauses));
}

}  // namespace

Ledger::Ledger(const GloopFacts& facts, Complain complain)
    : facts_(facts), complain_(std::move(complain)), tokens_(facts_, complain_), loops_(facts_, tokens_, complain_) {}

void Ledger::visit(const Record& record) {
  if (place_among_causes(record.kind) == std::size(kCauses)) return;
  if (record.kind != Kind::kTbFinished && record.process >= facts_.kernels.size()) return;
  if (!cycle_.empty() && cycle_.front().cycle != record.cycle) settle();
  cycle_.push_back(record);
}

void Ledger::settle() {
  std::stable_sort(cycle_.begin(), cycle_.end(), [](const Record& a, const Record& b) {
    return place_among_causes(a.kind) < place_among_causes(b.kind);
  });
  for (const Record& record : cycle_) {
    if (record.kind != Kind::kTbFinished) tokens_.visit(record);
    loops_.visit(record);
  }
  cycle_.clear();
}

}  // namespace tessera::record::gloop_check
