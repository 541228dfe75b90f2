// SPDX-License-Identifier: Apache-2.0
// The registers that the IP and the TLM target share answer alike: the same random accesses to both, errors included,
// and the same is told to the core.
#include <gtest/gtest.h>

#include <deque>

#include "model/base/overloaded.h"
#include "model/base/sm_usage.h"
#include "tests/ip/front_end_bench.h"
#include "tests/tlm/gpu_bench.h"
#include "tests/tlm/systemc_test.h"

namespace tessera::ip::test {
namespace {

using rtl_model::ControlPins;
using rtl_model::ControlRegister;
using testbench::Random;

struct RandomAccess {
  bool is_write = false;
  std::uint32_t address = 0;
  std::uint32_t data = 0;
  std::uint32_t strobes = 0xF;
};

constexpr std::uint32_t kEdf = spec::info(spec::PolicyKind::kEdf).code;

bool has_edf(const Sizes& sizes) { return (sizes.policies >> kEdf & 1) != 0; }

// timing.md 3.2.
std::uint32_t policy_register(const spec::SchedulerSpec& scheduler) {
  const auto field = [](auto value, unsigned shift) { return static_cast<std::uint32_t>(value) << shift; };
  return spec::info(scheduler.policy).code | field(spec::info(scheduler.technique).code, 4) |
         field(scheduler.access, 7) | field(scheduler.exclusive_scope, 8) | field(scheduler.token_scope, 9) |
         field(scheduler.debt, 10) | field(scheduler.remainder, 12) | field(scheduler.order, 13) |
         field(scheduler.turn, 14) | field(scheduler.switch_scope, 15);
}

// What a write is on the pins of the core.
ControlPins pins_of(const tlm_model::RegisterWrite& write) {
  const auto of_context = [](ControlRegister reg, ContextId context, std::uint64_t value) {
    return ControlPins{true, reg, static_cast<std::uint32_t>(index(context)), value};
  };
  return std::visit(
      Overloaded{[&](const tlm_model::SetPriority& set) {
                   return of_context(ControlRegister::kPriority, set.context, set.priority);
                 },
                 [&](const tlm_model::SetTokens& set) {
                   return of_context(ControlRegister::kTokens, set.context, set.tokens);
                 },
                 [&](const tlm_model::SetPageTable& set) {
                   return of_context(ControlRegister::kPageTable, set.context, set.base);
                 },
                 [&](const tlm_model::SetPolicy& set) {
                   return of_context(ControlRegister::kPolicy, {}, policy_register(set.scheduler));
                 },
                 [&](const tlm_model::SetPartition& set) {
                   return of_context(ControlRegister::kPartition, {},
                                     rtl_model::sm_partition_data(static_cast<std::uint32_t>(index(set.sm)),
                                                                  static_cast<std::uint32_t>(index(set.partition))));
                 },
                 [](const tlm_model::SetMask&) { return ControlPins{}; },  // there are no registers for them
                 [&](const tlm_model::SetSliceEnd& set) {
                   return of_context(ControlRegister::kSliceEnd, set.context,
                                     static_cast<std::uint64_t>(set.slice_end));
                 }},
      write);
}

// The TLM front end without what stands behind it, as if its GPU had neither queues nor DMA engines.
class TlmTarget final : private tlm_model::ICommandSink, private tlm_model::ISchedulingFramework {
 public:
  explicit TlmTarget(const Sizes& sizes) : usage(sizes.num_contexts), spec_(machine(sizes)) {
    initiator_.bus_isock.bind(front_end_.registers_tsock);
    front_end_.system_memory_isock.bind(memory_.bus_tsock);
    front_end_.irq_o.bind(irq_);
  }

