// SPDX-License-Identifier: Apache-2.0
// Offsets, clocked less transaction-level: what follows other events by sums and maxima is no further off than they.
#include "verification/agreement/driver_inputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "verification/agreement/agreement.h"

namespace tessera::verification {
namespace {

std::int64_t offset(Cycle tlm, Cycle clocked) {
  return static_cast<std::int64_t>(clocked) - static_cast<std::int64_t>(tlm);
}
Cycle size_of(std::int64_t offset) { return static_cast<Cycle>(std::abs(offset)); }

bool are_on_gpu_together(const GroupTimes& a, const GroupTimes& b) {
  return a.submitted && b.submitted && *a.submitted < b.done.value_or(kNever) && *b.submitted < a.done.value_or(kNever);
}

// The last of a process's groups that was done by then.
const GroupTimes* last_done(const std::vector<GroupTimes>& groups, Cycle by) {
  const GroupTimes* last = nullptr;
  for (const GroupTimes& group : groups) {
    if (group.done && *group.done <= by && (last == nullptr || *group.done > *last->done)) last = &group;
  }
  return last;
}

}  // namespace

DriverInputs::DriverInputs(const DriverStory& tlm, const DriverStory& clocked, const LogSummary& tlm_summary,
                           const LogSummary& clocked_summary, const Explanations& explanations,
                           const DriverReport& looks)
    : tlm_(tlm),
      clocked_(clocked),
      tlm_summary_(tlm_summary),
      clocked_summary_(clocked_summary),
      explanations_(explanations),
      tick_(looks.tick),
      interrupt_(looks.interrupt),
      is_wall_time_(looks.measured_sms == 0) {}

void DriverInputs::Hull::add(Offset offset) {
  least = is_empty ? offset : std::min(least, offset);
  most = is_empty ? offset : std::max(most, offset);
  is_empty = false;
}

std::vector<std::string> DriverInputs::unexplained() const {
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < std::max(tlm_.groups.size(), clocked_.groups.size()); ++i) {
    const auto process = static_cast<std::uint16_t>(i);
    judge_arrivals(process, lines);
    for (std::size_t nth = 0; in_tlm({process, nth}) != nullptr && in_clocked({process, nth}) != nullptr; ++nth) {
      const Ref ref{process, nth};
      const GroupTimes& tlm = *in_tlm(ref);
      const GroupTimes& clocked = *in_clocked(ref);
      if (!tlm.submitted || !clocked.submitted) break;
      if (tlm.done && clocked.done) judge_service(ref, lines);
      if (tlm.done.has_value() != clocked.done.has_value()) judge_open(ref, lines);
    }
  }
  return lines;
}

// ---- arrivals --------------------------------------------------------------------------------------------------

void DriverInputs::judge_arrivals(std::uint16_t process, std::vector<std::string>& lines) const {
  for (std::size_t nth = 0;; ++nth) {
    const Ref ref{process, nth};
    const GroupTimes* const tlm = in_tlm(ref);
    const GroupTimes* const clocked = in_clocked(ref);
    if (tlm == nullptr || clocked == nullptr) return judge_missing(ref, lines);
    const Hull causes = causes_of_arrival(ref);
    const bool is_exact = causes.least == 0 && causes.most == 0;
    const auto quantum = static_cast<Offset>(is_exact ? 0 : tick_);
    const Offset found = offset(tlm->arrived, clocked->arrived);
    if (found >= causes.least - quantum && found <= causes.most + quantum) continue;
    lines.push_back(
        fmt::format("process {} group {} arrives at cycle {} in tlm, {} in clocked, what it follows {:+} to {:+}",
                    process, nth, tlm->arrived, clocked->arrived, causes.least, causes.most));
  }
}

// Of a group that both logs have. The first one follows nothing.
DriverInputs::Hull DriverInputs::causes_of_arrival(const Ref& ref) const {
  Hull hull;
  const Cycle in_tlm_log = in_tlm(ref)->arrived;
  const Cycle in_clocked_log = in_clocked(ref)->arrived;
  add_run_start(ref.process, in_tlm_log, in_clocked_log, hull);
  if (ref.nth == 0) return hull;
  const Ref before{ref.process, ref.nth - 1};
  hull.add(offset(in_tlm(before)->doorbell, in_clocked(before)->doorbell));
  add_last_done(ref, in_tlm_log, in_clocked_log, hull);
  return hull;
}

