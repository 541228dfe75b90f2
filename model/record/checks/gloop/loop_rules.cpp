// SPDX-License-Identifier: Apache-2.0
// Loops, record by record.
#include "model/record/checks/gloop/loop_rules.h"

#include <fmt/format.h>

#include <algorithm>

#include "model/record/numbers.h"

namespace tessera::record::gloop_check {
namespace {

using cooperative::LoopProgram;
using cooperative::Position;

// The first I/O operation from there on, or the end.
Position next_io(const LoopProgram& program, Position from) {
  const Position last = std::min<Position>(program.end(), from + program.round().size());
  while (from < last && program.step(from).is_callback()) ++from;
  return from < last ? from : program.end();
}

// Of callbacks, at the least.
Cycle callback_cycles(const LoopProgram& program, Position from, Position to, std::uint64_t factor_ppm) {
  const auto cycles_of = [&](Position position) {
    const cooperative::Step& step = program.step(position);
    return step.is_callback() ? LoopProgram::cycles_of(step, factor_ppm) : 0;
  };
  Cycle round = 0;
  for (Position i = 0; i < program.round().size(); ++i) round += cycles_of(i);
  const std::uint64_t rounds = (to - from) / program.round().size();
  Cycle cycles = rounds * round;
  for (Position i = from + rounds * program.round().size(); i < to; ++i) cycles += cycles_of(i);
  return cycles;
}

}  // namespace

void LoopRules::visit(const Record& record) {
  if (record.kind == Kind::kTbFinished) return tb_finished(record);
  if (record.kind == Kind::kKernelArrived) return kernel_arrived(record);
  Process& process = processes_[record.process];
  switch (record.kind) {
    case Kind::kLoopResumed:
      return loop_resumed(record, process);
    case Kind::kLoopLeft:
      return loop_left(record, process);
    case Kind::kLoopsLeft:
      return loops_left(record, process);
    case Kind::kIoRequested:
      return io_requested(record, process);
    case Kind::kIoDone:
      return io_done(record, process);
    case Kind::kTokenRequested:
      return launch_asked_for(process);
    case Kind::kYieldRequested:
      if (!process.told_at) process.told_at = record.cycle;  // once more, if it lost the token and has it again
      return;
    case Kind::kKernelKilled:
      process.is_killed = true;  // the kernel may have left while the word was on its way, or not have come yet
      return;
    case Kind::kTokenReleased:
      require(!process.is_on_gpu, Rule::kToken, record, "nothing says that its kernel has left the GPU");
      return;
    case Kind::kRunEnded:
      return run_ended(record, process);
    default:
      return;
  }
}

// ---- kernels ---------------------------------------------------------------------------------------------------

// What is said from here on is about that launch. A kernel that was killed is not launched again.
void LoopRules::launch_asked_for(Process& process) {
  process.told_at.reset();
  if (process.is_killed) process.loops_left = 0;
  process.is_killed = false;
}

void LoopRules::kernel_arrived(const Record& record) {
  if (record.kernel >= facts_.kernels[record.process].size()) return;
  const std::optional<LoopFacts>& facts = facts_.kernels[record.process][record.kernel];
  if (!facts) return;
  Process& process = processes_[record.process];
  require(tokens_.may_run(record.process), Rule::kToken, record, "its session has no token");
  require(!process.is_on_gpu, Rule::kToken, record, "nothing says that the launch before has left the GPU");
  const bool is_same = process.kernel == record.kernel && process.run == record.run;
  process.is_first_launch = process.loops_left == 0 || !is_same;
  if (process.is_first_launch) begin(record, process, *facts);
  process.launch = record.launch;
  process.is_on_gpu = true;
  process.bytes = 0;
  for (Loop& loop : process.loops) loop.is_resident = loop.was_here = false;
}

void LoopRules::begin(const Record& record, Process& process, const LoopFacts& facts) {
  require(!process.is_unfinished(), Rule::kKills, record,
          fmt::format("{} loops of the kernel before are not done, and nobody killed it", process.loops_left));
  const bool is_idle =
      std::none_of(process.loops.begin(), process.loops.end(), [](const Loop& loop) { return loop.asked.has_value(); });
  require(is_idle, Rule::kCallbacks, record, "I/O of the kernel before is not done");
  process.facts = &facts;
  process.kernel = record.kernel;
  process.run = record.run;
  process.loops_left = facts.num_tbs;
  process.loops.assign(facts.num_tbs, {});
}

void LoopRules::loops_left(const Record& record, Process& process) {
  const bool is_here = process.is_on_gpu && record.launch == process.launch;
  if (!require(is_here, Rule::kCallbacks, record, "it is not on the GPU")) return;
  process.is_on_gpu = false;
  if (!process.is_killed) {
    for (std::size_t tb = 0; tb < process.loops.size(); ++tb) {
      const Loop& loop = process.loops[tb];
      require(loop.was_here, Rule::kCallbacks, record, fmt::format("the loop of TB {} did not go on", tb));
      require(!loop.is_resident, Rule::kKills, record,
              fmt::format("the loop of TB {} has not left, and nobody killed it", tb));
    }
  }
  require(number::loops_left(record) == process.loops_left, Rule::kCallbacks, record,
          fmt::format("reports {} loops that are not done, {} are", number::loops_left(record), process.loops_left));
  require(record.bytes == process.bytes, Rule::kState, record,
          fmt::format("reports {} bytes, its loops wrote {}", record.bytes, process.bytes));
  const Cycle most = process.told_at ? record.cycle - *process.told_at : 0;
  require(record.cycles <= most, Rule::kCallbacks, record,
          fmt::format("reports {} cycles since it was told to yield, at most {} can be", record.cycles, most));
}

// Of full logs only. A loop that has left is the end of its thread block.
void LoopRules::tb_finished(const Record& record) {
  const auto process = std::find_if(processes_.begin(), processes_.end(), [&record](const Process& each) {
    return each.is_on_gpu && each.launch == record.launch;
  });
  if (process == processes_.end() || process->is_killed || record.tb >= process->loops.size()) return;
  const Loop& loop = process->loops[record.tb];
  require(loop.was_here && !loop.is_resident, Rule::kKills, record, "its loop has not left, and nobody killed it");
}

void LoopRules::run_ended(const Record& record, const Process& process) {
  if (process.run != record.run) return;
  require(!process.is_on_gpu, Rule::kCallbacks, record, "nothing says that its kernel has left the GPU");
  require(!process.is_unfinished(), Rule::kKills, record,
          fmt::format("{} loops of its kernel are not done, and nobody killed it", process.loops_left));
}

// ---- loops -----------------------------------------------------------------------------------------------------

LoopRules::Loop* LoopRules::loop_of(const Record& record, Process& process) {
  const bool is_here = process.is_on_gpu && record.launch == process.launch && record.tb < process.loops.size();
  if (!require(is_here, Rule::kCallbacks, record, "its kernel is not on the GPU")) return nullptr;
  return &process.loops[record.tb];
}

void LoopRules::loop_resumed(const Record& record, Process& process) {
  Loop* const loop = loop_of(record, process);
  if (loop == nullptr) return;
  require(tokens_.may_run(record.process), Rule::kToken, record, "its session has no token, and has lost none");
  require(!loop->was_here, Rule::kCallbacks, record, "it did so before, in this launch");
  const bool knows_of_io = loop->is_answered && number::steps(record) == loop->position + 1;
  require(number::steps(record) == loop->position || knows_of_io, Rule::kCallbacks, record,
          fmt::format("{} steps are done, it goes on after {}", loop->position, number::steps(record)));
  require(record.bytes == (process.is_first_launch ? 0 : loop->bytes), Rule::kState, record,
          fmt::format("reads {} bytes, {} were written", record.bytes, process.is_first_launch ? 0 : loop->bytes));
  if (knows_of_io) {
    loop->position = number::steps(record);
    loop->is_answered = false;
  }
  loop->since = record.cycle;
  loop->is_resident = loop->was_here = true;
}

void LoopRules::loop_left(const Record& record, Process& process) {
  Loop* const loop = loop_of(record, process);
  if (loop == nullptr) return;
  const LoopFacts& facts = *process.facts;
  require(loop->is_resident, Rule::kCallbacks, record, "it is not on an SM");
  // 1. It waits for its I/O and comes no further; or hears that it is done while it leaves, or not even then.
  const bool has_heard = loop->is_answered && number::steps(record) == loop->position + 1;
  const bool is_blocked = has_heard || ((loop->asked || loop->is_answered) && number::steps(record) == loop->position);
  if (loop->asked) {
    require(
        is_blocked, Rule::kCallbacks, record,
        fmt::format("it waits for its I/O after {} steps, and leaves after {}", loop->position, number::steps(record)));
  } else if (has_heard || !is_blocked) {
    moves_to(record, facts, *loop, number::steps(record));
    const bool asks = number::steps(record) == next_io(facts.program, number::steps(record)) &&
                      number::steps(record) < facts.program.end();
    require(!asks || has_heard, Rule::kCallbacks, record, "it has not asked for the I/O that follows");
  }
  // 2. What it leaves behind: one whose last I/O is done while it writes its state does not know yet that it is done.
  const bool is_done = loop->position == facts.program.end() && !(has_heard && record.bytes > 0);
  require(record.bytes == (is_done ? 0 : facts.kept_bytes), Rule::kState, record,
          fmt::format("writes {} bytes, its state has {}", record.bytes, is_done ? 0 : facts.kept_bytes));
  loop->bytes = is_done ? facts.done_bytes : record.bytes;
  process.bytes += record.bytes;
  if (is_done && !loop->is_done) --process.loops_left;
  loop->is_done = loop->is_done || is_done;
  // 3. Why it does.
  const bool may_leave = is_done || process.told_at || process.is_killed || (facts.is_blocking && is_blocked);
  require(may_leave, Rule::kCallbacks, record, "it is not done, and nobody told it to leave");
  loop->is_resident = false;
}

void LoopRules::moves_to(const Record& record, const LoopFacts& facts, Loop& loop, Position to) {
  const Position from = loop.position + (loop.is_answered ? 1 : 0);
  const bool is_ahead = to >= from && to <= next_io(facts.program, from);
  if (require(is_ahead, Rule::kCallbacks, record,
              fmt::format("{} steps were done, and are {} now, with I/O after {}", from, to,
                          next_io(facts.program, from)))) {
    const Cycle least = callback_cycles(facts.program, from, to, facts.least_factor_ppm);
    require(record.cycle - loop.since >= least, Rule::kCallbacks, record,
            fmt::format("its callbacks take {} cycles, it had {}", least, record.cycle - loop.since));
  }
  loop.position = std::min(to, facts.program.end());
  loop.since = record.cycle;
  loop.is_answered = false;
}

// ---- files -----------------------------------------------------------------------------------------------------

void LoopRules::io_requested(const Record& record, Process& process) {
  const bool is_loop = process.is_on_gpu && record.tb < process.loops.size();
  if (!require(is_loop, Rule::kCallbacks, record, "its kernel is not on the GPU")) return;
  Loop& loop = process.loops[record.tb];
  require(loop.is_resident, Rule::kCallbacks, record, "its loop is not on an SM");
  if (!require(!loop.asked, Rule::kCallbacks, record, "it waits for another")) return;
  const LoopProgram& program = process.facts->program;
  const Position at = next_io(program, loop.position + (loop.is_answered ? 1 : 0));
  if (!require(at < program.end(), Rule::kCallbacks, record, "its program has no further I/O")) return;
  moves_to(record, *process.facts, loop, at);
  const cooperative::Step& step = program.step(at);
  const std::uint64_t direction = step.direction == spec::IoDirection::kWrite ? 1 : 0;
  require(record.bytes == step.bytes && number::is_write(record) == direction, Rule::kCallbacks, record,
          fmt::format("the next I/O of its program has {} bytes, direction {}", step.bytes, direction));
  loop.asked = record;
}

void LoopRules::io_done(const Record& record, Process& process) {
  const bool is_asked = record.tb < process.loops.size() && process.loops[record.tb].asked;
  if (!require(is_asked, Rule::kCallbacks, record, "its loop has asked for none")) return;
  Loop& loop = process.loops[record.tb];
  const Record& asked = *loop.asked;
  require(record.bytes == asked.bytes && number::is_write(record) == number::is_write(asked), Rule::kCallbacks, record,
          fmt::format("{} bytes were asked for, direction {}", asked.bytes, number::is_write(asked)));
  require(record.cycles == record.cycle - asked.cycle, Rule::kCallbacks, record,
          fmt::format("reports {} cycles, it was asked for {} ago", record.cycles, record.cycle - asked.cycle));
  loop.asked.reset();
  loop.is_answered = true;
  loop.since = record.cycle;
}

bool LoopRules::require(bool holds, Rule rule, const Record& record, const std::string& what) {
  if (!holds) complain_(rule, record, what);
  return holds;
}

}  // namespace tessera::record::gloop_check
