// SPDX-License-Identifier: Apache-2.0
// The tables of the scheduling framework as a policy sees them: command buffers, active queue, KSRT, SMST
// ([T14] 3.3, Figure 4), and the moves, which keep tokens and demand consistent.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "model/base/ids.h"
#include "model/base/sm_set.h"
#include "model/base/tb_counts.h"
#include "model/base/time.h"
#include "model/policy/linger.h"

namespace tessera::policy {

enum class SmStatus : std::uint8_t { kIdle, kRunning, kReserved };

// One SMST entry. `next` is valid only while reserved; it is kNoKsr after the kernel it named has finished.
struct SmEntry {
  SmStatus status = SmStatus::kIdle;
  KsrId ksr = kNoKsr;
  KsrId next = kNoKsr;
  std::uint16_t running_tbs = 0;  // resident, including restoring ones
  bool is_shared = false;         // reserved: `next` has places besides the owner's TBs, and no other kernel gets any
  PartitionId partition{};
  std::uint16_t guest_tbs = 0;  // of running_tbs, those of `next`
};

// Deadlines are compared in units of 1024 cycles since the start of the simulation: this saves a few bits in every
// table.
inline constexpr unsigned kDeadlineUnitBits = 10;
inline constexpr std::uint64_t kNoDeadline = std::numeric_limits<std::uint64_t>::max();  // later than all others
constexpr std::uint64_t deadline_unit(Cycle arrival, Cycle deadline) {                   // deadline 0: none
  return deadline == 0 ? kNoDeadline : (arrival + deadline) >> kDeadlineUnitBits;
}

// One kernel status register.
struct KsrEntry {
  bool is_valid = false;
  ContextId context{};
  PartitionId partition{};
  std::uint32_t priority = 0;
  std::uint64_t deadline_unit = kNoDeadline;
  std::int32_t tokens = 0;  // the budget; token_count() is what is left of it
  std::uint32_t tbs_per_sm = 0;
  bool is_spread = false;                 // breadth-first fill: one TB to each SM before a second one
  const TbCounts* counted = nullptr;      // counts kept by the SM array, which runs its TBs
  TbCounts tbs;                           // counts if nothing runs its TBs
  std::uint32_t preempted_tbs = 0;        // handles in its PTBQ
  std::uint32_t owned_sms = 0;            // SMs that run it and are not reserved
  std::uint32_t owned_resident_tbs = 0;   // TBs resident on those
  std::uint32_t reserved_sms = 0;         // SMs whose `next` is this kernel
  std::uint32_t shared_sms = 0;           // of those, the ones in which it already has places
  std::uint32_t shared_resident_tbs = 0;  // its TBs there, whose places are not available to its other TBs

  const TbCounts& counts() const { return counted == nullptr ? tbs : *counted; }
  // TBs that could be put on an SM now.
  std::int64_t issuable_tbs() const { return std::int64_t{counts().fresh()} + preempted_tbs; }
  // Unmet demand: those of them for which there is neither a free slot on its SMs nor a reserved SM
  // (docs/concepts/readings.md, DSS 1). For a kernel that is spread, each SM counts as one TB, however many slots are
  // free there.
  std::int64_t uncovered_tbs() const {
    const std::int64_t free_slots = std::int64_t{owned_sms} * tbs_per_sm - owned_resident_tbs;
    if (is_spread) return issuable_tbs() - std::min<std::int64_t>(free_slots, owned_sms) - reserved_sms;
    return issuable_tbs() - free_slots - (std::int64_t{tbs_per_sm} * reserved_sms - shared_resident_tbs);
  }
  // Whether an assign that has given it an SM gives another one. For a kernel that is spread the SMs count alone.
  bool needs_another_sm() const { return is_spread ? issuable_tbs() > std::int64_t{sms_held()} : uncovered_tbs() > 0; }
  std::int32_t sms_held() const { return static_cast<std::int32_t>(owned_sms + reserved_sms); }
  // Preemptible SMs: those that could go to another kernel.
  std::int32_t takable_sms() const { return sms_held() - static_cast<std::int32_t>(shared_sms); }
  std::int32_t token_count() const { return tokens - sms_held(); }  // negative: in debt
};

// One command buffer: a kernel launch that waits to enter the active queue.
struct CommandEntry {
  bool is_valid = false;
  ContextId context{};
  std::uint32_t priority = 0;
  std::uint64_t arrival_order = 0;  // at the command buffers: 0, 1, 2, ..
  std::uint64_t deadline_unit = kNoDeadline;
  PartitionId partition{};
};

class SchedulingTables {
 public:
  SchedulingTables(std::uint32_t num_sms, std::uint32_t num_ksrs, std::uint32_t num_command_buffers);

