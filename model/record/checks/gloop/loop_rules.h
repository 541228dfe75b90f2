// SPDX-License-Identifier: Apache-2.0
// Checks that each loop executes its program once over all launches of its kernel: it resumes where it left, with the
// state that it wrote, and makes each I/O request once. Internal to the ledger.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/record/checks/gloop/gloop_facts.h"
#include "model/record/checks/gloop/token_rules.h"

namespace tessera::record::gloop_check {

class LoopRules {
 public:
  // All must outlive this object.
  LoopRules(const GloopFacts& facts, const TokenRules& tokens, const Complain& complain)
      : facts_(facts), tokens_(tokens), complain_(complain), processes_(facts.kernels.size()) {}

  void visit(const Record& record);

 private:
  struct Loop {
    cooperative::Position position = 0;  // steps that are certainly done
    Cycle since = 0;                     // when it got there, or was back on an SM
    std::optional<Record> asked;         // the request at this position, if not done
    bool is_answered = false;            // the I/O is done; the loop may not have noticed yet
    bool is_resident = false;
    bool was_here = false;    // in this launch
    bool is_done = false;     // it left at its end
    std::uint64_t bytes = 0;  // of state, in device memory
  };
  // A kernel over all of its launches.
  struct Process {
    const LoopFacts* facts = nullptr;  // null: no event-driven kernel so far
    std::uint16_t kernel = kNoIndex;
    std::uint32_t run = kNoNumber;
    std::uint32_t launch = kNoNumber;  // the last one
    bool is_first_launch = false;
    bool is_on_gpu = false;
    bool is_killed = false;
    std::optional<Cycle> told_at;
    std::uint64_t loops_left = 0;  // that are not done
    std::uint64_t bytes = 0;       // of state written by this launch
    std::vector<Loop> loops;       // by thread block

    bool is_unfinished() const { return loops_left > 0 && !is_killed; }
  };

  void launch_asked_for(Process& process);
  void kernel_arrived(const Record& record);
  void begin(const Record& record, Process& process, const LoopFacts& facts);
  void tb_finished(const Record& record);
  void loop_resumed(const Record& record, Process& process);
  void loop_left(const Record& record, Process& process);
  void loops_left(const Record& record, Process& process);
  void io_requested(const Record& record, Process& process);
  void io_done(const Record& record, Process& process);
  void run_ended(const Record& record, const Process& process);
  // The record's loop if it is part of the launch on the GPU; else null.
  Loop* loop_of(const Record& record, Process& process);
  // Checks that the loop has moved to `to` over callbacks only, in the time that they take.
  void moves_to(const Record& record, const LoopFacts& facts, Loop& loop, cooperative::Position to);
  bool require(bool holds, Rule rule, const Record& record, const std::string& what);

  const GloopFacts& facts_;
  const TokenRules& tokens_;
  const Complain& complain_;
  std::vector<Process> processes_;
};

}  // namespace tessera::record::gloop_check
