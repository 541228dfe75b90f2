// SPDX-License-Identifier: Apache-2.0
// An initiator for tests: one call of each transport interface, and what came of it.
#pragma once

#include <tlm_utils/simple_initiator_socket.h>

#include <cstdint>
#include <numeric>
#include <systemc>
#include <tlm>
#include <utility>
#include <vector>

namespace tessera::tlm_model {

using Bytes = std::vector<std::uint8_t>;

// `count` different bytes, none of them zero as long as count < 256.
inline Bytes counting_bytes(std::size_t count) {
  Bytes bytes(count);
  std::iota(bytes.begin(), bytes.end(), std::uint8_t{1});
  return bytes;
}

// A generic payload that owns its data and byte enables.
struct Access : tlm::tlm_generic_payload {
  Access(tlm::tlm_command command, std::uint64_t address, Bytes bytes) : data(std::move(bytes)) {
    set_command(command);
    set_address(address);
    set_data_ptr(data.data());
    set_data_length(static_cast<unsigned int>(data.size()));
    set_streaming_width(static_cast<unsigned int>(data.size()));
  }
  void set_byte_enables(Bytes bytes) {
    enables = std::move(bytes);
    set_byte_enable_ptr(enables.data());
    set_byte_enable_length(static_cast<unsigned int>(enables.size()));
  }
  Bytes data;
  Bytes enables;
};

class TestInitiator : public sc_core::sc_module, private tlm::tlm_mm_interface {
 public:
  tlm_utils::simple_initiator_socket<TestInitiator> bus_isock;

  struct Range {
    std::uint64_t first;
    std::uint64_t last;
    bool operator==(const Range& other) const { return first == other.first && last == other.last; }
  };

  explicit TestInitiator(const sc_core::sc_module_name& name) : sc_module(name), bus_isock("bus_isock") {
    bus_isock.register_nb_transport_bw(this, &TestInitiator::nb_transport_bw);
    bus_isock.register_invalidate_direct_mem_ptr(this, &TestInitiator::invalidate_direct_mem_ptr);
  }

  // Returns the delay that was added to `delay`; the response is in the access.
  sc_core::sc_time transport(Access& access, const sc_core::sc_time& delay = sc_core::SC_ZERO_TIME) {
    access.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    access.set_dmi_allowed(false);
    sc_core::sc_time total = delay;
    bus_isock->b_transport(access, total);
    return total - delay;
  }
  tlm::tlm_response_status write(std::uint64_t address, const Bytes& bytes) {
    Access access(tlm::TLM_WRITE_COMMAND, address, bytes);
    transport(access);
    return access.get_response_status();
  }
  // The bytes, or none if the response is an error.
  Bytes read(std::uint64_t address, std::size_t count) {
    Access access(tlm::TLM_READ_COMMAND, address, Bytes(count));
    transport(access);
    return access.is_response_ok() ? access.data : Bytes{};
  }
  // As many bytes as the target says it moved.
  Bytes debug_read(std::uint64_t address, std::size_t count) {
    Access access(tlm::TLM_READ_COMMAND, address, Bytes(count));
    access.data.resize(bus_isock->transport_dbg(access));
    return access.data;
  }
  unsigned int debug_write(std::uint64_t address, const Bytes& bytes) {
    Access access(tlm::TLM_WRITE_COMMAND, address, bytes);
    return bus_isock->transport_dbg(access);
  }
  bool request_dmi(std::uint64_t address, tlm::tlm_dmi& dmi) {
    Access access(tlm::TLM_READ_COMMAND, address, Bytes(1));
    return bus_isock->get_direct_mem_ptr(access, dmi);
  }

  // All four phases, from a thread: returns the time from BEGIN_REQ to BEGIN_RESP; SC_ZERO_TIME also where the
  // target completes the transaction at once.
  sc_core::sc_time transport_in_phases(Access& access) {
    access.set_mm(this);
    access.acquire();
    access.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    const sc_dt::uint64 start = sc_core::sc_time_stamp().value();
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    if (bus_isock->nb_transport_fw(access, phase, delay) != tlm::TLM_COMPLETED) {
      sc_core::wait(has_response_);
      phase = tlm::END_RESP;
      delay = sc_core::SC_ZERO_TIME;
      bus_isock->nb_transport_fw(access, phase, delay);
    }
    access.release();
    return sc_core::sc_time::from_value(sc_core::sc_time_stamp().value() - start);
  }

  // BEGIN_RESP is then answered by TLM_COMPLETED instead of END_RESP.
  void complete_responses_at_once() { completes_responses_ = true; }

  const std::vector<tlm::tlm_phase>& phases_seen() const { return phases_seen_; }
  std::uint64_t response_address() const { return response_address_; }  // of the payload at the last BEGIN_RESP
  const std::vector<Range>& invalidated() const { return invalidated_; }

 private:
  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& trans, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
    phases_seen_.push_back(phase);
    response_address_ = trans.get_address();
    if (phase == tlm::BEGIN_RESP) has_response_.notify(delay);
    return completes_responses_ ? tlm::TLM_COMPLETED : tlm::TLM_ACCEPTED;
  }
  void invalidate_direct_mem_ptr(sc_dt::uint64 first, sc_dt::uint64 last) { invalidated_.push_back({first, last}); }
  void free(tlm::tlm_generic_payload* trans) override { trans->set_mm(nullptr); }  // its owner is the test

  bool completes_responses_ = false;
  std::uint64_t response_address_ = 0;
  sc_core::sc_event has_response_;
  std::vector<tlm::tlm_phase> phases_seen_;
  std::vector<Range> invalidated_;
};

}  // namespace tessera::tlm_model
