// SPDX-License-Identifier: Apache-2.0
// The moves between the states of the SMST and the active queue.
#include "model/policy/scheduling_tables.h"

#include <algorithm>

namespace tessera::policy {

SchedulingTables::SchedulingTables(std::uint32_t num_sms, std::uint32_t num_ksrs, std::uint32_t num_command_buffers)
    : smst_(num_sms), ksrt_(num_ksrs), command_buffers_(num_command_buffers) {
  active_queue_.reserve(num_ksrs);
}

bool SchedulingTables::is_any_sm_used() const {
  return std::any_of(smst_.begin(), smst_.end(), [](const SmEntry& sm) { return sm.status != SmStatus::kIdle; });
}

KsrId SchedulingTables::lowest_free_ksr() const {
  const auto free = std::find_if(ksrt_.begin(), ksrt_.end(), [](const KsrEntry& k) { return !k.is_valid; });
  return free == ksrt_.end() ? kNoKsr : KsrId(free - ksrt_.begin());
}

SmId SchedulingTables::lowest_idle_sm() const {
  for (std::size_t i = 0; i < smst_.size(); ++i) {
    if (smst_[i].status == SmStatus::kIdle && !awaited_.has(bit(SmId(i)))) return SmId(i);
  }
  return kNoSm;
}

bool SchedulingTables::is_any_idle_sm_awaited() const {
  if (!awaited_.any()) return false;
  for (std::size_t i = 0; i < smst_.size(); ++i) {
    if (smst_[i].status == SmStatus::kIdle && awaited_.has(bit(SmId(i)))) return true;
  }
  return false;
}

// Those in few partitions leave choices to others.
SmId SchedulingTables::idle_sm_for(KsrId id) const {
  SmId best = kNoSm;
  for (std::size_t i = 0; i < smst_.size(); ++i) {
    if (smst_[i].status != SmStatus::kIdle || !may_have(id, SmId(i))) continue;
    if (!has_masks()) return SmId(i);
    if (best == kNoSm || num_partitions_of(SmId(i)) < num_partitions_of(best)) best = SmId(i);
  }
  return best;
}

KsrId SchedulingTables::claimant(SmId id) const {
  const SmEntry& entry = sm(id);
  switch (entry.status) {
    case SmStatus::kRunning:
      return entry.ksr;
    case SmStatus::kReserved:
      return entry.next;
    case SmStatus::kIdle:
      break;
  }
  return kNoKsr;
}

void SchedulingTables::set_partitioned(bool is_partitioned) {
  is_partitioned_ = is_partitioned;
  ++num_partition_writes_;
  for (std::size_t i = 0; i < smst_.size(); ++i) foreign_.set(bit(SmId(i)));
}

void SchedulingTables::clear_false_foreign() {
  for (std::size_t i = 0; i < smst_.size(); ++i) {
    const KsrId has_it = claimant(SmId(i));
    if (has_it != kNoKsr && is_in_partition(has_it, SmId(i))) clear_foreign(SmId(i));
  }
}

void SchedulingTables::set_partition(SmId id, PartitionId partition) {
  ++num_partition_writes_;
  foreign_.set(bit(id));
  touch(sm(id).partition);
  smst_[index(id)].partition = partition;
  if (has_masks()) regroup();
  touch(partition);
}

void SchedulingTables::touch(SmId id) {
  const SmEntry& entry = sm(id);
  touch(entry.partition);
  if (entry.ksr != kNoKsr && ksr(entry.ksr).partition != entry.partition) touch(ksr(entry.ksr).partition);
}

void SchedulingTables::set_mask(PartitionId partition, const SmSet& sms) {
  ++num_partition_writes_;
  if (!has_masks()) masks_.emplace();
  masks_->sms[index(partition)] = sms;
  regroup();
}

// Everybody who may have an SM looks at the tables again.
void SchedulingTables::regroup() {
  std::vector<PartitionId>& group = masks_->group;
  for (std::size_t i = 0; i < kMaxPartitions; ++i) group[i] = PartitionId(i);
  // Each points at one that is not above it: itself, if it is the lowest.
  const auto lowest = [&group](PartitionId id) {
    while (group[index(id)] != id) id = group[index(id)];
    return id;
  };
  std::fill(masks_->num_partitions.begin(), masks_->num_partitions.end(), std::uint16_t{0});
  for (std::size_t i = 0; i < smst_.size(); ++i) {
    const PartitionId own = smst_[i].partition;
    for (std::size_t other = 0; other < kMaxPartitions; ++other) {
      if (!has_sm(PartitionId(other), SmId(i))) continue;
      ++masks_->num_partitions[i];
      const PartitionId a = lowest(own);
      const PartitionId b = lowest(PartitionId(other));
      group[index(std::max(a, b))] = std::min(a, b);
    }
  }
  for (PartitionId& id : group) id = lowest(id);
  for (const SmEntry& entry : smst_) touch(entry.partition);
}

void SchedulingTables::activate(KsrId id, CommandBufferId from, const KsrEntry& entry) {
  ++num_moves_;
  touch(entry.partition);
  command(from).is_valid = false;
  last_command_activated_ = from;
  ksr(id) = entry;
  ksr(id).is_valid = true;
  active_queue_.push_back(id);
}

void SchedulingTables::deactivate(KsrId id) {
  ++num_moves_;
  for (SmEntry& entry : smst_) {
    if (entry.status == SmStatus::kReserved && entry.next == id) clear_next(entry);
  }
  active_queue_.erase(std::find(active_queue_.begin(), active_queue_.end(), id));
  linger_.leave(ksr(id).priority, kNoSm);
  touch(ksr(id).partition);
  ksr(id).is_valid = false;
}

void SchedulingTables::assign(SmId id, KsrId owner) {
  ++num_moves_;
  smst_[index(id)].ksr = owner;
  own(id);
  linger_.take(id);
  clear_foreign(id);
}

void SchedulingTables::reserve(SmId id, KsrId next) {
  ++num_moves_;
  touch(id);
  clear_foreign(id);
  disown(id);
  SmEntry& entry = smst_[index(id)];
  entry.status = SmStatus::kReserved;
  entry.next = next;
  ++ksr(next).reserved_sms;
}

void SchedulingTables::retarget(SmId id, KsrId next) {
  ++num_moves_;
  SmEntry& entry = smst_[index(id)];
  clear_foreign(id);
  if (entry.next != kNoKsr) touch(ksr(entry.next).partition);
  clear_next(entry);
  entry.next = next;
  ++ksr(next).reserved_sms;
}

void SchedulingTables::unreserve(SmId id) {
  ++num_moves_;
  touch(id);
  clear_next(smst_[index(id)]);
  own(id);
}

void SchedulingTables::share(SmId id) {
  SmEntry& entry = smst_[index(id)];
  if (entry.is_shared) return;
  ++num_moves_;
  entry.is_shared = true;
  ++ksr(entry.next).shared_sms;
}

void SchedulingTables::hand_over(SmId id) {
  ++num_moves_;
  touch(id);
  SmEntry& entry = smst_[index(id)];
  entry.ksr = entry.next;
  clear_next(entry);
  own(id);
}

void SchedulingTables::release(SmId id) {
  ++num_moves_;
  touch(id);
  SmEntry& entry = smst_[index(id)];
  if (entry.status == SmStatus::kRunning) {
    disown(id);
    linger_.leave(ksr(entry.ksr).priority, id);
  } else {
    linger_.hand_to_nobody(id);
  }
  clear_next(entry);
  entry.status = SmStatus::kIdle;
  entry.ksr = kNoKsr;
}

void SchedulingTables::evict(SmId id) {
  ++num_moves_;
  touch(id);
  SmEntry& entry = smst_[index(id)];
  if (entry.status == SmStatus::kRunning) disown(id);
  clear_next(entry);
  entry.status = SmStatus::kReserved;
}

void SchedulingTables::own(SmId id) {
  SmEntry& entry = smst_[index(id)];
  entry.status = SmStatus::kRunning;
  ++ksr(entry.ksr).owned_sms;
  ksr(entry.ksr).owned_resident_tbs += entry.running_tbs;
}

void SchedulingTables::disown(SmId id) {
  SmEntry& entry = smst_[index(id)];
  --ksr(entry.ksr).owned_sms;
  ksr(entry.ksr).owned_resident_tbs -= entry.running_tbs;
}

void SchedulingTables::clear_next(SmEntry& entry) {
  if (entry.next != kNoKsr) {
    --ksr(entry.next).reserved_sms;
    if (entry.is_shared) --ksr(entry.next).shared_sms;
    ksr(entry.next).shared_resident_tbs -= entry.guest_tbs;
  }
  entry.guest_tbs = 0;
  entry.next = kNoKsr;
  entry.is_shared = false;
}

}  // namespace tessera::policy
