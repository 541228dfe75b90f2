// SPDX-License-Identifier: Apache-2.0
// The checks, one attribute of the generic payload after the other.
#include "tlm/base/memory_access.h"

#include <algorithm>

namespace tessera::tlm_model {
namespace {

// The size that address and length must be multiples of.
unsigned int granule(const AccessRules& rules, unsigned int length) {
  return length == rules.part_bytes ? rules.part_bytes : rules.word_bytes;
}

// Never forms address + length, which may wrap.
bool is_inside(std::uint64_t address, unsigned int length, std::uint64_t size_bytes) {
  return address < size_bytes && length <= size_bytes - address;
}

bool are_byte_enables_legal(const tlm::tlm_generic_payload& trans, const AccessRules& rules) {
  const unsigned char* enables = trans.get_byte_enable_ptr();
  if (enables == nullptr) return true;
  const unsigned int count = trans.get_byte_enable_length();
  return rules.allows_byte_enables && count > 0 && std::all_of(enables, enables + count, [](unsigned char enable) {
           return enable == TLM_BYTE_ENABLED || enable == TLM_BYTE_DISABLED;
         });
}

}  // namespace

tlm::tlm_response_status check_access(const tlm::tlm_generic_payload& trans, const AccessRules& rules) {
  if (trans.get_command() == tlm::TLM_IGNORE_COMMAND) return tlm::TLM_OK_RESPONSE;
  if (!trans.is_read() && !trans.is_write()) return tlm::TLM_COMMAND_ERROR_RESPONSE;
  const unsigned int length = trans.get_data_length();
  const unsigned int step = granule(rules, length);
  if (length == 0 || length % step != 0 || trans.get_streaming_width() < length) return tlm::TLM_BURST_ERROR_RESPONSE;
  const std::uint64_t address = trans.get_address();
  if (address % step != 0 || !is_inside(address, length, rules.size_bytes)) return tlm::TLM_ADDRESS_ERROR_RESPONSE;
  if (!are_byte_enables_legal(trans, rules)) return tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE;
  if (trans.get_data_ptr() == nullptr) return tlm::TLM_GENERIC_ERROR_RESPONSE;
  return tlm::TLM_OK_RESPONSE;
}

bool accept_access(tlm::tlm_generic_payload& trans, const AccessRules& rules) {
  trans.set_response_status(check_access(trans, rules));
  trans.set_dmi_allowed(rules.allows_dmi && trans.is_response_ok());
  return trans.is_response_ok() && trans.get_command() != tlm::TLM_IGNORE_COMMAND;
}

unsigned int debug_length(const tlm::tlm_generic_payload& trans, const AccessRules& rules) {
  const std::uint64_t address = trans.get_address();
  const bool moves_data = (trans.is_read() || trans.is_write()) && trans.get_data_ptr() != nullptr;
  if (!moves_data || address >= rules.size_bytes) return 0;
  const auto inside =
      static_cast<unsigned int>(std::min<std::uint64_t>(trans.get_data_length(), rules.size_bytes - address));
  const unsigned int step = granule(rules, inside);
  return address % step == 0 ? inside - inside % step : 0;
}

void for_each_enabled_run(const tlm::tlm_generic_payload& trans, const MoveBytes& move) {
  const unsigned int length = trans.get_data_length();
  const unsigned char* enables = trans.get_byte_enable_ptr();
  if (enables == nullptr) return move(trans.get_address(), trans.get_data_ptr(), length);
  // Shorter than the data, the enables repeat.
  const auto is_enabled = [&](unsigned int i) {
    return enables[i % trans.get_byte_enable_length()] == TLM_BYTE_ENABLED;
  };
  for (unsigned int begin = 0; begin < length;) {
    unsigned int end = begin;
    while (end < length && is_enabled(end)) ++end;
    if (end > begin) move(trans.get_address() + begin, trans.get_data_ptr() + begin, end - begin);
    begin = end + 1;  // `end` itself is disabled or past the data
  }
}

void deny_dmi(tlm::tlm_dmi& dmi, std::uint64_t first, std::uint64_t last) {
  dmi.allow_none();
  dmi.set_start_address(first);
  dmi.set_end_address(last);
}

}  // namespace tessera::tlm_model
