// SPDX-License-Identifier: Apache-2.0
// The interconnect leads every transport call to the target of its address and back to its initiator.
#include <limits>
#include <stdexcept>
#include <vector>

#include "tests/tlm/target_contract.h"
#include "tlm/interconnect/interconnect.h"
#include "tlm/memory/memory.h"

namespace tessera::tlm_model {
namespace {

const sc_core::sc_time kMemoryLatency{100, sc_core::SC_NS};
constexpr std::uint64_t kSize = 0x100;

struct MemoryBehindInterconnect {
  MemoryBehindInterconnect() {
    interconnect.targets_isock.bind(memory.bus_tsock);
    interconnect.map(base(), kSize, 0, region_latency);
  }
  void bind(tlm_utils::simple_initiator_socket<TestInitiator>& socket) { socket.bind(interconnect.initiators_tsock); }
  AccessRules rules() const { return {kSize, 1, 1, true, true}; }
  std::uint64_t base() const { return 0xABC0'1000; }
  std::uint64_t writable() const { return 0x10; }
  bool accepts_debug_writes() const { return true; }
  sc_core::sc_time latency() const { return kMemoryLatency + region_latency; }

  const sc_core::sc_time region_latency{30, sc_core::SC_NS};
  PagedMemory bytes;
  Memory memory{"memory", bytes, kSize, kMemoryLatency, true};
  Interconnect interconnect{"interconnect"};
};

INSTANTIATE_TYPED_TEST_SUITE_P(Interconnect, TargetContract, MemoryBehindInterconnect);

// Two initiators and two memories. Memory 0 is seen twice, with a hole between; memory 1 follows the second view.
class InterconnectTest : public SystemCTest {
 protected:
  static constexpr std::uint64_t kView = 0x1000;
  static constexpr std::uint64_t kSecondView = 0x2000;
  static constexpr std::uint64_t kViewSize = kSize / 2;
  static constexpr std::uint64_t kOther = kSecondView + kViewSize;

  InterconnectTest() {
    for (TestInitiator* initiator : {&initiator_0_, &initiator_1_}) {
      initiator->bus_isock.bind(interconnect_.initiators_tsock);
    }
    for (Memory* memory : {&memory_0_, &memory_1_}) interconnect_.targets_isock.bind(memory->bus_tsock);
    interconnect_.map(kView, kViewSize, 0, near_);
    interconnect_.map(kSecondView, kViewSize, 0, far_);
    interconnect_.map(kOther, kSize, 1, far_);
  }

