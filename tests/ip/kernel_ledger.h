// SPDX-License-Identifier: Apache-2.0
// Every thread block of every kernel that a driver launched, as the pins towards the SMs show it: sent once, saved and
// restored in pairs, finished once; and what an SM is told at its set-up is what the driver wrote.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "rtl_model/interfaces/pins.h"

namespace tessera::ip {

class KernelLedger {
 public:
  KernelLedger(unsigned num_sms, std::vector<std::uint64_t> page_tables)
      : sms_(num_sms), page_tables_(std::move(page_tables)) {}

  void launch(std::uint64_t descriptor, std::uint32_t context, std::uint32_t num_tbs, std::uint32_t tbs_per_sm);
  // A cycle of the IP.
  void cycle(const rtl_model::SchedulerInputs& in, const rtl_model::SchedulerOutputs& out);

  // Descriptors in the order in which the core reported them.
  const std::vector<std::uint64_t>& done() const { return done_; }
  std::uint64_t num_fresh() const { return num_fresh_; }
  std::uint64_t num_restored() const { return num_restored_; }
  // The first thing that was wrong; empty: nothing.
  const std::string& violation() const { return violation_; }

 private:
  struct Kernel {
    std::uint32_t context = 0, num_tbs = 0, tbs_per_sm = 0;
    std::uint32_t next_tb = 0, num_finished = 0;
    std::map<std::uint32_t, std::uint32_t> saved;  // stack pointer by thread block
    bool is_done = false;
  };
  struct Sm {
    Kernel* kernel = nullptr;
    std::uint32_t num_resident = 0;
  };
  void set_up(const rtl_model::SmControlPins& control);
  void dispatch(const rtl_model::DispatchPins& dispatch);
  void finish(const rtl_model::KernelDonePins& done);
  void expect(bool holds, const char* rule);

  std::vector<Sm> sms_;
  std::vector<std::uint64_t> page_tables_;   // by context
  std::map<std::uint64_t, Kernel> kernels_;  // by descriptor
  std::vector<std::uint64_t> done_;
  std::uint64_t num_fresh_ = 0, num_restored_ = 0;
  std::string violation_;
};

}  // namespace tessera::ip
