// SPDX-License-Identifier: Apache-2.0
// What every memory-mapped target promises (IEEE 1666-2011, 14 and 15); run against each target of the model:
//   INSTANTIATE_TYPED_TEST_SUITE_P(Memory, TargetContract, MemoryUnderTest);
#pragma once

#include <algorithm>
#include <limits>
#include <vector>

#include "tests/tlm/systemc_test.h"
#include "tests/tlm/test_initiator.h"
#include "tlm/base/memory_access.h"

namespace tessera::tlm_model {

// `Target` builds the target and has
//   void bind(tlm_utils::simple_initiator_socket<TestInitiator>&)
//   AccessRules rules()       what it accepts, with its size
//   std::uint64_t base()      where the initiator finds its first byte
//   std::uint64_t writable()  offset of two words that keep what is written to them, and start as zero
//   sc_core::sc_time latency()  of one access
//   bool accepts_debug_writes()  else it refuses them all
// and its last word can be read.
template <typename Target>
class TargetContract : public SystemCTest {
 protected:
  TargetContract() { target_.bind(initiator_.bus_isock); }

  std::uint64_t writable() { return target_.base() + target_.writable(); }
  std::uint64_t end() { return target_.base() + target_.rules().size_bytes; }
  std::size_t word() { return target_.rules().word_bytes; }
  Bytes word_bytes() { return counting_bytes(word()); }

  // The response to a write of one word that `spoil` made wrong; the word must have stayed zero.
  template <typename Spoil>
  tlm::tlm_response_status response_to(const Spoil& spoil) {
    Access access(tlm::TLM_WRITE_COMMAND, writable(), word_bytes());
    spoil(access);
    initiator_.transport(access);
    EXPECT_EQ(initiator_.read(writable(), word()), Bytes(word())) << "a refused access had an effect";
    return access.get_response_status();
  }

