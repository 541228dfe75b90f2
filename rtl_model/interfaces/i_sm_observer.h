// SPDX-License-Identifier: Apache-2.0
// Receives events of SMs that are not visible on the core's pins. All cycles are SM cycles.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "model/base/time.h"
#include "model/cooperative/loop_program.h"

namespace tessera::rtl_model {

class ISmObserver {
 public:
  virtual ~ISmObserver() = default;
  virtual void tb_issued(std::uint32_t sm, std::uint32_t slot, std::uint32_t tb, Cycle start) = 0;
  virtual void tb_finished(std::uint32_t sm, std::uint32_t slot, std::uint32_t tb, Cycle now) = 0;
  // The handle of a TB that is being saved has left; the TB counts as saved when the SM's whole save is complete.
  virtual void handle_sent(std::uint32_t sm, std::uint32_t slot, std::uint32_t tb) = 0;
  // `mismatch`: what the context check found.
  virtual void tb_restored(std::uint32_t sm, std::uint32_t slot, std::uint32_t tb,
                           const std::optional<std::string>& mismatch, Cycle now) = 0;
  // The core tells the SM to give up its TBs: flush those it can, or save all. Its link, if it has one, brings the
  // command later, perhaps when the SM has been handed over.
  virtual void told_to_stop(std::uint32_t sm, bool flushes) = 0;
  virtual void tb_flushed(std::uint32_t sm, std::uint32_t slot, std::uint32_t tb, Cycle now) = 0;
  // A whole flush: number of TBs, and total cycles that they had run.
  virtual void sm_flushed(std::uint32_t sm, std::uint32_t count, Cycle lost, Cycle now) = 0;
  virtual void tb_restarted(std::uint32_t sm, std::uint32_t slot, std::uint32_t tb, Cycle start) = 0;
  // `count` TBs are stopped from now on, to be saved.
  virtual void tbs_stopped(std::uint32_t sm, std::uint32_t count, Cycle now) = 0;
  virtual void save_started(std::uint32_t sm, std::uint64_t bytes, Cycle now) = 0;
  virtual void restore_started(std::uint32_t sm, std::uint64_t bytes, Cycle now) = 0;
  virtual void restore_done(std::uint32_t sm, std::uint64_t bytes, Cycle cycles, Cycle now) = 0;
  // The loop of an event-driven kernel's thread block resumes, or leaves: steps done so far, and bytes of its state
  // read or written.
  virtual void loop_resumed(std::uint32_t sm, std::uint32_t slot, std::uint32_t tb, cooperative::Position steps,
                            std::uint64_t bytes, Cycle now) = 0;
  virtual void loop_left(std::uint32_t sm, std::uint32_t slot, std::uint32_t tb, cooperative::Position steps,
                         std::uint64_t bytes, Cycle now) = 0;
  virtual void io_requested(std::uint32_t sm, std::uint32_t slot, std::uint32_t tb, const cooperative::Step& io,
                            Cycle now) = 0;
};

}  // namespace tessera::rtl_model
