// SPDX-License-Identifier: Apache-2.0
// Requests move to the front of the end that they led to.
#include "verification/log_check/causes.h"

#include <algorithm>

#include "model/record/technique.h"

namespace tessera::verification::log_check {

using record::Kind;
using record::Record;

namespace {

bool is_of(const Record& record, Kind kind, const Record& done) {
  return record.kind == kind && record.sm == done.sm && record.launch == done.launch;
}

}  // namespace

void put_requests_first(std::vector<Record>& cycle) {
  for (std::size_t i = 0; i < cycle.size(); ++i) {
    const Record done = cycle[i];
    // Where victims are chosen the owner may stay: what follows in its cycle is of the next preemption.
    if (done.kind != Kind::kPreemptionDone || chooses_victims(done.technique)) continue;
    const auto from = cycle.begin() + static_cast<std::ptrdiff_t>(i);
    const bool is_asked_now = std::any_of(
        from, cycle.end(), [&done](const Record& each) { return is_of(each, Kind::kPreemptionRequested, done); });
    // One that was asked for before is done with this; a request of its owner, who has the SM again, is another.
    if (is_asked_now && done.cycles > 0) continue;
    const auto behind = std::stable_partition(from, cycle.end(), [&done](const Record& each) {
      return is_of(each, Kind::kPreemptionRequested, done) || is_of(each, Kind::kPreemptionRetargeted, done);
    });
    i = static_cast<std::size_t>(behind - cycle.begin());
  }
}

}  // namespace tessera::verification::log_check