  TestInitiator initiator_{"initiator"};
  Target target_;
};

TYPED_TEST_SUITE_P(TargetContract);

TYPED_TEST_P(TargetContract, BurstIsReadBackAsItWasWritten) {
  this->simulate([this] {
    const Bytes burst = counting_bytes(2 * this->word());
    EXPECT_EQ(this->initiator_.write(this->writable(), burst), tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(this->initiator_.read(this->writable(), burst.size()), burst);
  });
}

TYPED_TEST_P(TargetContract, AlignedPartOfAWordIsWrittenAlone) {
  this->simulate([this] {
    const std::size_t part = this->target_.rules().part_bytes;
    this->initiator_.write(this->writable(), this->word_bytes());
    const Bytes bytes(part, 0xA5);
    EXPECT_EQ(this->initiator_.write(this->writable() + this->word() - part, bytes), tlm::TLM_OK_RESPONSE);
    Bytes expected = this->word_bytes();
    std::copy(bytes.begin(), bytes.end(), expected.end() - static_cast<std::ptrdiff_t>(part));
    EXPECT_EQ(this->initiator_.read(this->writable(), this->word()), expected);
  });
}

TYPED_TEST_P(TargetContract, LatencyIsAddedToTheAnnotatedDelay) {
  this->simulate([this] {
    const sc_core::sc_time earlier(7, sc_core::SC_NS);
    Access access(tlm::TLM_READ_COMMAND, this->writable(), Bytes(this->word()));
    EXPECT_EQ(this->initiator_.transport(access, earlier), this->target_.latency());
    EXPECT_EQ(sc_core::sc_time_stamp(), sc_core::SC_ZERO_TIME) << "a target annotates and does not wait";
  });
}

TYPED_TEST_P(TargetContract, IgnoreCommandSucceedsWithoutEffect) {
  this->simulate([this] {
    EXPECT_EQ(this->response_to([](Access& access) { access.set_command(tlm::TLM_IGNORE_COMMAND); }),
              tlm::TLM_OK_RESPONSE);
  });
}

TYPED_TEST_P(TargetContract, UnknownCommandIsACommandError) {
  this->simulate([this] {
    EXPECT_EQ(this->response_to([](Access& access) {
      access.set_command(static_cast<tlm::tlm_command>(tlm::TLM_IGNORE_COMMAND + 1));
    }),
              tlm::TLM_COMMAND_ERROR_RESPONSE);
  });
}

TYPED_TEST_P(TargetContract, NoBytesAreABurstError) {
  this->simulate([this] {
    EXPECT_EQ(this->response_to([](Access& access) { access.set_data_length(0); }), tlm::TLM_BURST_ERROR_RESPONSE);
  });
}

TYPED_TEST_P(TargetContract, NoDataArrayIsAnError) {
  this->simulate([this] {
    EXPECT_EQ(this->response_to([](Access& access) { access.set_data_ptr(nullptr); }), tlm::TLM_GENERIC_ERROR_RESPONSE);
  });
}

TYPED_TEST_P(TargetContract, StreamingBelowTheLengthIsABurstError) {
  this->simulate([this] {
    EXPECT_EQ(this->response_to([](Access& access) { access.set_streaming_width(access.get_data_length() - 1); }),
              tlm::TLM_BURST_ERROR_RESPONSE);
    Access wider(tlm::TLM_WRITE_COMMAND, this->writable(), this->word_bytes());
    wider.set_streaming_width(wider.get_data_length() + 1);
    this->initiator_.transport(wider);
    EXPECT_EQ(wider.get_response_status(), tlm::TLM_OK_RESPONSE);
  });
}

TYPED_TEST_P(TargetContract, LastWordIsInsideAndTheNextIsAnAddressError) {
  this->simulate([this] {
    Access last(tlm::TLM_READ_COMMAND, this->end() - this->word(), Bytes(this->word()));
    this->initiator_.transport(last);
    EXPECT_EQ(last.get_response_status(), tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(this->initiator_.write(this->end(), this->word_bytes()), tlm::TLM_ADDRESS_ERROR_RESPONSE);
    EXPECT_EQ(this->initiator_.write(this->end() - this->word(), counting_bytes(2 * this->word())),
              tlm::TLM_ADDRESS_ERROR_RESPONSE);
  });
}

TYPED_TEST_P(TargetContract, AccessThatWrapsAroundIsAnAddressError) {
  this->simulate([this] {
    const std::uint64_t top = std::numeric_limits<std::uint64_t>::max() - this->word() + 1;
    EXPECT_EQ(this->initiator_.write(top, counting_bytes(2 * this->word())), tlm::TLM_ADDRESS_ERROR_RESPONSE);
  });
}

TYPED_TEST_P(TargetContract, MisalignedOrPartialWordsAreRefused) {
  const AccessRules rules = this->target_.rules();
  if (rules.part_bytes == 1) GTEST_SKIP() << "every byte is a word";
  this->simulate([this, &rules] {
    const std::uint64_t address = this->writable();
    EXPECT_EQ(this->initiator_.write(address + rules.part_bytes, this->word_bytes()), tlm::TLM_ADDRESS_ERROR_RESPONSE);
    EXPECT_EQ(this->initiator_.write(address + 1, Bytes(rules.part_bytes, 1)), tlm::TLM_ADDRESS_ERROR_RESPONSE);
    EXPECT_EQ(this->initiator_.write(address, Bytes(rules.part_bytes - 1, 1)), tlm::TLM_BURST_ERROR_RESPONSE);
    EXPECT_EQ(this->initiator_.write(address, Bytes(rules.word_bytes + rules.part_bytes, 1)),
              tlm::TLM_BURST_ERROR_RESPONSE);
    EXPECT_EQ(this->initiator_.read(address, this->word()), Bytes(this->word())) << "a refused access had an effect";
  });
}

TYPED_TEST_P(TargetContract, ByteEnablesAreHonouredOrRefused) {
  this->simulate([this] {
    const Bytes burst = counting_bytes(2 * this->word());
    Access access(tlm::TLM_WRITE_COMMAND, this->writable(), burst);
    Bytes enables(burst.size(), TLM_BYTE_DISABLED);
    enables.back() = TLM_BYTE_ENABLED;
    access.set_byte_enables(enables);
    this->initiator_.transport(access);
    Bytes expected(burst.size());
    if (this->target_.rules().allows_byte_enables) {
      EXPECT_EQ(access.get_response_status(), tlm::TLM_OK_RESPONSE);
      expected.back() = burst.back();
    } else {
      EXPECT_EQ(access.get_response_status(), tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
    }
    EXPECT_EQ(this->initiator_.read(this->writable(), burst.size()), expected);
  });
}

TYPED_TEST_P(TargetContract, DmiHintSaysWhetherARequestIsGranted) {
  this->simulate([this] {
    Access access(tlm::TLM_READ_COMMAND, this->writable(), Bytes(this->word()));
    this->initiator_.transport(access);
    tlm::tlm_dmi dmi;
    const bool is_granted = this->initiator_.request_dmi(this->writable(), dmi);
    EXPECT_EQ(access.is_dmi_allowed(), this->target_.rules().allows_dmi);
    EXPECT_EQ(is_granted, this->target_.rules().allows_dmi);
    EXPECT_LE(dmi.get_start_address(), this->writable());
    EXPECT_GE(dmi.get_end_address(), this->writable());
  });
}

TYPED_TEST_P(TargetContract, DmiPointerReachesTheSameBytes) {
  if (!this->target_.rules().allows_dmi) GTEST_SKIP() << "grants no DMI";
  this->simulate([this] {
    tlm::tlm_dmi dmi;
    ASSERT_TRUE(this->initiator_.request_dmi(this->writable(), dmi));
    EXPECT_TRUE(dmi.is_read_write_allowed());
    EXPECT_GE(dmi.get_start_address(), this->target_.base());
    EXPECT_LT(dmi.get_end_address(), this->end());
    EXPECT_EQ(dmi.get_read_latency(), this->target_.latency());
    EXPECT_EQ(dmi.get_write_latency(), this->target_.latency());
    unsigned char* byte = dmi.get_dmi_ptr() + (this->writable() - dmi.get_start_address());
    const Bytes bytes = this->word_bytes();
    this->initiator_.write(this->writable(), bytes);
    EXPECT_EQ(Bytes(byte, byte + bytes.size()), bytes);
    *byte = 0xA5;
    EXPECT_EQ(this->initiator_.read(this->writable(), this->word()).front(), 0xA5);
  });
}

TYPED_TEST_P(TargetContract, DmiOutsideIsDenied) {
  this->simulate([this] {
    tlm::tlm_dmi dmi;
    EXPECT_FALSE(this->initiator_.request_dmi(this->end(), dmi));
    EXPECT_FALSE(dmi.is_read_allowed() || dmi.is_write_allowed());
  });
}

TYPED_TEST_P(TargetContract, DebugAccessSeesTheBytesWithoutTheHint) {
  this->simulate([this] {
    const bool is_written = this->target_.accepts_debug_writes();
    const Bytes bytes = this->word_bytes();
    const Bytes expected = is_written ? bytes : Bytes(bytes.size());
    EXPECT_EQ(this->initiator_.debug_write(this->writable(), bytes), is_written ? bytes.size() : 0);
    EXPECT_EQ(this->initiator_.read(this->writable(), bytes.size()), expected);
    EXPECT_EQ(this->initiator_.debug_read(this->writable(), bytes.size()), expected);
  });
}

TYPED_TEST_P(TargetContract, DebugAccessMovesWhatLiesInside) {
  this->simulate([this] {
    EXPECT_EQ(this->initiator_.debug_read(this->end() - this->word(), 3 * this->word()).size(), this->word());
    EXPECT_EQ(this->initiator_.debug_read(this->end(), this->word()).size(), 0U);
    Access ignored(tlm::TLM_IGNORE_COMMAND, this->writable(), this->word_bytes());
    EXPECT_EQ(this->initiator_.bus_isock->transport_dbg(ignored), 0U);
    EXPECT_EQ(this->initiator_.read(this->writable(), this->word()), Bytes(this->word()));
  });
}

TYPED_TEST_P(TargetContract, FourPhasesDoWhatTheBlockingCallDoes) {
  this->simulate([this] {
    Access write(tlm::TLM_WRITE_COMMAND, this->writable(), this->word_bytes());
    EXPECT_EQ(this->initiator_.transport_in_phases(write), this->target_.latency());
    EXPECT_EQ(write.get_response_status(), tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(this->initiator_.phases_seen(), std::vector<tlm::tlm_phase>{tlm::BEGIN_RESP});
    EXPECT_EQ(this->initiator_.read(this->writable(), this->word()), this->word_bytes());
    Access outside(tlm::TLM_WRITE_COMMAND, this->end(), this->word_bytes());
    EXPECT_EQ(this->initiator_.transport_in_phases(outside), sc_core::SC_ZERO_TIME);
    EXPECT_EQ(outside.get_response_status(), tlm::TLM_ADDRESS_ERROR_RESPONSE);
  });
}

REGISTER_TYPED_TEST_SUITE_P(TargetContract, BurstIsReadBackAsItWasWritten, AlignedPartOfAWordIsWrittenAlone,
                            LatencyIsAddedToTheAnnotatedDelay, IgnoreCommandSucceedsWithoutEffect,
                            UnknownCommandIsACommandError, NoBytesAreABurstError, NoDataArrayIsAnError,
                            StreamingBelowTheLengthIsABurstError, LastWordIsInsideAndTheNextIsAnAddressError,
                            AccessThatWrapsAroundIsAnAddressError, MisalignedOrPartialWordsAreRefused,
                            ByteEnablesAreHonouredOrRefused, DmiHintSaysWhetherARequestIsGranted,
                            DmiPointerReachesTheSameBytes, DmiOutsideIsDenied, DebugAccessSeesTheBytesWithoutTheHint,
                            DebugAccessMovesWhatLiesInside, FourPhasesDoWhatTheBlockingCallDoes);

}  // namespace tessera::tlm_model
