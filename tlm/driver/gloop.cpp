// SPDX-License-Identifier: Apache-2.0
// The GLoop scheduler: it hands the token out. What host event loops do stands in gloop_calls.cpp.
#include "tlm/driver/gloop.h"

#include <algorithm>
#include <string>
#include <tuple>

#include "model/spec/spec.h"

namespace tessera::tlm_model {

GloopDriver::GloopDriver(const sc_core::sc_module_name& name, const spec::Spec& spec, GpuPort& gpu,
                         InterruptService& interrupts, RpcMemory& rpc, record::RecordLog& log)
    : sc_module(name),
      spec_(spec),
      gpu_(gpu),
      interrupts_(interrupts),
      rpc_(rpc),
      log_(log),
      time_(spec.gpu.clock_hz),
      has_token_(spec.driver.kind == spec::DriverKind::kGloop),
      preempts_(has_token_ && spec.driver.on_timeout == spec::OnTimeout::kPreempt),
      pass_through_(spec, gpu, interrupts),
      token_(cooperative::token_parameters(spec.driver, time_.clock()), *this) {
  if (spec.host.io) u_disk_ = std::make_unique<Disk>("u_disk", spec);
  for (std::uint32_t i = 0; i < spec.processes.size(); ++i) {
    HostLoop& loop = host_loops_.emplace_back();
    if (!spec.applications[spec.processes[i].application].has_io()) continue;
    const std::string server = "u_io_server_" + std::to_string(i);
    loop.io_server = std::make_unique<IoServer>(server.c_str(), spec, i, gpu, interrupts, rpc, *u_disk_, log);
  }
  rpc_.on_request = [this](const LoopRequest& request) { take_request(request); };
  SC_HAS_PROCESS(GloopDriver);
  SC_METHOD(schedule);
  sensitive << schedule_event_;
  dont_initialize();
}

void GloopDriver::note_change(std::uint32_t process, bool is_release) {
  changes_.push_back({time_.now(), process, is_release});
  schedule_event_.notify(time_.until(time_.now() + 1));
}

void GloopDriver::schedule() {
  const Cycle now = time_.now();
  take_changes(now);
  token_.schedule(now);
  report_grant(now);
  const Cycle due = std::min(token_.next_due(), grant_.at);
  const bool has_changes = !changes_.empty();
  if (has_changes) schedule_event_.notify(time_.until(now + 1));
  if (due != kNever && !has_changes) schedule_event_.notify(time_.until(std::max(due, now + 1)));
}

// Those of earlier cycles.
void GloopDriver::take_changes(Cycle until) {
  const auto first_later = std::stable_partition(changes_.begin(), changes_.end(),
                                                 [until](const Change& change) { return change.cycle < until; });
  std::sort(changes_.begin(), first_later, [](const Change& a, const Change& b) {
    return std::tuple(!a.is_release, a.cycle, a.process) < std::tuple(!b.is_release, b.cycle, b.process);
  });
  for (auto change = changes_.begin(); change != first_later; ++change) {
    change->is_release ? token_.release(change->process) : token_.request(change->process, change->cycle);
  }
  changes_.erase(changes_.begin(), first_later);
}

void GloopDriver::report_grant(Cycle now) {
  if (grant_.at > now) return;
  emit(record::Kind::kTokenGranted, grant_.process, grant_.at, grant_.waited);
  grant_.at = kNever;
}

void GloopDriver::on_granted(cooperative::Session session, Cycle waited, Cycle at) {
  HostLoop& loop = host_loops_[session];
  loop.granted_at = at;
  grant_ = {session, at, waited};
  if (preempts_) gpu_.set_priority(session, std::max<std::uint32_t>(1, spec_.processes[session].priority));
  loop.granted.notify(time_.until(at));
}

void GloopDriver::on_told_to_yield(cooperative::Session session, Cycle held) {
  emit(record::Kind::kYieldRequested, session, time_.now(), held);
  rpc_.tell_to_yield(session, host_loops_[session].launches);
}

void GloopDriver::on_killed(cooperative::Session session) {
  emit(record::Kind::kKernelKilled, session, time_.now());
  host_loops_[session].is_killed = true;
  rpc_.kill(session, host_loops_[session].launches);
}

// The policy below takes its SMs for those of a higher priority.
void GloopDriver::on_revoked(cooperative::Session session, Cycle held) {
  emit(record::Kind::kTokenRevoked, session, time_.now(), held);
  host_loops_[session].granted_at = kNever;
  gpu_.set_priority(session, 0);
}

void GloopDriver::emit(record::Kind kind, std::uint32_t process, Cycle at, Cycle cycles) {
  record::Record record;
  record.cycle = at;
  record.kind = kind;
  record.process = static_cast<std::uint16_t>(process);
  record.cycles = cycles;
  log_.emit(time_.now(), record);
}

}  // namespace tessera::tlm_model
