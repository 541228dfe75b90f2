// SPDX-License-Identifier: Apache-2.0
// Address translation on the way to a target and back.
#include "tlm/interconnect/interconnect.h"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <string>

#include "tlm/base/memory_access.h"

namespace tessera::tlm_model {
namespace {

// The payload carries the target's address while this lives.
class TargetAddress {
 public:
  TargetAddress(tlm::tlm_generic_payload& trans, std::uint64_t base) : trans_(trans), address_(trans.get_address()) {
    trans.set_address(address_ - base);
  }
  ~TargetAddress() { trans_.set_address(address_); }
  TargetAddress(const TargetAddress&) = delete;
  TargetAddress& operator=(const TargetAddress&) = delete;

 private:
  tlm::tlm_generic_payload& trans_;
  std::uint64_t address_;
};

bool is_last_call(tlm::tlm_sync_enum sync, const tlm::tlm_phase& phase) {
  return sync == tlm::TLM_COMPLETED || (sync == tlm::TLM_UPDATED && phase == tlm::END_RESP);
}

bool carries_response(tlm::tlm_sync_enum sync, const tlm::tlm_phase& phase) {
  return sync == tlm::TLM_COMPLETED || (sync == tlm::TLM_UPDATED && phase == tlm::BEGIN_RESP);
}

}  // namespace

Interconnect::Interconnect(const sc_core::sc_module_name& name)
    : sc_module(name), initiators_tsock("initiators_tsock"), targets_isock("targets_isock") {
  initiators_tsock.register_b_transport(this, &Interconnect::b_transport);
  initiators_tsock.register_nb_transport_fw(this, &Interconnect::nb_transport_fw);
  initiators_tsock.register_transport_dbg(this, &Interconnect::transport_dbg);
  initiators_tsock.register_get_direct_mem_ptr(this, &Interconnect::get_direct_mem_ptr);
  targets_isock.register_nb_transport_bw(this, &Interconnect::nb_transport_bw);
  targets_isock.register_invalidate_direct_mem_ptr(this, &Interconnect::invalidate_direct_mem_ptr);
}

void Interconnect::map(std::uint64_t base, std::uint64_t size_bytes, unsigned int target_index,
                       const sc_core::sc_time& latency) {
  const std::string where = std::string(name()) + ": the region at " + std::to_string(base);
  if (size_bytes == 0) throw std::invalid_argument(where + " is empty");
  if (size_bytes - 1 > std::numeric_limits<std::uint64_t>::max() - base) {
    throw std::invalid_argument(where + " reaches beyond 2^64");
  }
  // Among disjoint regions only the last one that starts within the new one can overlap it.
  const auto next = regions_.upper_bound(base + (size_bytes - 1));
  if (next != regions_.begin()) {
    const Region& other = std::prev(next)->second;
    if (other.base >= base || base - other.base < other.size_bytes) {
      throw std::invalid_argument(where + " overlaps the one at " + std::to_string(other.base));
    }
  }
  regions_.emplace(base, Region{base, size_bytes, target_index, latency});
}

void Interconnect::end_of_elaboration() {
  for (const auto& [base, region] : regions_) {
    if (region.target >= targets_isock.size()) {
      throw std::invalid_argument(std::string(name()) + ": the region at " + std::to_string(base) + " names target " +
                                  std::to_string(region.target) + " of " + std::to_string(targets_isock.size()));
    }
  }
}

const Interconnect::Region* Interconnect::region_at(std::uint64_t address) const {
  const auto next = regions_.upper_bound(address);
  if (next == regions_.begin()) return nullptr;
  const Region& region = std::prev(next)->second;
  return address - region.base < region.size_bytes ? &region : nullptr;
}

const Interconnect::Region* Interconnect::decode(tlm::tlm_generic_payload& trans) const {
  const Region* region = region_at(trans.get_address());
  if (region != nullptr && trans.get_data_length() <= region->size_bytes - (trans.get_address() - region->base)) {
    return region;
  }
  trans.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
  return nullptr;
}

void Interconnect::b_transport(int /*initiator*/, tlm::tlm_generic_payload& trans, sc_core::sc_time& delay) {
  const Region* region = decode(trans);
  if (region == nullptr) return;
  const TargetAddress translated(trans, region->base);
  delay += region->latency;
  targets_isock[static_cast<int>(region->target)]->b_transport(trans, delay);
}

tlm::tlm_sync_enum Interconnect::nb_transport_fw(int initiator, tlm::tlm_generic_payload& trans, tlm::tlm_phase& phase,
                                                 sc_core::sc_time& delay) {
  // 1. A request finds its target; every later phase follows it.
  if (phase == tlm::BEGIN_REQ) {
    const Region* region = decode(trans);
    if (region == nullptr) return tlm::TLM_COMPLETED;
    in_flight_[&trans] = {initiator, region->target, trans.get_address()};
    trans.set_address(trans.get_address() - region->base);
    delay += region->latency;
  }
  const Route route = route_of(trans);
  // 2. The initiator may use the payload again once END_RESP is on its way.
  if (phase == tlm::END_RESP) in_flight_.erase(&trans);
  // 3. The call may carry the response back.
  const tlm::tlm_sync_enum sync = targets_isock[static_cast<int>(route.target)]->nb_transport_fw(trans, phase, delay);
  if (carries_response(sync, phase)) trans.set_address(route.address);
  if (sync == tlm::TLM_COMPLETED) in_flight_.erase(&trans);
  return sync;
}

tlm::tlm_sync_enum Interconnect::nb_transport_bw(int /*target*/, tlm::tlm_generic_payload& trans, tlm::tlm_phase& phase,
                                                 sc_core::sc_time& delay) {
  const Route route = route_of(trans);
  if (phase == tlm::BEGIN_RESP) trans.set_address(route.address);
  const tlm::tlm_sync_enum sync = initiators_tsock[route.initiator]->nb_transport_bw(trans, phase, delay);
  if (is_last_call(sync, phase)) in_flight_.erase(&trans);
  return sync;
}

unsigned int Interconnect::transport_dbg(int /*initiator*/, tlm::tlm_generic_payload& trans) {
  const Region* region = region_at(trans.get_address());
  if (region == nullptr) return 0;
  const unsigned int length = trans.get_data_length();
  const std::uint64_t left = region->size_bytes - (trans.get_address() - region->base);
  const TargetAddress translated(trans, region->base);
  trans.set_data_length(static_cast<unsigned int>(std::min<std::uint64_t>(length, left)));
  const unsigned int moved = targets_isock[static_cast<int>(region->target)]->transport_dbg(trans);
  trans.set_data_length(length);
  return moved;
}

bool Interconnect::get_direct_mem_ptr(int /*initiator*/, tlm::tlm_generic_payload& trans, tlm::tlm_dmi& dmi) {
  const std::uint64_t address = trans.get_address();
  const Region* region = region_at(address);
  if (region == nullptr) {
    deny_dmi(dmi, address, address);
    return false;
  }
  const TargetAddress translated(trans, region->base);
  const bool is_granted = targets_isock[static_cast<int>(region->target)]->get_direct_mem_ptr(trans, dmi);
  const std::uint64_t last = std::min<std::uint64_t>(dmi.get_end_address(), region->size_bytes - 1);
  dmi.set_start_address(region->base + dmi.get_start_address());
  dmi.set_end_address(region->base + last);
  dmi.set_read_latency(dmi.get_read_latency() + region->latency);
  dmi.set_write_latency(dmi.get_write_latency() + region->latency);
  return is_granted;
}

void Interconnect::invalidate_direct_mem_ptr(int target, sc_dt::uint64 first, sc_dt::uint64 last) {
  for (const auto& [base, region] : regions_) {
    if (static_cast<int>(region.target) != target || first >= region.size_bytes) continue;
    const std::uint64_t region_last = base + std::min<std::uint64_t>(last, region.size_bytes - 1);
    for (unsigned int i = 0; i < initiators_tsock.size(); ++i) {
      initiators_tsock[static_cast<int>(i)]->invalidate_direct_mem_ptr(base + first, region_last);
    }
  }
}

Interconnect::Route Interconnect::route_of(const tlm::tlm_generic_payload& trans) const {
  const auto found = in_flight_.find(&trans);
  if (found == in_flight_.end()) throw std::logic_error(std::string(name()) + ": a phase without a request");
  return found->second;
}

}  // namespace tessera::tlm_model
