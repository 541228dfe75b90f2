// SPDX-License-Identifier: Apache-2.0
// A memory-mapped interconnect: decodes addresses, forwards every TLM-2.0 call, and adds a latency per region.
// It neither queues nor arbitrates: initiators that overlap at one target rely on the target to order them.
#pragma once

#include <tlm_utils/multi_passthrough_initiator_socket.h>
#include <tlm_utils/multi_passthrough_target_socket.h>

#include <cstdint>
#include <map>
#include <systemc>
#include <tlm>
#include <unordered_map>

namespace tessera::tlm_model {

// An access must lie in one region, otherwise it gets TLM_ADDRESS_ERROR_RESPONSE in zero time; a debug access is cut at
// the end of its region. Targets see addresses from 0; the initiator's address is restored at the end of the call, for
// non-blocking transport once BEGIN_RESP has passed. DMI ranges are cut to the region.
class Interconnect : public sc_core::sc_module {
 public:
  tlm_utils::multi_passthrough_target_socket<Interconnect> initiators_tsock;
  tlm_utils::multi_passthrough_initiator_socket<Interconnect> targets_isock;

  explicit Interconnect(const sc_core::sc_module_name& name);

  // Maps base .. base + size_bytes - 1 to the target that was bound to targets_isock as number target_index (from 0).
  // The latency is added to the request's annotated delay. Only before the simulation starts. Throws
  // std::invalid_argument if the region is empty, beyond 2^64, or overlaps another one.
  void map(std::uint64_t base, std::uint64_t size_bytes, unsigned int target_index, const sc_core::sc_time& latency);

 private:
  struct Region {
    std::uint64_t base;
    std::uint64_t size_bytes;
    unsigned int target;
    sc_core::sc_time latency;
  };
  struct Route {  // of a non-blocking transaction, until its last phase
    int initiator;
    unsigned int target;
    std::uint64_t address;  // the initiator's
  };

  // Throws std::invalid_argument if a region names a target that is not bound.
  void end_of_elaboration() override;

  void b_transport(int initiator, tlm::tlm_generic_payload& trans, sc_core::sc_time& delay);
  tlm::tlm_sync_enum nb_transport_fw(int initiator, tlm::tlm_generic_payload& trans, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay);
  tlm::tlm_sync_enum nb_transport_bw(int target, tlm::tlm_generic_payload& trans, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay);
  unsigned int transport_dbg(int initiator, tlm::tlm_generic_payload& trans);
  bool get_direct_mem_ptr(int initiator, tlm::tlm_generic_payload& trans, tlm::tlm_dmi& dmi);
  void invalidate_direct_mem_ptr(int target, sc_dt::uint64 first, sc_dt::uint64 last);

  const Region* region_at(std::uint64_t address) const;
  // The region that holds the whole access; null: the response has the error.
  const Region* decode(tlm::tlm_generic_payload& trans) const;
  // Throws std::logic_error if the transaction is not in flight: its initiator or target violates the protocol.
  Route route_of(const tlm::tlm_generic_payload& trans) const;

  std::map<std::uint64_t, Region> regions_;  // by base
  std::unordered_map<const tlm::tlm_generic_payload*, Route> in_flight_;
};

}  // namespace tessera::tlm_model
