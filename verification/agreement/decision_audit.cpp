// SPDX-License-Identifier: Apache-2.0
// Replays a log on the tables of the scheduling framework, a cycle at a time.
#include "verification/agreement/decision_audit.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <set>
#include <utility>
#include <variant>

#include "model/record/kind_info.h"
#include "model/spec/launch_priorities.h"
#include "model/spec/policies.h"

namespace tessera::verification {

using record::Kind;
using record::kNoIndex;
using record::kNoNumber;
using record::Record;

namespace {

constexpr std::size_t kMaxFaults = 5;

policy::PolicyConfig policy_config(const spec::Spec& spec, const policy::SeenTurn* turn) {
  policy::PolicyConfig config;
  config.scheduler = spec.scheduler;
  config.num_sms = spec.gpu.num_sms;
  config.num_processes = static_cast<std::uint32_t>(spec.processes.size());
  for (const spec::ProcessSpec& process : spec.processes) config.tokens.push_back(process.tokens);
  config.turn = turn;
  return config;
}

// With what priority each kernel of an application is launched.
using Priorities = std::vector<std::set<std::uint32_t>>;

// `of_stream`: with which one is launched in a stream.
void note_priorities(const std::vector<spec::HostStep>& steps,
                     const std::function<std::uint32_t(std::uint32_t stream)>& of_stream, Priorities& priorities) {
  for (const spec::HostStep& step : steps) {
    if (const auto* launch = std::get_if<spec::Launch>(&step)) {
      priorities[launch->kernel].insert(of_stream(launch->stream));
    } else if (const auto* loop = std::get_if<spec::Loop>(&step)) {
      note_priorities(loop->body, of_stream, priorities);
    } else if (const auto* group = std::get_if<spec::Group>(&step)) {
      note_priorities(group->work, of_stream, priorities);
    } else if (const auto* graph = std::get_if<spec::Graph>(&step)) {
      for (const spec::HostStep* const node : spec::nodes_of(*graph)) {
        const auto* of_node = std::get_if<spec::Launch>(node);
        if (of_node == nullptr) continue;
        priorities[of_node->kernel].insert(of_stream(graph->stream));
      }
    }
  }
}

}  // namespace

DecisionAudit::DecisionAudit(const spec::Spec& spec, CoreKind core, std::unique_ptr<policy::IPolicy> judge)
    : spec_(spec),
      facts_(make_log_facts(spec)),
      is_breadth_first_(spec.scheduler.fill == spec::Fill::kBreadthFirst),
      times_(spec, core),
      is_one_job_(does_one_job(spec, core)),
      links_(spec),
      look_ahead_(
          links_.longest_round_trip() +
          std::max(Cycle{spec.gpu.framework.tb_issue_cycles} + Cycle{spec.gpu.num_sms} * spec.gpu.max_tbs_per_sm,
                   times_.activation() + times_.longest_search()) +
          8),
      tables_(spec.gpu.num_sms, spec.gpu.framework.num_ksrs, spec.gpu.framework.num_command_buffers),
      is_turn_kept_(spec::keeps_turn(spec.scheduler)),
      turn_{ContextId{0}, false, true, !spec::switches_gpu(spec.scheduler)},
      policy_(judge != nullptr ? std::move(judge)
                               : policy::make_policy(policy_config(spec, is_turn_kept_ ? &turn_ : nullptr))),
      sms_(spec.gpu.num_sms),
      port_(spec, core) {
  tables_.linger().set_enabled(spec::info(spec.scheduler.policy).has(spec::kKeepsSms) && spec.scheduler.linger > 0);
  find_priorities();
  if (!spec::is_partitioned(spec.scheduler)) return;
  tables_.set_partitioned(true);
  const std::vector<std::uint32_t> partitions = spec::partition_of_sms(spec);
  for (std::uint32_t sm = 0; sm < partitions.size(); ++sm) tables_.set_partition(SmId(sm), PartitionId(partitions[sm]));
}

// A log does not say in which stream a kernel was launched, nor when a driver's word changed a context's priority. A
// driver that holds groups back gives contexts priorities of its own.
void DecisionAudit::find_priorities() {
  is_lost_ = spec_.driver.kind == spec::DriverKind::kGloop && spec_.driver.on_timeout == spec::OnTimeout::kPreempt;
  const spec::LaunchPriorities launch_priorities(spec_);
  const bool is_held = !facts_.driver.is_empty();
  for (std::uint32_t i = 0; i < spec_.processes.size(); ++i) {
    const spec::ApplicationSpec& application = spec_.applications[spec_.processes[i].application];
    const auto of_stream = [&](std::uint32_t stream) {
      return is_held ? facts_.driver.plan.tasks[i].parameters.priority : launch_priorities.of(i, stream);
    };
    Priorities found(application.kernels.size());
    note_priorities(application.program, of_stream, found);
    priorities_.emplace_back();
    for (const std::set<std::uint32_t>& of_kernel : found) {
      if (of_kernel.size() > 1) is_lost_ = true;
      priorities_.back().push_back(of_kernel.empty() ? 0 : *of_kernel.begin());  // none: never launched
    }
  }
}

CommandBufferId DecisionAudit::buffer_of(std::uint16_t process) const {
  return CommandBufferId(process % spec_.gpu.framework.num_command_buffers);
}

// ---- the log, a cycle at a time --------------------------------------------------------------------------------

void DecisionAudit::consume(const Record& record) {
  if (is_lost_) return;
  look_ahead(record);
  queue(links_.at_core(record));
  while (!is_lost_ && batches_.front().front().cycle + look_ahead_ < record.cycle) {
    process(batches_.front());
    batches_.pop_front();
  }
}

// What comes over a link counts later than what others record meanwhile.
void DecisionAudit::queue(const Record& record) {
  auto at = batches_.end();
  while (at != batches_.begin() && (at - 1)->front().cycle > record.cycle) --at;
  const bool is_there = at != batches_.begin() && (at - 1)->front().cycle == record.cycle;
  if (!is_there) at = batches_.insert(at, Batch()) + 1;
  (at - 1)->push_back(record);
}

void DecisionAudit::finish(Cycle) {
  for (; !is_lost_ && !batches_.empty(); batches_.pop_front()) process(batches_.front());
}

void DecisionAudit::look_ahead(const Record& record) {
  if (record.kind == Kind::kKernelArrived) {
    if (record.launch >= launches_.size()) launches_.resize(record.launch + 1U);
    launches_[record.launch] = {record.process, record.kernel, kNoKsr};
  }
  if (record.kind == Kind::kKernelActivated) activations_.push_back(record.cycle);
  if (is_entry(record.kind) || record.kind == Kind::kPreemptionDone)
    sms_[record.sm].coming.push_back(
        {record.kind, record.cycle, record.launch, is_entry(record.kind) ? num_tbs_of(record) : 0, false});
}

bool DecisionAudit::is_entry(Kind kind) {
  return kind == Kind::kTbIssued || kind == Kind::kTbRestarted || kind == Kind::kRestoreStarted;
}

std::uint32_t DecisionAudit::num_tbs_of(const Record& record) const {
  if (record.kind != Kind::kRestoreStarted) return 1;
  return static_cast<std::uint32_t>(record.bytes / facts_of(launches_[record.launch]).context_bytes);
}

// Completions, then what SMs and hosts do, then the timer, then the policy (docs/concepts/readings.md, Order in a
// cycle).
void DecisionAudit::process(const Batch& batch) {
  const Cycle now = batch.front().cycle;
  run_timer(now);
  run_linger(now);
  end_unrecorded_search(now);
  // 1. Events. Breadth first, TBs are issued before anything else happens in a cycle.
  note_disturbances(batch);
  if (is_breadth_first_) {
    for (const Record& record : batch) tbs_entered(record);
    read_handles(now);
  }
  for (const Record& record : batch) {
    if (record.kind == Kind::kSmReleased && is_released_by_policy(batch, record)) continue;
    visit_event(record);
  }
  update_linger(now);
  run_timer(now + 1);
  end_unrecorded_search(now + 1);
  if (!is_one_job_) {
    for (const Record& record : batch) turn_changed(record);
  }
  // 2. Steps of the policy, in the order of their kinds.
  for (const Record& record : batch) visit_step(record);
  check_eviction(batch);
  // 3. What follows from them.
  for (const Record& record : batch) {
    if (record.kind == Kind::kSmReleased && is_released_by_policy(batch, record)) release(record);
    if (!is_breadth_first_) tbs_entered(record);
    if (is_one_job_) turn_changed(record);  // what a search of this cycle does not see yet
  }
  update_linger(now);
}

void DecisionAudit::note_disturbances(const Batch& batch) {
  const Cycle now = batch.front().cycle;
  const auto is_event = [&](const Record& r) {
    return is_disturbance(r) && !(r.kind == Kind::kSmReleased && is_released_by_policy(batch, r));
  };
  if (std::any_of(batch.begin(), batch.end(), is_event)) {
    if (!invocations_.empty()) seen_.push_back(tables_);
    last_disturbance_ = std::max(last_disturbance_, now);
  }
  for (const Record& record : batch) port_.consume(record);
  if (port_.free_at() > now + 1) last_disturbance_ = std::max(last_disturbance_, port_.free_at() - 1);
}

bool DecisionAudit::is_released_by_policy(const Batch& batch, const Record& released) const {
  return std::any_of(batch.begin(), batch.end(), [&](const Record& record) {
    return record.kind == Kind::kPreemptionRetargeted && record.sm == released.sm;
  });
}

// Does the record change what the policy looks at, other than by the policy's own doing?
bool DecisionAudit::is_disturbance(const Record& record) const {
  switch (record.kind) {
    case Kind::kTbFinished:
    case Kind::kTbSaved:
    case Kind::kPreemptionDone:
    case Kind::kSmReleased:
    case Kind::kKernelFinished:
    case Kind::kKernelArrived:
      return true;
    case Kind::kTbRestarted:
    case Kind::kTbIssued:  // on an SM that stays its owner's, a slot filled counts as much as one that is free
    case Kind::kRestoreStarted:
      return is_breadth_first_ || tables_.sm(SmId(record.sm)).status != policy::SmStatus::kRunning;
    default:
      return false;
  }
}

bool DecisionAudit::is_hand_over(const Record& set_up) const { return sms_[set_up.sm].preempted_at == set_up.cycle; }

// A search that finds nothing to do, while a command has come, is followed by the activation, without a record. It
// passes the turn all the same.
void DecisionAudit::end_unrecorded_search(Cycle until) {
  if (activations_.empty() || has_searched_) return;
  const Cycle ratio = spec_.scheduler.tbs_per_cycle;
  const Cycle end = activations_.front() - std::min(activations_.front(), times_.activation() / ratio);
  if (end >= until || end < span_begin_ + times_.search(tables_.active_queue().size()) / ratio) return;
  has_searched_ = true;
  policy_->step(tables_);
}

void DecisionAudit::fault(const Record& record, const std::string& what) {
  ++report_.num_faults;
  if (report_.faults.size() >= kMaxFaults) return;
  std::string text = fmt::format("cycle {}: {}", record.cycle, record::kind_info(record.kind).name);
  if (record.sm != kNoIndex) text += fmt::format(" sm {}", record.sm);
  if (record.launch != kNoNumber) text += fmt::format(" launch {}", record.launch);
  report_.faults.push_back(text + ": " + what);
}

}  // namespace tessera::verification
