// SPDX-License-Identifier: Apache-2.0
// Checks that every memory-mapped target makes before an access, and its responses (IEEE 1666-2011, 14). Addresses are
// the target's own, 0 .. size_bytes - 1; lengths are in bytes.
#pragma once

#include <cstdint>
#include <functional>
#include <tlm>

namespace tessera::tlm_model {

// What a target accepts: a burst of whole, aligned words, or one aligned part of a word. A byte-addressed memory has
// word and part of 1 byte; 64-bit registers with 32-bit halves have 8 and 4.
struct AccessRules {
  std::uint64_t size_bytes = 0;
  std::uint32_t word_bytes = 1;
  std::uint32_t part_bytes = 1;
  bool allows_byte_enables = true;
  bool allows_dmi = false;
};

// The response to an access. The ignore command is always OK, whatever its other attributes are.
//   TLM_COMMAND_ERROR      neither read, write nor ignore
//   TLM_BURST_ERROR        no bytes, no whole number of words, or a streaming width below the length
//   TLM_ADDRESS_ERROR      misaligned, or not wholly inside the target
//   TLM_BYTE_ENABLE_ERROR  byte enables where none are allowed, none given, or neither 0 nor 0xff
//   TLM_GENERIC_ERROR      no data array
tlm::tlm_response_status check_access(const tlm::tlm_generic_payload& trans, const AccessRules& rules);

// Sets the response and the DMI hint. Returns true if the access is legal and the target must now move bytes.
bool accept_access(tlm::tlm_generic_payload& trans, const AccessRules& rules);

// Number of bytes of a debug access that lie inside the target, in whole words or one part; 0 without data.
unsigned int debug_length(const tlm::tlm_generic_payload& trans, const AccessRules& rules);

// Calls move(address, data, size) for each run of enabled bytes of an accepted access, in address order.
using MoveBytes = std::function<void(std::uint64_t address, std::uint8_t* data, std::uint64_t size)>;
void for_each_enabled_run(const tlm::tlm_generic_payload& trans, const MoveBytes& move);

// The answer of a target that grants no direct access to first .. last.
void deny_dmi(tlm::tlm_dmi& dmi, std::uint64_t first, std::uint64_t last);

}  // namespace tessera::tlm_model