  const std::vector<SmEntry>& smst() const { return smst_; }
  const std::vector<KsrEntry>& ksrt() const { return ksrt_; }
  const std::vector<KsrId>& active_queue() const { return active_queue_; }  // in activation order
  const std::vector<CommandEntry>& command_buffers() const { return command_buffers_; }
  const SmEntry& sm(SmId id) const { return smst_[index(id)]; }
  const KsrEntry& ksr(KsrId id) const { return ksrt_[index(id)]; }
  KsrEntry& ksr(KsrId id) { return ksrt_[index(id)]; }
  CommandEntry& command(CommandBufferId id) { return command_buffers_[index(id)]; }
  CommandBufferId last_command_activated() const { return last_command_activated_; }  // for round robin

  bool has_free_ksr() const { return active_queue_.size() < ksrt_.size(); }
  KsrId lowest_free_ksr() const;  // kNoKsr when full
  SmId lowest_idle_sm() const;    // that can be set up; kNoSm when none
  // And may go to that kernel: the lowest, with masks one that is in the fewest of them.
  SmId idle_sm_for(KsrId ksr) const;
  // The kernel to which an SM counts: `next` while reserved, its owner while running; may be kNoKsr.
  KsrId claimant(SmId id) const;

  // Kernels enter (from a command buffer) and leave the active queue, which compacts. `deactivate` also clears every
  // `next` that names the kernel.
  void activate(KsrId id, CommandBufferId from, const KsrEntry& entry);
  void deactivate(KsrId id);

  // Only these moves transfer tokens (docs/concepts/readings.md, DSS 5).
  void assign(SmId sm, KsrId ksr);     // idle -> running
  void reserve(SmId sm, KsrId next);   // running -> reserved
  void retarget(SmId sm, KsrId next);  // reserved -> reserved for another
  void unreserve(SmId sm);             // reserved -> running again: a drain cancelled for its owner
  void share(SmId sm);                 // reserved: `next` gets its first place there
  void hand_over(SmId sm);             // reserved -> running `next`
  void release(SmId sm);               // running or reserved -> idle
  void evict(SmId sm);                 // running or reserved -> reserved for nobody

  // Moves and activations so far; unchanged if no SM and no kernel has changed hands.
  std::uint64_t num_moves() const { return num_moves_; }
  // An SM without an owner, which kernels share, has been emptied.
  void shared_sm_emptied() { ++num_moves_; }
  bool is_any_sm_used() const;  // that has an owner, or waits for one
  // Also counts changes of partitions.
  std::uint64_t num_changes_of_place() const { return num_moves_ + num_partition_writes_; }
  Linger& linger() { return linger_; }
  bool may_have(KsrId ksr, SmId idle) const {
    return !awaited_.has(bit(idle)) && linger_.admits(this->ksr(ksr).priority, idle) &&
           (!is_partitioned_ || is_in_partition(ksr, idle));
  }
  // An SM whose answers to set-ups are awaited gets no other set-up until one has come, and nobody may have it idle
  // (docs/hardware/timing.md 3.11).
  void set_awaited(SmId sm, bool is_awaited) { awaited_.set(bit(sm), is_awaited); }
  bool is_any_idle_sm_awaited() const;

