// SPDX-License-Identifier: Apache-2.0
// Bytes become virtual time: as much as they take at the unloaded latency. Rounding is part of the definition: times
// are rounded up, rates down.
#include "tlm/execution_engine/sm_array/loaded_memory.h"

#include <algorithm>
#include <optional>
#include <stdexcept>

#include "model/spec/gpu_spec.h"

namespace tessera::tlm_model {
namespace {

constexpr Picoseconds kEpoch = 1'000'000;                  // 1 us
constexpr std::uint64_t kAtMost = std::uint64_t{1} << 48;  // a rate that nothing reaches

const spec::MemoryLatencySpec& latency_of(const spec::GpuSpec& gpu) {
  if (!gpu.memory_latency) throw std::invalid_argument("memory channel: loaded_latency needs gpu.memory_latency");
  return *gpu.memory_latency;
}

// a * b / c, rounded up; at most what no end lies behind.
std::uint64_t times_over(std::uint64_t a, std::uint64_t b, std::uint64_t c) {
  constexpr std::uint64_t kLongest = std::uint64_t{1} << 62;
  std::uint64_t product = 0;
  if (!__builtin_mul_overflow(a, b, &product)) return std::min(kLongest, product / c + (product % c != 0 ? 1 : 0));
  const Uint128 quotient = (Uint128{a} * b + (c - 1)) / c;
  return quotient < kLongest ? static_cast<std::uint64_t>(quotient) : kLongest;
}

std::uint64_t per_second(std::uint64_t bytes, Cycle cycles, std::uint64_t clock_hz) {
  const std::uint64_t over = std::max<Cycle>(1, cycles);
  std::uint64_t product = 0;
  if (!__builtin_mul_overflow(bytes, clock_hz, &product)) return std::min(kAtMost, product / over);
  const Uint128 rate = Uint128{bytes} * clock_hz / over;
  return rate < kAtMost ? static_cast<std::uint64_t>(rate) : kAtMost;
}

}  // namespace

LoadedMemory::LoadedMemory(const spec::GpuSpec& gpu, std::uint32_t slot_bits)
    : gpu_(gpu),
      spec_(latency_of(gpu)),
      slot_bits_(slot_bits),
      epoch_(std::max<Cycle>(1, Clock(gpu.clock_hz).cycles_in(kEpoch))),
      unloaded_(mul_div_round(spec_.unloaded << VirtualClock::kBits, gpu.clock_hz, kPicosecondsPerSecond)),
      cap_(std::max<std::uint64_t>(1, mul_div_floor(spec_.sm_bytes_per_s, spec_.unloaded, kPicosecondsPerSecond))),
      traffic_(spec_),
      ends_(gpu.num_sms << slot_bits),
      tbs_(std::size_t{gpu.num_sms} << slot_bits),
      sms_(gpu.num_sms) {}

// ---- what bytes take -----------------------------------------------------------------------------------------

std::uint64_t LoadedMemory::virtual_time(std::uint64_t bytes, std::uint64_t in_flight) const {
  return times_over(bytes, unloaded_, in_flight);
}

MemoryUse LoadedMemory::use_of(std::uint64_t bytes, std::uint64_t in_flight, std::uint32_t threads) const {
  MemoryUse use;
  if (bytes == 0) return use;
  use.bytes = bytes;
  use.in_flight =
      in_flight > 0 ? in_flight : std::max<std::uint64_t>(1, std::uint64_t{threads} * spec_.bytes_per_thread);
  use.takes = virtual_time(bytes, use.in_flight);
  use.most = mul_div_floor(use.in_flight, kPicosecondsPerSecond, spec_.unloaded);
  return use;
}

// ---- thread blocks -------------------------------------------------------------------------------------------

bool LoadedMemory::place(std::uint32_t leaf, const MemoryUse& use, Cycle start, Cycle work, Cycle now) {
  if (use.bytes == 0 || work >= kNever) return false;
  // 1. What its SM's TBs want together.
  const std::uint32_t sm = leaf >> slot_bits_;
  Load& load = sms_[sm];
  load.wanted += use.in_flight;
  if (load.wanted != load.scaled) set_scale(sm, now);
  // 2. It begins.
  Tb& tb = tbs_[leaf];
  tb.use = use;
  scale(tb, load);
  tb.demand = {};
  return begin(leaf, start, work, now);
}

// Usually the next one is of the same kernel, and finds what the last one had.
bool LoadedMemory::replace(std::uint32_t leaf, const MemoryUse& use, Cycle start, Cycle work, Cycle now) {
  const Tb& tb = tbs_[leaf];
  const Load& load = sms_[leaf >> slot_bits_];
  const bool is_alike = tb.state != State::kNone && tb.use.bytes == use.bytes && tb.use.in_flight == use.in_flight &&
                        load.wanted == load.scaled;
  if (!is_alike) {
    end(leaf, now);
    return place(leaf, use, start, work, now);
  }
  totals_.bytes += use.bytes;
  return begin(leaf, start, work, now);
}

bool LoadedMemory::begin(std::uint32_t leaf, Cycle start, Cycle work, Cycle now) {
  Tb& tb = tbs_[leaf];
  tb.asks = per_second(tb.use.bytes, work, gpu_.clock_hz);
  demand(tb);
  changed(now);
  tb.begins = clock_.at(start);
  tb.ends = rounded(tb.begins + tb.takes);
  tb.work_ends = std::min(start + work, kNever);
  if (tb.ends > clock_.at(tb.work_ends)) {
    await(leaf);
    return true;
  }
  if (tb.state == State::kAwaited) leave_tree(leaf);
  tb.state = State::kWorking;
  return false;
}

void LoadedMemory::scale(Tb& tb, const Load& load) const {
  const std::uint64_t among = divisor(load);
  const bool is_whole = among == cap_;
  tb.takes = is_whole ? tb.use.takes : times_over(tb.use.takes, among, cap_);
  tb.most = std::max<std::uint64_t>(1, is_whole ? tb.use.most : mul_div_floor(tb.use.most, cap_, among));
}

void LoadedMemory::demand(Tb& tb) {
  const MemoryDemand next = MemoryTraffic::demand(tb.asks, tb.most);
  traffic_.remove(tb.demand);
  traffic_.add(next);
  tb.demand = next;
}

// What is left of each TB's bytes takes as much longer or less long as its share of the cap is smaller or larger.
void LoadedMemory::set_scale(std::uint32_t sm, Cycle now) {
  Load& load = sms_[sm];
  const std::uint64_t before = divisor(load);
  load.scaled = load.wanted;
  const std::uint64_t after = divisor(load);
  if (before == after) return;
  const std::uint64_t virtual_now = clock_.at(now);
  for (std::uint32_t leaf = sm << slot_bits_; leaf < (sm + 1) << slot_bits_; ++leaf) {
    Tb& tb = tbs_[leaf];
    if (tb.state == State::kNone) continue;
    scale(tb, load);
    demand(tb);
    const std::uint64_t from = std::max(virtual_now, tb.begins);
    if (tb.ends <= from) continue;  // its bytes are there, and its work is not over
    tb.ends = rounded(from + times_over(tb.ends - from, after, before));
    if (tb.state == State::kAwaited) await(leaf);
  }
}

void LoadedMemory::await(std::uint32_t leaf) {
  Tb& tb = tbs_[leaf];
  tb.state = State::kAwaited;
  ends_.set(leaf, std::min<Cycle>(tb.ends >> kEndBits, kNever));
  find_next();
}

void LoadedMemory::await_work(std::uint32_t leaf) {
  tbs_[leaf].state = State::kWorking;
  leave_tree(leaf);
}

void LoadedMemory::end(std::uint32_t leaf, Cycle now) {
  if (tbs_[leaf].state == State::kNone) return;
  totals_.bytes += tbs_[leaf].use.bytes;
  take_away(leaf);
  changed(now);
}

std::uint64_t LoadedMemory::stop(std::uint32_t leaf, Cycle now) {
  const Tb& tb = tbs_[leaf];
  if (tb.state == State::kNone) return 0;
  const std::uint64_t from = std::max(clock_.at(now), tb.begins);
  const std::uint64_t left_time = tb.ends > from ? tb.ends - from : 0;
  const std::uint64_t left = std::min(tb.use.bytes, times_over(tb.use.bytes, left_time, tb.takes));
  totals_.bytes += tb.use.bytes - left;
  take_away(leaf);
  changed(now);
  return left;
}

void LoadedMemory::take_away(std::uint32_t leaf) {
  Tb& tb = tbs_[leaf];
  traffic_.remove(tb.demand);
  sms_[leaf >> slot_bits_].wanted -= tb.use.in_flight;
  if (tb.state == State::kAwaited) leave_tree(leaf);
  tb.state = State::kNone;
}

void LoadedMemory::leave_tree(std::uint32_t leaf) {
  ends_.clear(leaf);
  find_next();
}

// ---- other traffic -------------------------------------------------------------------------------------------

void LoadedMemory::copy_starts(Cycle now) {
  traffic_.add_fixed(gpu_.pcie.bytes_per_second());
  changed(now);
}

void LoadedMemory::copy_ends(Cycle now) {
  traffic_.remove_fixed(gpu_.pcie.bytes_per_second());
  changed(now);
}

// An SM's context moves with as many bytes on their way as the SM has at most; with microcode, with what its share of
// the microcode's bandwidth takes.
class LoadedMemory::Channel final : public IMemoryChannel {
 public:
  Channel(LoadedMemory& memory, std::uint32_t num_movers) : memory_(memory), transfers_(num_movers) {
    const spec::GpuSwitchSpec& gpu_switch = memory.gpu_.framework.gpu_switch;
    if (gpu_switch.model == spec::SaveModel::kMicrocode) {
      const std::uint64_t share = gpu_switch.microcode.bandwidth / memory.gpu_.num_sms;
      in_flight_ = std::min(
          in_flight_, std::max<std::uint64_t>(1, mul_div_floor(share, memory.spec_.unloaded, kPicosecondsPerSecond)));
    }
    demand_ = MemoryTraffic::unlimited(mul_div_floor(in_flight_, kPicosecondsPerSecond, memory.spec_.unloaded));
  }