  const sc_core::sc_time near_{10, sc_core::SC_NS};
  const sc_core::sc_time far_{50, sc_core::SC_NS};
  PagedMemory bytes_0_;
  PagedMemory bytes_1_;
  Memory memory_0_{"memory_0", bytes_0_, kSize, kMemoryLatency, true};
  Memory memory_1_{"memory_1", bytes_1_, kSize, kMemoryLatency, true};
  Interconnect interconnect_{"interconnect"};
  TestInitiator initiator_0_{"initiator_0"};
  TestInitiator initiator_1_{"initiator_1"};
};

Bytes stored(const PagedMemory& bytes, std::uint64_t address, std::size_t count) {
  Bytes result(count);
  bytes.read(address, result.data(), count);
  return result;
}

TEST_F(InterconnectTest, EachRegionLeadsToItsTargetFromAddressZero) {
  simulate([this] {
    initiator_0_.write(kView, {1});
    initiator_0_.write(kSecondView + 1, {2});
    initiator_1_.write(kOther, {3});
    EXPECT_EQ(stored(bytes_0_, 0, 2), (Bytes{1, 2}));
    EXPECT_EQ(stored(bytes_1_, 0, 2), (Bytes{3, 0}));
  });
}

TEST_F(InterconnectTest, RegionsOfOneTargetHaveTheirOwnLatency) {
  simulate([this] {
    Access near_access(tlm::TLM_READ_COMMAND, kView, Bytes(1));
    Access far_access(tlm::TLM_READ_COMMAND, kSecondView, Bytes(1));
    EXPECT_EQ(initiator_0_.transport(near_access), kMemoryLatency + near_);
    EXPECT_EQ(initiator_0_.transport(far_access), kMemoryLatency + far_);
  });
}

TEST_F(InterconnectTest, HolesAndAccessesAcrossARegionsEndAreAddressErrorsInNoTime) {
  simulate([this] {
    for (const std::uint64_t address : {kView - 1, kView + kViewSize, kOther + kSize, kOther - 1}) {
      Access access(tlm::TLM_WRITE_COMMAND, address, {7, 7});
      EXPECT_EQ(initiator_0_.transport(access), sc_core::SC_ZERO_TIME);
      EXPECT_EQ(access.get_response_status(), tlm::TLM_ADDRESS_ERROR_RESPONSE);
    }
    EXPECT_EQ(stored(bytes_0_, kViewSize - 1, 1), Bytes{0});
    EXPECT_EQ(stored(bytes_1_, 0, 1), Bytes{0});
  });
}

TEST_F(InterconnectTest, EveryCallGivesTheInitiatorItsAddressBack) {
  simulate([this] {
    Access access(tlm::TLM_READ_COMMAND, kOther + 4, Bytes(1));
    initiator_0_.transport(access);
    EXPECT_EQ(access.get_address(), kOther + 4);
    initiator_0_.bus_isock->transport_dbg(access);
    EXPECT_EQ(access.get_address(), kOther + 4);
    tlm::tlm_dmi dmi;
    initiator_0_.bus_isock->get_direct_mem_ptr(access, dmi);
    EXPECT_EQ(access.get_address(), kOther + 4);
    initiator_0_.transport_in_phases(access);
    EXPECT_EQ(initiator_0_.response_address(), kOther + 4);
    EXPECT_EQ(access.get_address(), kOther + 4);
  });
}

TEST_F(InterconnectTest, DebugAccessIsCutAtTheEndOfItsRegionAndKeepsItsLength) {
  simulate([this] {
    Access access(tlm::TLM_WRITE_COMMAND, kView + kViewSize - 2, {8, 9, 10});
    EXPECT_EQ(initiator_0_.bus_isock->transport_dbg(access), 2U);
    EXPECT_EQ(access.get_data_length(), 3U);
    EXPECT_EQ(stored(bytes_0_, kViewSize - 2, 3), (Bytes{8, 9, 0}));
    EXPECT_EQ(initiator_0_.debug_read(kView + kViewSize, 1).size(), 0U);
  });
}

TEST_F(InterconnectTest, DmiRangeIsTheViewOfTheInitiator) {
  simulate([this] {
    tlm::tlm_dmi dmi;
    ASSERT_TRUE(initiator_0_.request_dmi(kSecondView + 3, dmi));
    EXPECT_EQ(dmi.get_start_address(), kSecondView);
    EXPECT_EQ(dmi.get_end_address(), kSecondView + kViewSize - 1);
    EXPECT_EQ(dmi.get_read_latency(), kMemoryLatency + far_);
    dmi.get_dmi_ptr()[3] = 0x5A;
    EXPECT_EQ(stored(bytes_0_, 3, 1), Bytes{0x5A});
  });
}

TEST_F(InterconnectTest, DmiDenialOfAHoleDoesNotDenyItsNeighbours) {
  simulate([this] {
    tlm::tlm_dmi dmi;
    EXPECT_FALSE(initiator_0_.request_dmi(kView + kViewSize, dmi));
    EXPECT_TRUE(dmi.is_none_allowed());
    EXPECT_EQ(dmi.get_start_address(), kView + kViewSize);
    EXPECT_EQ(dmi.get_end_address(), kView + kViewSize);
  });
}

TEST_F(InterconnectTest, ResponsesInPhasesReachTheInitiatorThatAsked) {
  sc_core::sc_time other_took;
  simulate([&] {
    Access other(tlm::TLM_WRITE_COMMAND, kOther, {2});
    const auto ask_too = [&] { other_took = initiator_1_.transport_in_phases(other); };
    sc_core::sc_process_handle asker = sc_core::sc_spawn(ask_too, "asker");
    Access access(tlm::TLM_WRITE_COMMAND, kView, {1});
    EXPECT_EQ(initiator_0_.transport_in_phases(access), kMemoryLatency + near_);
    EXPECT_EQ(initiator_0_.phases_seen().size(), 1U);
    EXPECT_EQ(initiator_1_.phases_seen().size(), 0U) << "its answer comes later";
    sc_core::wait(asker.terminated_event());
    EXPECT_EQ(other_took, kMemoryLatency + far_);
    EXPECT_EQ(initiator_0_.phases_seen().size(), 1U);
    EXPECT_EQ(initiator_1_.phases_seen().size(), 1U);
  });
}

TEST_F(InterconnectTest, PayloadMayGoToAnotherTargetOnceItsTransactionIsOver) {
  simulate([this] {
    Access access(tlm::TLM_WRITE_COMMAND, kView, {4});
    initiator_0_.transport_in_phases(access);
    access.set_address(kOther);
    initiator_1_.transport_in_phases(access);
    EXPECT_EQ(stored(bytes_0_, 0, 1), Bytes{4});
    EXPECT_EQ(stored(bytes_1_, 0, 1), Bytes{4});
    EXPECT_EQ(initiator_1_.phases_seen().size(), 1U);
  });
}

TEST_F(InterconnectTest, PhaseWithoutARequestIsRefused) {
  simulate([this] {
    Access access(tlm::TLM_WRITE_COMMAND, kView, {4});
    tlm::tlm_phase phase = tlm::END_RESP;
    sc_core::sc_time delay;
    EXPECT_THROW(initiator_0_.bus_isock->nb_transport_fw(access, phase, delay), std::logic_error);
  });
}

TEST_F(InterconnectTest, InvalidationReachesEveryInitiatorInEveryViewOfTheTarget) {
  simulate([this] {
    memory_0_.bus_tsock->invalidate_direct_mem_ptr(0x10, kSize - 1);
    const std::vector<TestInitiator::Range> expected = {{kView + 0x10, kView + kViewSize - 1},
                                                        {kSecondView + 0x10, kSecondView + kViewSize - 1}};
    EXPECT_EQ(initiator_0_.invalidated(), expected);
    EXPECT_EQ(initiator_1_.invalidated(), expected);
    memory_0_.bus_tsock->invalidate_direct_mem_ptr(kViewSize, kSize - 1);  // no view shows it
    EXPECT_EQ(initiator_0_.invalidated(), expected);
  });
}

// A target that answers non-blocking calls in the ways that Memory's socket never does.
class NonBlockingTarget : public sc_core::sc_module {
 public:
  tlm_utils::simple_target_socket<NonBlockingTarget> bus_tsock;
  explicit NonBlockingTarget(const sc_core::sc_module_name& name) : sc_module(name), bus_tsock("bus_tsock") {
    bus_tsock.register_nb_transport_fw(this, &NonBlockingTarget::nb_transport_fw);
  }
  std::uint64_t address = 0;                       // of the last request
  tlm::tlm_sync_enum answer = tlm::TLM_COMPLETED;  // TLM_UPDATED: to BEGIN_RESP