void DriverInputs::add_run_start(std::uint16_t process, Cycle in_tlm_log, Cycle in_clocked_log, Hull& hull) const {
  const auto num_until = [process](const DriverStory& story, Cycle by) -> std::size_t {
    if (process >= story.run_starts.size()) return 0;
    const std::vector<Cycle>& starts = story.run_starts[process];
    return static_cast<std::size_t>(std::upper_bound(starts.begin(), starts.end(), by) - starts.begin());
  };
  const std::size_t num = std::min(num_until(tlm_, in_tlm_log), num_until(clocked_, in_clocked_log));
  hull.add(num == 0 ? 0 : offset(tlm_.run_starts[process][num - 1], clocked_.run_starts[process][num - 1]));
}

// In either log.
void DriverInputs::add_last_done(const Ref& ref, Cycle in_tlm_log, Cycle in_clocked_log, Hull& hull) const {
  for (const bool is_tlm : {true, false}) {
    const std::vector<GroupTimes>& groups = (is_tlm ? tlm_ : clocked_).groups[ref.process];
    const GroupTimes* const last = last_done(groups, is_tlm ? in_tlm_log : in_clocked_log);
    if (last == nullptr) continue;
    const Ref same{ref.process, static_cast<std::size_t>(last - groups.data())};
    const GroupTimes* const tlm = in_tlm(same);
    const GroupTimes* const clocked = in_clocked(same);
    if (tlm != nullptr && clocked != nullptr && tlm->done && clocked->done)
      hull.add(offset(*tlm->done, *clocked->done));
  }
}

// The first group that has come in one log only. What it follows may not have come in the other, and is judged there.
void DriverInputs::judge_missing(const Ref& ref, std::vector<std::string>& lines) const {
  const bool is_in_tlm = in_tlm(ref) != nullptr;
  const GroupTimes* const there = is_in_tlm ? in_tlm(ref) : in_clocked(ref);
  if (there == nullptr) return;
  const DriverStory& here = is_in_tlm ? clocked_ : tlm_;
  Offset latest = 0;  // of the log that lacks it, less the other
  if (ref.nth > 0) {
    const GroupTimes* const before = here.group(ref.process, ref.nth - 1);
    if (!before->submitted) return;
    const DriverStory& other = is_in_tlm ? tlm_ : clocked_;
    latest = std::max(latest, offset(other.group(ref.process, ref.nth - 1)->doorbell, before->doorbell));
    if (const GroupTimes* const last = last_done(other.groups[ref.process], there->arrived)) {
      const GroupTimes* const same =
          here.group(ref.process, static_cast<std::size_t>(last - other.groups[ref.process].data()));
      if (same == nullptr || !same->done) return;
      latest = std::max(latest, offset(*last->done, *same->done));
    }
  }
  if (there->arrived + static_cast<Cycle>(latest) + tick_ + turnaround_tolerance(0) >= here.end) return;
  lines.push_back(fmt::format("process {} group {} arrives at cycle {} in {}, not until {} in {}", ref.process, ref.nth,
                              there->arrived, is_in_tlm ? "tlm" : "clocked", here.end, is_in_tlm ? "clocked" : "tlm"));
}

// ---- time on the GPU -------------------------------------------------------------------------------------------

void DriverInputs::judge_service(const Ref& ref, std::vector<std::string>& lines) const {
  const GroupTimes& tlm = *in_tlm(ref);
  const GroupTimes& clocked = *in_clocked(ref);
  const Cycle service = *clocked.done - clocked.doorbell;
  const Offset later = offset(*tlm.done - tlm.doorbell, service);
  const Offset charged = offset(tlm.charged, clocked.charged);
  const bool is_time = !is_covered(ref, size_of(later), service);
  // Of wall time no more is charged than what the times differ by.
  const bool is_charge = is_wall_time_ && !is_time && size_of(charged) > size_of(later) &&
                         !is_covered(ref, size_of(charged), clocked.charged);
  if ((!is_time && !is_charge) || is_explained(ref)) return;
  lines.push_back(is_time ? fmt::format("process {} group {} is on the GPU for {} cycles in tlm, {} in clocked",
                                        ref.process, ref.nth, *tlm.done - tlm.doorbell, service)
                          : fmt::format("process {} group {} is charged {} cycles in tlm, {} in clocked", ref.process,
                                        ref.nth, tlm.charged, clocked.charged));
}

// Done in one log only: it is known how long the open one has taken.
void DriverInputs::judge_open(const Ref& ref, std::vector<std::string>& lines) const {
  const bool is_open_in_tlm = !in_tlm(ref)->done;
  const GroupTimes& done = is_open_in_tlm ? *in_clocked(ref) : *in_tlm(ref);
  const GroupTimes& open = is_open_in_tlm ? *in_tlm(ref) : *in_clocked(ref);
  const Cycle end = is_open_in_tlm ? tlm_.end : clocked_.end;
  const Cycle service = *done.done - done.doorbell;
  const Cycle so_far = end - std::min(end, open.doorbell);
  if (so_far <= service || is_covered(ref, so_far - service, service) || is_explained(ref)) return;
  lines.push_back(fmt::format("process {} group {} is done after {} cycles in {}, not yet after {} in {}", ref.process,
                              ref.nth, service, is_open_in_tlm ? "clocked" : "tlm", so_far,
                              is_open_in_tlm ? "tlm" : "clocked"));
}