  Answer access(const RandomAccess& random) {
    if (random.is_write && random.strobes == 0) return {};  // no byte: nothing to be said in TLM
    tlm_model::Access access(random.is_write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND, random.address,
                             tlm_model::Bytes(sizeof(random.data)));
    std::memcpy(access.data.data(), &random.data, sizeof(random.data));
    if (random.is_write && random.strobes != 0xF) {
      tlm_model::Bytes enables;
      for (unsigned byte = 0; byte < 4; ++byte) enables.push_back((random.strobes >> byte & 1) != 0 ? 0xFF : 0);
      access.set_byte_enables(enables);
    }
    if (!random.is_write) std::fill(access.data.begin(), access.data.end(), std::uint8_t{0});
    initiator_.transport(access);
    Answer answer{!access.is_response_ok(), 0};
    if (!random.is_write && !answer.is_error) std::memcpy(&answer.data, access.data.data(), sizeof(answer.data));
    return answer;
  }
  bool irq() {
    sc_core::wait(1, sc_core::SC_NS);
    return irq_.read();
  }

  std::deque<ControlPins> control_writes;
  std::uint32_t listed = ~0U;  // a bit for each context
  SmUsage usage;               // what the engine behind it has counted

 private:
  static spec::Spec machine(const Sizes& sizes) {
    spec::Spec spec = tlm_model::test::small_gpu(sizes.num_sms, sizes.num_contexts);
    spec.gpu.num_hardware_queues = 0;
    spec.gpu.num_dma_engines = 0;
    return spec;
  }

  // No command comes.
  void launch(QueueId, const tlm_model::LaunchCommand&) override {}
  void copy(QueueId, ContextId, const tlm_model::CopyCommand&) override {}
  void retire(QueueId, const tlm_model::FetchedCommand&) override {}
  void went_on(QueueId) override {}
  void tell(const tlm_model::TurnInput& input, Cycle) override {
    const auto* const set = std::get_if<tlm_model::SetListed>(&input);
    if (set == nullptr) return;
    const std::uint32_t bit = std::uint32_t{1} << index(set->context);
    listed = set->is_listed ? listed | bit : listed & ~bit;
  }
  void write(const tlm_model::RegisterWrite& write, Cycle) override { control_writes.push_back(pins_of(write)); }
  std::uint64_t sm_cycles(ContextId context, Cycle now) const override { return usage.sm_cycles(context, now); }
  spec::Cores which_core() const override { return spec::Cores::kClocked; }

  spec::Spec spec_;
  tlm_model::CommandDispatcher dispatcher_{"dispatcher", spec_.gpu, spec_.processes.size(), *this};
  tlm_model::FrontEnd front_end_{"front_end", spec_, dispatcher_, *this, nullptr};
  tlm_model::test::SystemMemory memory_{"memory", sc_core::SC_ZERO_TIME, tlm_model::test::Timing::kWaits};
  tlm_model::TestInitiator initiator_{"initiator"};
  sc_core::sc_signal<bool> irq_{"irq"};
};

class RandomDriver {
 public:
  RandomDriver(const Sizes& sizes, std::uint64_t seed)
      : num_contexts_(sizes.num_contexts),
        has_deadlines_(has_edf(sizes)),
        has_kept_turn_(sizes.kept_turn != 0),
        random_(seed) {}

  RandomAccess next(bool is_write) {
    RandomAccess access;
    access.is_write = is_write;
    do {
      access.address = any_address();
      access.data = any_data();
    } while (!is_shared(access));
    if (random_.one_in(12)) access.strobes = random_.in32(0, 15);
    return access;
  }

