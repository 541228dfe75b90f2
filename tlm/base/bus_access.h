// SPDX-License-Identifier: Apache-2.0
// One blocking access by one of our initiators, of any size and at any address.
#pragma once

#include <cstdint>
#include <systemc>
#include <tlm>

namespace tessera::tlm_model {

// Returns false if the target refused. `delay` is the time annotated so far; the target's delay is added to it.
template <typename InitiatorSocket>
bool access_bus(InitiatorSocket& socket, ::tlm::tlm_command command, std::uint64_t address, void* data,
                std::uint64_t bytes, sc_core::sc_time& delay) {
  ::tlm::tlm_generic_payload payload;
  payload.set_command(command);
  payload.set_address(address);
  payload.set_data_ptr(static_cast<std::uint8_t*>(data));
  payload.set_data_length(static_cast<unsigned>(bytes));
  payload.set_streaming_width(static_cast<unsigned>(bytes));
  payload.set_response_status(::tlm::TLM_INCOMPLETE_RESPONSE);
  socket->b_transport(payload, delay);
  return payload.is_response_ok();
}

}  // namespace tessera::tlm_model