  void start(SmId sm, std::uint64_t bytes, Cycle now) override {
    transfers_[index(sm)] = Transfer{bytes, memory_.clock_.at(now) + memory_.virtual_time(bytes, in_flight_)};
    memory_.traffic_.add(demand_);
    memory_.changed(now);
  }
  void end(SmId sm, Cycle now) override {
    memory_.totals_.bytes += transfers_[index(sm)]->bytes;
    transfers_[index(sm)].reset();
    memory_.traffic_.remove(demand_);
    memory_.changed(now);
  }
  Cycle end_of(SmId sm) const override {
    const std::optional<Transfer>& transfer = transfers_[index(sm)];
    return transfer ? memory_.clock_.first_from(transfer->ends) : kNever;
  }
  // Not at once: only through the clock.
  bool is_coupled() const override { return false; }

 private:
  struct Transfer {
    std::uint64_t bytes = 0;
    std::uint64_t ends = 0;  // virtual time
  };

  LoadedMemory& memory_;
  std::uint64_t in_flight_ = memory_.cap_;
  MemoryDemand demand_;
  std::vector<std::optional<Transfer>> transfers_;
};

std::unique_ptr<IMemoryChannel> LoadedMemory::make_channel(std::uint32_t num_movers) {
  return std::make_unique<Channel>(*this, num_movers);
}

// ---- time ----------------------------------------------------------------------------------------------------

void LoadedMemory::find_next() {
  if (ends_.min() != first_) {
    first_ = ends_.min();
    const Cycle end = EventTree::time_of(first_);
    first_at_ = end == kNever ? kNever : clock_.first_from(end << kEndBits);
  }
  next_ = std::min(first_at_, settles_at_);
}

bool LoadedMemory::settle(Cycle now) {
  settles_at_ = kNever;
  const bool has_changed = traffic_.settle();
  if (has_changed) {
    totals_.largest_factor = std::max(totals_.largest_factor, traffic_.factor());
    clock_.set_rate(now, mul_div_round(VirtualClock::kFullRate, kUnloaded, traffic_.factor()));
    first_ = EventTree::key_of(kNever, 0);  // cycles of virtual ends are other ones
    first_at_ = kNever;
  }
  find_next();
  return has_changed;
}

}  // namespace tessera::tlm_model