 private:
  std::uint32_t any_address() {
    const std::uint32_t half = 4 * random_.in32(0, 1);
    switch (random_.in(0, 11)) {
      case 0:
      case 1:
      case 2:
        return static_cast<std::uint32_t>(reg::kControl) + 8 * random_.in32(0, 5) + half;
      case 3:
        return 8 * random_.in32(0, 47) + half;
      case 4:
      case 5:
      case 6:
        return any_context_address();
      case 7:
        return static_cast<std::uint32_t>(reg::kQueues) + 4 * random_.in32(0, 0x1FFF);
      case 8:
        if (random_.one_in(2)) return static_cast<std::uint32_t>(reg::kSmPartition) + 8 * random_.in32(0, 300) + half;
        return static_cast<std::uint32_t>(reg::kSmCycles) + 8 * random_.in32(0, num_contexts_) + half;
      case 9:
        return static_cast<std::uint32_t>(random_.one_in(2) ? reg::kSliceEnd : reg::kListed) +
               8 * random_.in32(0, random_.one_in(20) ? 255 : num_contexts_) + half;
      case 10:
        return 4 * random_.in32(0, reg::kSize / 4 - 1);
      default:
        return random_.in32(0, reg::kSize - 1);  // mostly misaligned
    }
  }
  // Now and then of the first that does not exist, or of one far off.
  std::uint32_t any_context_address() {
    const std::uint32_t id = random_.one_in(20) ? random_.in32(0, 0x37F) : random_.in32(0, num_contexts_);
    return static_cast<std::uint32_t>(reg::kContexts + id * reg::kContextStride) + 4 * random_.in32(0, 7);
  }
  // Not what one of them has alone.
  bool is_shared(const RandomAccess& access) const {
    const std::uint32_t address = access.address;
    const bool names_more = (access.data & 0xFF) >= kEdf || (access.data >> 22 & 1) != 0;  // than the five policies
    if (address == reg::kPolicy && names_more) return has_deadlines_;
    if (address >= reg::kSmPartition && address < reg::kSmCycles) return has_deadlines_;
    if (address >= reg::kHeld && address < reg::kHeld + 8 * reg::kNumContexts) return false;  // needs queues
    const bool is_of_turn = address >= reg::kSliceEnd && address < reg::kListed + 8 * reg::kNumContexts;
    if (is_of_turn || (address == reg::kPolicy && (access.data >> 23 & 3) != 0)) return has_kept_turn_;
    if (address >= reg::kOwnSlice && address < reg::kWaiting + 8 * reg::kNumContexts) return false;
    if (address >= reg::kLaunchGrid && address < reg::kTurn + 8) return false;
    if (address >= reg::kCounters && address < reg::kCounters + 8 * reg::kNumCounters) return false;
    const bool has_context =
        address >= reg::kContexts && (address - reg::kContexts) / reg::kContextStride < num_contexts_;
    return !has_context || has_deadlines_ || address % reg::kContextStride < reg::kDeadline;
  }
  std::uint32_t any_data() {
    switch (random_.in(0, 4)) {
      case 0:
        return random_.in32(0, 15);
      case 1:
        return random_.one_in(2) ? 0 : ~0U;
      case 2:  // policies, some of which are none
        return random_.in32(0, 6) | random_.in32(0, 2) << 8 | random_.in32(0, 0x1FF) << 16;
      default:
        return static_cast<std::uint32_t>(random_.next());
    }
  }

  std::uint32_t num_contexts_;
  bool has_deadlines_;
  bool has_kept_turn_;
  Random random_;
};

class RandomAccesses : public tlm_model::SystemCTest {
 protected:
  void run(const Sizes& sizes, std::uint64_t num_accesses) {
    TlmTarget tlm(sizes);
    FrontEndBench bench(sizes);
    RandomDriver driver(sizes, 3);
    Random random(5);
    std::uint64_t num_errors = 0;
    use_sms(bench, tlm.usage, random);
    simulate([&] {
      for (std::uint64_t done = 0; done < num_accesses && !HasFailure();) {
        if (random.one_in(50)) bench.master.set_pace(any_pace(random));
        const bool is_write = random.one_in(2);
        const std::uint64_t burst = random.in(1, 6);
        std::vector<RandomAccess> accesses;
        std::vector<Answer> answers;
        for (std::uint64_t i = 0; i < burst; ++i) {
          accesses.push_back(driver.next(is_write));
          answers.push_back(tlm.access(accesses.back()));
          num_errors += answers.back().is_error ? 1 : 0;
        }
        carry_out(bench, accesses, random);
        compare(bench, accesses, answers);
        done += burst;
        bench.in.control_ready = true;
        bench.cycles(3);
        EXPECT_EQ(bench.device->outputs().axi.irq, tlm.irq());
        if (sizes.kept_turn != 0) compare_listed(bench, tlm);
        compare_control_writes(bench, tlm);
      }
    });
    EXPECT_GT(num_errors, num_accesses / 50);
  }

