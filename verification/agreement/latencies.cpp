// SPDX-License-Identifier: Apache-2.0
// Shortest times from the record that begins something to the one that ends it.
#include "verification/agreement/latencies.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

namespace tessera::verification {

using record::Kind;
using record::Record;

namespace {

// So often, one of them will have waited for nobody.
constexpr std::uint64_t kMinSamples = 8;

// A clocked core that moves an SM makes another's event wait (docs/hardware/timing.md, section 8), perhaps every time.
constexpr Cycle kTolerance = 2;

}  // namespace

LatencyMeter::LatencyMeter(const spec::Spec& spec, CoreKind core)
    : links_(spec),
      port_(spec, core),
      is_channel_divided_(spec.channel_sharing == spec::ChannelSharing::kStatic),
      is_microcode_(spec.gpu.framework.gpu_switch.model == spec::SaveModel::kMicrocode),
      set_up_cycles_(spec.gpu.framework.sm_setup_cycles),
      is_save_a_job_(does_one_job(spec, core)) {}

LatencyMeter::Sm& LatencyMeter::sm_of(const Record& record) {
  if (record.sm >= sms_.size()) sms_.resize(record.sm + 1U);
  return sms_[record.sm];
}

void LatencyMeter::consume(const Record& record) {
  port_.consume(links_.at_core(record));
  switch (record.kind) {
    case Kind::kSmSetUp:
      sm_of(record) = {};
      sm_of(record).set_up = record.cycle;
      return;
    case Kind::kTbIssued:
      return set_up_over(sm_of(record), record);
    case Kind::kPreemptionRequested:
      // One that is set up, or restores, gives way later.
      if (sm_of(record).set_up == kNever && sm_of(record).move_started == kNever)
        sm_of(record).requested = record.cycle;
      return;
    case Kind::kSaveStarted:
      if (sm_of(record).requested != kNever) {
        // Microcode first copies what there is, which is no constant.
        note(is_microcode_ ? fmt::format("trap of {} bytes", record.bytes) : "trap",
             record.cycle - sm_of(record).requested - links_.down(record.sm));
      }
      return move_started(record);
    case Kind::kTbRestarted:  // how long handles take to read is no constant
      sm_of(record).set_up = kNever;
      return;
    case Kind::kRestoreStarted:
      sm_of(record).set_up = kNever;
      return move_started(record);
    case Kind::kTbSaved:
      ++sm_of(record).num_handles;
      return;
    case Kind::kPreemptionDone:
      if (record.bytes > 0) move_over(record, "save");
      sm_of(record) = {};
      return;
    case Kind::kRestoreDone:
      return move_over(record, "restore");
    default:
      return;
  }
}

// What its links take is no part of it: each SM may have its own.
void LatencyMeter::set_up_over(Sm& sm, const Record& first) {
  if (sm.set_up != kNever) {
    const Cycle on_links = links_.round_trip(first.sm);
    const Cycle taken = sm.set_up + set_up_cycles_ + on_links + 1;  // its event, if it did not wait
    note("set_up", first.cycle - sm.set_up - on_links - links_.down(first.sm),
         std::max(taken, port_.free_at()) - taken);
  }
  sm.set_up = kNever;
}

void LatencyMeter::move_started(const Record& record) {
  Sm& sm = sm_of(record);
  sm.move_started = record.cycle;
  sm.moving_bytes = record.bytes;
  sm.num_handles = 0;
  sm.is_alone = num_moving_++ == 0;
  if (sm.is_alone) return;
  for (Sm& other : sms_) other.is_alone = false;
}

void LatencyMeter::move_over(const Record& record, const char* what) {
  Sm& sm = sm_of(record);
  if (sm.move_started == kNever) return;
  --num_moving_;
  // A clocked core takes handles one a cycle, and then the event: saves of less are not told apart.
  const Cycle handles = sm.num_handles == 0 ? 0 : sm.num_handles + 1;
  // The end of a save is recorded when its job is done, a restore's when the contexts are in.
  const bool may_wait = is_save_a_job_ && record.kind == Kind::kPreemptionDone;
  const Cycle waited = may_wait ? port_.free_at() - record.cycle : 0;
  const Cycle on_link = record.kind == Kind::kPreemptionDone ? links_.up(record.sm) : 0;
  if (sm.is_alone || is_channel_divided_)
    note(fmt::format("{} of {} bytes", what, sm.moving_bytes),
         std::max(record.cycle - sm.move_started - on_link, handles), waited);
  sm.move_started = kNever;
}

void LatencyMeter::note(const std::string& name, Cycle cycles, Cycle waited) {
  Latency& latency = latencies_[name];
  ++latency.samples;
  std::tie(latency.shortest, latency.waited) =
      std::min(std::tuple(latency.shortest, latency.waited), std::tuple(cycles, waited));
}

std::vector<std::string> compare_latencies(const Latencies& tlm, const Latencies& clocked) {
  std::vector<std::string> differences;
  for (const auto& [name, in_tlm] : tlm) {
    const auto found = clocked.find(name);
    if (found == clocked.end()) continue;
    const Latency& in_clocked = found->second;
    const bool is_sure = std::min(in_tlm.samples, in_clocked.samples) >= kMinSamples;
    const bool is_earlier = in_clocked.shortest + in_tlm.waited + kTolerance < in_tlm.shortest;
    const bool is_later = in_clocked.shortest > in_tlm.shortest + in_clocked.waited + kTolerance;
    if (!is_sure || (!is_earlier && !is_later)) continue;
    differences.push_back(
        fmt::format("{}: {} cycles in tlm, {} in clocked", name, in_tlm.shortest, in_clocked.shortest));
  }
  return differences;
}

}  // namespace tessera::verification