// By the tolerance, by what its own kernels took longer, and by when the driver looks.
bool DriverInputs::is_covered(const Ref& ref, Cycle difference, Cycle service) const {
  const Cycle kernels = drift_of_kernels(ref);
  const Cycle allowed = turnaround_tolerance(service) + kernels;
  if (difference <= allowed) return true;
  const bool is_elsewhere = kernels != 0 || in_tlm(ref)->doorbell != in_clocked(ref)->doorbell;
  if (tick_ != 0) return is_elsewhere && difference <= allowed + tick_;
  // An interrupt that is being served makes the next wait: so it matters which of two tells of the group.
  return is_elsewhere && was_told_shortly_before(ref) && difference <= allowed + interrupt_ + 1;
}

bool DriverInputs::was_told_shortly_before(const Ref& ref) const {
  for (const DriverStory* story : {&tlm_, &clocked_}) {
    const GroupTimes& own = *story->group(ref.process, ref.nth);
    const Cycle told = own.done.value_or(story->end);
    for (const std::vector<GroupTimes>& groups : story->groups) {
      for (const GroupTimes& group : groups) {
        if (&group != &own && group.done && *group.done <= told && *group.done + 2 * (interrupt_ + 1) >= told)
          return true;
      }
    }
  }
  return false;
}

// Of those that arrived while it was on the GPU, by how much they differ in all.
Cycle DriverInputs::drift_of_kernels(const Ref& ref) const {
  const auto process = static_cast<std::size_t>(ref.process);
  if (process >= tlm_summary_.launches.size() || process >= clocked_summary_.launches.size()) return 0;
  const std::vector<LaunchTimes>& tlm = tlm_summary_.launches[process];
  const std::vector<LaunchTimes>& clocked = clocked_summary_.launches[process];
  const GroupTimes& group = *in_tlm(ref);
  Cycle sum = 0;
  for (std::size_t nth = 0; nth < std::min(tlm.size(), clocked.size()); ++nth) {
    const bool is_its = tlm[nth].arrived >= *group.submitted && tlm[nth].arrived <= group.done.value_or(kNever);
    if (!is_its || !tlm[nth].finished || !clocked[nth].finished) continue;
    sum += size_of(offset(tlm[nth].turnaround(), clocked[nth].turnaround()));
  }
  return sum;
}

bool DriverInputs::is_explained(const Ref& ref) const {
  const auto span = [](const GroupTimes& group) {
    return Span{*group.submitted, *group.submitted, group.done.value_or(kNever)};
  };
  if (!explanations_.of_span(span(*in_tlm(ref)), span(*in_clocked(ref))).empty()) return true;
  for (std::size_t i = 0; i < std::max(tlm_.groups.size(), clocked_.groups.size()); ++i) {
    const auto process = static_cast<std::uint16_t>(i);
    for (std::size_t nth = 0;; ++nth) {
      const Ref other{process, nth};
      if (in_tlm(other) == nullptr && in_clocked(other) == nullptr) break;
      if (is_disturbed_by(other, ref)) return true;
    }
  }
  return false;
}

// On the GPU with it in either log, and at another distance: submitted, or done before it in both.
bool DriverInputs::is_disturbed_by(const Ref& other, const Ref& ref) const {
  if (other.process == ref.process && other.nth == ref.nth) return false;
  const GroupTimes* const tlm = in_tlm(other);
  const GroupTimes* const clocked = in_clocked(other);
  const GroupTimes& own_tlm = *in_tlm(ref);
  const GroupTimes& own_clocked = *in_clocked(ref);
  const bool is_beside = (tlm != nullptr && are_on_gpu_together(*tlm, own_tlm)) ||
                         (clocked != nullptr && are_on_gpu_together(*clocked, own_clocked));
  if (!is_beside) return false;
  if (tlm == nullptr || clocked == nullptr || !tlm->submitted || !clocked->submitted) return true;
  const Offset own = offset(own_tlm.doorbell, own_clocked.doorbell);
  if (offset(tlm->doorbell, clocked->doorbell) != own) return true;
  if (!tlm->done || !clocked->done) return false;
  const bool is_before =
      *tlm->done < own_tlm.done.value_or(kNever) && *clocked->done < own_clocked.done.value_or(kNever);
  return is_before && offset(*tlm->done, *clocked->done) != own;
}

}  // namespace tessera::verification