 private:
  // Contexts have SMs for a while; then none has one, so that no value depends on when it is read.
  static void use_sms(FrontEndBench& bench, SmUsage& usage, Random& random) {
    const auto step = [&](std::uint32_t context, std::int32_t freed) {
      bench.in.usage = {true, context, freed};
      usage.freed(ContextId(context), freed, bench.now);
      bench.cycles(10);
    };
    bench.in.sm_tick = true;
    bench.cycles(bench.sizes.num_contexts + 1);  // rows are cleared
    for (std::uint32_t context = 0; context < bench.sizes.num_contexts; context += random.in32(1, 3)) {
      const auto sms = static_cast<std::int32_t>(random.in32(1, std::min(bench.sizes.num_sms, 20U)));
      for (std::int32_t sm = 0; sm < sms; ++sm) step(context, -1);
      bench.cycles(random.in32(0, 1000));
      step(context, sms);
    }
  }

  static void carry_out(FrontEndBench& bench, const std::vector<RandomAccess>& accesses, Random& random) {
    for (const RandomAccess& access : accesses) {
      access.is_write ? bench.master.write(access.address, access.data, access.strobes)
                      : bench.master.read(access.address);
    }
    // Beside writes, in the other channel, a read whose answer is known.
    const bool is_beside = accesses.front().is_write && random.one_in(3);
    if (is_beside) bench.master.read(reg::kId);
    while (!bench.master.is_idle() && bench.master.violation().empty()) {
      bench.in.control_ready = random.one_in(3);
      bench.cycle();
    }
    if (!is_beside) return;
    EXPECT_EQ(take(bench.master.was_read).data, static_cast<std::uint32_t>(reg::kIdValue));
  }

  static void compare(FrontEndBench& bench, const std::vector<RandomAccess>& accesses,
                      const std::vector<Answer>& expected) {
    std::deque<Answer>& found = accesses.front().is_write ? bench.master.written : bench.master.was_read;
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
      EXPECT_TRUE(found[i].is_error == expected[i].is_error && found[i].data == expected[i].data)
          << std::hex << (accesses[i].is_write ? "write of " : "read of ") << accesses[i].address << ", data "
          << accesses[i].data << ", strobes " << accesses[i].strobes << ": error " << found[i].is_error << ", data "
          << found[i].data << "; TLM: error " << expected[i].is_error << ", data " << expected[i].data;
    }
    found.clear();
  }

  static void compare_listed(const FrontEndBench& bench, const TlmTarget& tlm) {
    const std::uint32_t contexts = (std::uint32_t{1} << bench.sizes.num_contexts) - 1;
    EXPECT_EQ(bench.device->outputs().listed, tlm.listed & contexts);
  }

  static void compare_control_writes(FrontEndBench& bench, TlmTarget& tlm) {
    ASSERT_EQ(bench.control_writes.size(), tlm.control_writes.size());
    for (std::size_t i = 0; i < tlm.control_writes.size(); ++i) {
      const ControlPins& found = bench.control_writes[i];
      const ControlPins& expected = tlm.control_writes[i];
      EXPECT_EQ(found.reg, expected.reg);
      EXPECT_EQ(found.data, expected.data);
      if (expected.reg == ControlRegister::kPolicy || expected.reg == ControlRegister::kPartition) continue;
      EXPECT_EQ(found.context, expected.context);
    }
    bench.control_writes.clear();
    tlm.control_writes.clear();
  }
};

Sizes large() {
  Sizes sizes;
  sizes.num_sms = 256;
  sizes.num_contexts = 256;
  sizes.num_command_buffers = 16;
  return sizes;
}

TEST_F(RandomAccesses, AreAnsweredAsTheTlmTargetDoes) { run({}, 20'000); }
TEST_F(RandomAccesses, AreAnsweredAsTheTlmTargetDoesWithDeadlinesAndAKeptTurn) { run(with_everything(), 20'000); }
TEST_F(RandomAccesses, AreAnsweredAsTheTlmTargetDoesWith256Contexts) { run(large(), 5'000); }
TEST_F(RandomAccesses, AMillionAreAnsweredAsTheTlmTargetDoes) { run(with_everything(), 1'000'000); }

}  // namespace
}  // namespace tessera::ip::test
