// SPDX-License-Identifier: Apache-2.0
// The checks that targets share, on random accesses against a byte-by-byte reading of the rules.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <limits>

#include "tests/tlm/test_initiator.h"
#include "tlm/base/memory_access.h"

namespace tessera::tlm_model {
namespace {

constexpr std::uint64_t kWindowSize = 64;
constexpr AccessRules kRegisters{kWindowSize, 8, 4, false, false};
constexpr AccessRules kBytes{kWindowSize, 1, 1, true, false};

tlm::tlm_response_status check(std::uint64_t address, std::size_t count, const AccessRules& rules) {
  return check_access(Access(tlm::TLM_READ_COMMAND, address, Bytes(count)), rules);
}

RC_GTEST_PROP(CheckAccess, AcceptsExactlyTheBurstsOfWordsAndTheAlignedParts, ()) {
  const auto address = *rc::gen::inRange<std::uint64_t>(0, 2 * kWindowSize);
  const auto count = *rc::gen::inRange<std::size_t>(0, 2 * kWindowSize);
  const bool is_inside = count > 0 && address + count <= kWindowSize;
  const bool is_burst_of_words = address % 8 == 0 && count % 8 == 0;
  const bool is_half = address % 4 == 0 && count == 4;
  RC_ASSERT((check(address, count, kBytes) == tlm::TLM_OK_RESPONSE) == is_inside);
  RC_ASSERT((check(address, count, kRegisters) == tlm::TLM_OK_RESPONSE) ==
            (is_inside && (is_burst_of_words || is_half)));
}

RC_GTEST_PROP(DebugLength, IsTheBytesInsideAndWholeWords, ()) {
  const auto address = *rc::gen::inRange<std::uint64_t>(0, 2 * kWindowSize);
  const auto count = *rc::gen::inRange<std::size_t>(0, 2 * kWindowSize);
  const Access access(tlm::TLM_READ_COMMAND, address, Bytes(count));
  std::uint64_t inside = 0;
  while (inside < count && address + inside < kWindowSize) ++inside;
  RC_ASSERT(debug_length(access, kBytes) == inside);
  const unsigned int words = debug_length(access, kRegisters);
  RC_ASSERT(words <= inside);
  RC_ASSERT(words == 0 || check(address, words, kRegisters) == tlm::TLM_OK_RESPONSE);
  RC_ASSERT(words > 0 || address % 8 != 0 || inside < 8);
}

RC_GTEST_PROP(EnabledRuns, CoverEnabledBytesOnceInOrderAndAreMaximal, ()) {
  const auto count = *rc::gen::inRange<std::size_t>(1, kWindowSize);
  auto enables = *rc::gen::nonEmpty(
      rc::gen::container<Bytes>(rc::gen::element<std::uint8_t>(TLM_BYTE_DISABLED, TLM_BYTE_ENABLED)));
  Access access(tlm::TLM_WRITE_COMMAND, 1000, Bytes(count));
  access.set_byte_enables(enables);
  Bytes moved(count, TLM_BYTE_DISABLED);
  std::uint64_t next_allowed = 1000;
  for_each_enabled_run(access, [&](std::uint64_t address, std::uint8_t* data, std::uint64_t size) {
    RC_ASSERT(size > 0U);
    RC_ASSERT(address >= next_allowed);
    RC_ASSERT(data == access.data.data() + (address - 1000));
    for (std::uint64_t i = 0; i < size; ++i) moved.at(address - 1000 + i) = TLM_BYTE_ENABLED;
    next_allowed = address + size + 1;  // a run that touches the one before would be part of it
  });
  for (std::size_t i = 0; i < count; ++i) RC_ASSERT(moved[i] == enables[i % enables.size()]);
}

TEST(CheckAccess, NamesTheMisfitOfRegisterAccesses) {
  EXPECT_EQ(check(4, 4, kRegisters), tlm::TLM_OK_RESPONSE);
  EXPECT_EQ(check(2, 4, kRegisters), tlm::TLM_ADDRESS_ERROR_RESPONSE);
  EXPECT_EQ(check(4, 8, kRegisters), tlm::TLM_ADDRESS_ERROR_RESPONSE);
  EXPECT_EQ(check(0, 12, kRegisters), tlm::TLM_BURST_ERROR_RESPONSE);
  EXPECT_EQ(check(0, 2, kRegisters), tlm::TLM_BURST_ERROR_RESPONSE);
}

TEST(CheckAccess, TargetOfTheWholeAddressSpaceHasALastByte) {
  constexpr std::uint64_t kTop = std::numeric_limits<std::uint64_t>::max();
  const AccessRules rules{kTop, 1, 1, true, false};
  EXPECT_EQ(check(kTop - 1, 1, rules), tlm::TLM_OK_RESPONSE);
  EXPECT_EQ(check(kTop - 1, 2, rules), tlm::TLM_ADDRESS_ERROR_RESPONSE);
  EXPECT_EQ(check(kTop, 1, rules), tlm::TLM_ADDRESS_ERROR_RESPONSE);
}

TEST(CheckAccess, ReservedOrMissingByteEnablesAreRefused) {
  Access access(tlm::TLM_WRITE_COMMAND, 0, Bytes(4));
  access.set_byte_enables({TLM_BYTE_ENABLED, 0x01, TLM_BYTE_DISABLED, TLM_BYTE_ENABLED});
  EXPECT_EQ(check_access(access, kBytes), tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
  access.set_byte_enables(Bytes(4, TLM_BYTE_ENABLED));
  EXPECT_EQ(check_access(access, kBytes), tlm::TLM_OK_RESPONSE);
  access.set_byte_enable_length(0);
  EXPECT_EQ(check_access(access, kBytes), tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
}

TEST(AcceptAccess, HintsAtDmiOnlyWithAnOkResponse) {
  const AccessRules rules{kWindowSize, 1, 1, true, true};
  Access inside(tlm::TLM_READ_COMMAND, kWindowSize - 1, Bytes(1));
  EXPECT_TRUE(accept_access(inside, rules));
  EXPECT_TRUE(inside.is_dmi_allowed());
  Access outside(tlm::TLM_READ_COMMAND, kWindowSize, Bytes(1));
  outside.set_dmi_allowed(true);
  EXPECT_FALSE(accept_access(outside, rules));
  EXPECT_FALSE(outside.is_dmi_allowed());
}

}  // namespace
}  // namespace tessera::tlm_model
