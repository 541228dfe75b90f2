// SPDX-License-Identifier: Apache-2.0
// The memory keeps the contract of targets, moves bytes across pages, and grants DMI a page at a time.
#include <algorithm>
#include <limits>

#include "tests/tlm/target_contract.h"
#include "tlm/memory/memory.h"

namespace tessera::tlm_model {
namespace {

constexpr std::uint64_t kPage = PagedMemory::kPageBytes;
constexpr std::uint64_t kMemorySize = 2 * kPage + 16;  // the last page is not whole

template <bool allows_dmi>
struct MemoryUnderTest {
  void bind(tlm_utils::simple_initiator_socket<TestInitiator>& socket) { socket.bind(memory.bus_tsock); }
  AccessRules rules() const { return {kMemorySize, 1, 1, true, allows_dmi}; }
  std::uint64_t base() const { return 0; }
  std::uint64_t writable() const { return kPage - 1; }  // two pages
  bool accepts_debug_writes() const { return true; }
  sc_core::sc_time latency() const { return {100, sc_core::SC_NS}; }

  PagedMemory bytes;
  Memory memory{"memory", bytes, kMemorySize, latency(), allows_dmi};
};

INSTANTIATE_TYPED_TEST_SUITE_P(Memory, TargetContract, MemoryUnderTest<true>);
INSTANTIATE_TYPED_TEST_SUITE_P(MemoryWithoutDmi, TargetContract, MemoryUnderTest<false>);

class MemoryTest : public SystemCTest {
 protected:
  MemoryTest() { target_.bind(initiator_.bus_isock); }
  MemoryUnderTest<true> target_;
  TestInitiator initiator_{"initiator"};
};

TEST_F(MemoryTest, UntouchedBytesAreZero) {
  simulate([this] { EXPECT_EQ(initiator_.read(kPage - 8, 16), Bytes(16)); });
}

TEST_F(MemoryTest, BurstOverThreePagesLandsInTheBytesBehindIt) {
  simulate([this] {
    const Bytes burst = counting_bytes(kPage + 4);
    EXPECT_EQ(initiator_.write(kPage - 2, burst), tlm::TLM_OK_RESPONSE);
    Bytes stored(burst.size());
    target_.bytes.read(kPage - 2, stored.data(), stored.size());
    EXPECT_EQ(stored, burst);
  });
}

TEST_F(MemoryTest, DisabledBytesOfAReadKeepTheInitiatorsData) {
  simulate([this] {
    initiator_.write(0, {1, 2, 3, 4, 5, 6});
    Access read(tlm::TLM_READ_COMMAND, 0, Bytes(6, 0xEE));
    read.set_byte_enables({TLM_BYTE_DISABLED, TLM_BYTE_ENABLED, TLM_BYTE_ENABLED});
    initiator_.transport(read);
    EXPECT_EQ(read.data, (Bytes{0xEE, 2, 3, 0xEE, 5, 6}));
  });
}

TEST_F(MemoryTest, DmiCoversThePageOfTheAddressAndNoMore) {
  simulate([this] {
    for (const std::uint64_t address : {kPage - 1, kPage, 2 * kPage - 1, kMemorySize - 1}) {
      tlm::tlm_dmi dmi;
      ASSERT_TRUE(initiator_.request_dmi(address, dmi));
      EXPECT_EQ(dmi.get_start_address(), address / kPage * kPage);
      EXPECT_EQ(dmi.get_end_address(), std::min((address / kPage + 1) * kPage, kMemorySize) - 1);
    }
  });
}

TEST_F(MemoryTest, DmiDenialCoversEverythingPastTheEnd) {
  simulate([this] {
    tlm::tlm_dmi dmi;
    EXPECT_FALSE(initiator_.request_dmi(kMemorySize + 5, dmi));
    EXPECT_EQ(dmi.get_start_address(), kMemorySize);
    EXPECT_EQ(dmi.get_end_address(), std::numeric_limits<sc_dt::uint64>::max());
  });
}

}  // namespace
}  // namespace tessera::tlm_model