 private:
  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& trans, tlm::tlm_phase& phase, sc_core::sc_time&) {
    if (phase == tlm::END_RESP) return tlm::TLM_ACCEPTED;
    address = trans.get_address();
    trans.set_response_status(tlm::TLM_OK_RESPONSE);
    if (answer == tlm::TLM_UPDATED) phase = tlm::BEGIN_RESP;
    return answer;
  }
};

class NonBlockingTargetTest : public SystemCTest {
 protected:
  NonBlockingTargetTest() {
    initiator_.bus_isock.bind(interconnect_.initiators_tsock);
    interconnect_.targets_isock.bind(target_.bus_tsock);
    interconnect_.map(0x1000, kSize, 0, sc_core::SC_ZERO_TIME);
    access_.set_mm(&owner_);
    access_.acquire();
  }
  ~NonBlockingTargetTest() override { access_.release(); }

  tlm::tlm_sync_enum send(tlm::tlm_phase& phase) {
    sc_core::sc_time delay;
    return initiator_.bus_isock->nb_transport_fw(access_, phase, delay);
  }

  struct TestOwnsPayload : tlm::tlm_mm_interface {
    void free(tlm::tlm_generic_payload* trans) override { trans->set_mm(nullptr); }
  } owner_;
  TestInitiator initiator_{"initiator"};
  Interconnect interconnect_{"interconnect"};
  NonBlockingTarget target_{"target"};
  Access access_{tlm::TLM_READ_COMMAND, 0x1004, Bytes(1)};
};

TEST_F(NonBlockingTargetTest, CompletionOnTheReturnPathEndsTheTransaction) {
  simulate([this] {
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    EXPECT_EQ(send(phase), tlm::TLM_COMPLETED);
    EXPECT_EQ(target_.address, 4U);
    EXPECT_EQ(access_.get_address(), 0x1004U);
    phase = tlm::END_RESP;
    EXPECT_THROW(send(phase), std::logic_error) << "the transaction was over";
  });
}

TEST_F(NonBlockingTargetTest, ResponseOnTheReturnPathWaitsForItsEnd) {
  target_.answer = tlm::TLM_UPDATED;
  simulate([this] {
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    EXPECT_EQ(send(phase), tlm::TLM_UPDATED);
    EXPECT_EQ(phase, tlm::BEGIN_RESP);
    EXPECT_EQ(access_.get_address(), 0x1004U);
    phase = tlm::END_RESP;
    EXPECT_EQ(send(phase), tlm::TLM_ACCEPTED);
    EXPECT_THROW(send(phase), std::logic_error) << "the transaction was over";
  });
}

TEST_F(NonBlockingTargetTest, ResponseThatTheInitiatorCompletesEndsTheTransaction) {
  target_.answer = tlm::TLM_ACCEPTED;
  initiator_.complete_responses_at_once();
  simulate([this] {
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    EXPECT_EQ(send(phase), tlm::TLM_ACCEPTED);
    phase = tlm::BEGIN_RESP;
    sc_core::sc_time delay;
    EXPECT_EQ(target_.bus_tsock->nb_transport_bw(access_, phase, delay), tlm::TLM_COMPLETED);
    EXPECT_EQ(initiator_.response_address(), 0x1004U);
    phase = tlm::END_RESP;
    EXPECT_THROW(send(phase), std::logic_error) << "the transaction was over";
  });
}

class InterconnectMapTest : public SystemCTest {
 protected:
  void map(std::uint64_t base, std::uint64_t size_bytes, unsigned int target = 0) {
    interconnect_.map(base, size_bytes, target, sc_core::SC_ZERO_TIME);
  }
  Interconnect interconnect_{"interconnect"};
};

TEST_F(InterconnectMapTest, OverlapIsRefusedAndTouchingIsNot) {
  map(0x100, 0x100);
  EXPECT_THROW(map(0x1FF, 1), std::invalid_argument);
  EXPECT_THROW(map(0x0FF, 2), std::invalid_argument);
  EXPECT_THROW(map(0x100, 0x100), std::invalid_argument);
  EXPECT_THROW(map(0x140, 1), std::invalid_argument);
  EXPECT_THROW(map(0, 0x1000), std::invalid_argument);
  EXPECT_NO_THROW(map(0x200, 1));
  EXPECT_NO_THROW(map(0x0FF, 1));
}

TEST_F(InterconnectMapTest, RegionMayEndAtTheTopOfTheAddressSpaceAndNotBeyond) {
  constexpr std::uint64_t kTop = std::numeric_limits<std::uint64_t>::max();
  EXPECT_THROW(map(kTop, 2), std::invalid_argument);
  EXPECT_THROW(map(2, kTop), std::invalid_argument);
  EXPECT_NO_THROW(map(1, kTop));
}

TEST_F(InterconnectMapTest, EmptyRegionIsRefused) { EXPECT_THROW(map(0, 0), std::invalid_argument); }

TEST_F(InterconnectMapTest, RegionOfAMissingTargetIsRefusedAtElaboration) {
  PagedMemory bytes;
  Memory memory("memory", bytes, kSize, kMemoryLatency, true);
  TestInitiator initiator("initiator");
  initiator.bus_isock.bind(interconnect_.initiators_tsock);
  interconnect_.targets_isock.bind(memory.bus_tsock);
  map(0, kSize, 1);
  EXPECT_THROW(sc_core::sc_start(), std::invalid_argument);
}

}  // namespace
}  // namespace tessera::tlm_model