  // Static partitions (docs/concepts/partitions.md). SMs and kernels are in partition 0 by default; partitions only
  // matter while the machine is partitioned.
  void set_partitioned(bool is_partitioned);
  bool is_partitioned() const { return is_partitioned_; }
  bool is_in_partition(KsrId ksr, SmId sm) const { return has_sm(this->ksr(ksr).partition, sm); }
  bool has_sm(PartitionId partition, SmId sm) const {
    return this->sm(sm).partition == partition || (has_masks() && masks_->of(partition).has(bit(sm)));
  }
  void set_partition(SmId sm, PartitionId partition);
  // An SM that counts against a kernel of another partition is foreign. A bit per SM says which SMs may be, and is set
  // more often than they are (docs/hardware/timing.md 5.8); with masks there is no bit.
  bool is_foreign(SmId sm) const {
    const KsrId has_it = claimant(sm);
    if (has_it == kNoKsr) return false;
    return has_masks() ? !is_in_partition(has_it, sm) : foreign_.has(bit(sm));
  }
  void clear_foreign(SmId sm) { foreign_.clear(bit(sm)); }
  void clear_false_foreign();  // of all that are not
  // Masks: the partition has these SMs in addition to those assigned to it, so that an SM may be in several.
  void set_mask(PartitionId partition, const SmSet& sms);
  bool has_masks() const { return masks_.has_value(); }
  const SmSet& mask(PartitionId partition) const { return masks_->of(partition); }
  // Number of partitions that have the SM.
  std::uint32_t num_partitions_of(SmId sm) const { return masks_->num_partitions[index(sm)]; }
  // Partitions that share SMs, directly or through others, form a group, which has the lowest of their numbers.
  PartitionId group(PartitionId partition) const { return has_masks() ? masks_->group[index(partition)] : partition; }
  // Marks a change that may allow a kernel of this partition's group, or of the SM's and its owner's groups, to get an
  // SM.
  void touch(PartitionId partition) { ++num_changes_[index(group(partition))]; }
  void touch(SmId sm);
  std::uint64_t num_changes(PartitionId group) const { return num_changes_[index(group)]; }

  // A TB becomes or stops being resident.
  void add_resident(SmId sm) { move_residents(sm, 1); }
  void remove_resident(SmId sm) { move_residents(sm, -1); }
  // The TB belongs to the kernel that shares the SM.
  void add_guest(SmId sm) { move_guests(sm, 1); }
  void remove_guest(SmId sm) { move_guests(sm, -1); }

 private:
  void move_residents(SmId sm, int delta) {
    SmEntry& entry = smst_[index(sm)];
    entry.running_tbs = static_cast<std::uint16_t>(entry.running_tbs + delta);
    if (entry.status == SmStatus::kRunning)
      ksrt_[index(entry.ksr)].owned_resident_tbs += static_cast<std::uint32_t>(delta);
  }
  void move_guests(SmId sm, int delta) {
    SmEntry& entry = smst_[index(sm)];
    entry.guest_tbs = static_cast<std::uint16_t>(entry.guest_tbs + delta);
    ksrt_[index(entry.next)].shared_resident_tbs += static_cast<std::uint32_t>(delta);
  }
  // Partitions with masks, by partition and by SM.
  struct Masks {
    std::vector<SmSet> sms = std::vector<SmSet>(kMaxPartitions);
    std::vector<PartitionId> group = std::vector<PartitionId>(kMaxPartitions);
    std::vector<std::uint16_t> num_partitions = std::vector<std::uint16_t>(SmSet::kMax);
    const SmSet& of(PartitionId partition) const { return sms[index(partition)]; }
  };
  static std::uint32_t bit(SmId sm) { return static_cast<std::uint32_t>(index(sm)); }
  void regroup();
  void own(SmId sm);     // the SM and its residents count for the owner
  void disown(SmId sm);  // and no longer do
  void clear_next(SmEntry& entry);

  std::vector<SmEntry> smst_;
  std::vector<KsrEntry> ksrt_;
  std::vector<KsrId> active_queue_;
  std::vector<CommandEntry> command_buffers_;
  CommandBufferId last_command_activated_ = kNoCommandBuffer;
  Linger linger_;
  SmSet awaited_;
  SmSet foreign_;
  std::uint64_t num_moves_ = 0;
  std::uint64_t num_partition_writes_ = 0;
  bool is_partitioned_ = false;
  std::optional<Masks> masks_;  // empty: no mask was ever written, so partitions share no SMs
  std::array<std::uint64_t, kMaxPartitions> num_changes_{};
};

}  // namespace tessera::policy
