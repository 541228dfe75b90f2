// SPDX-License-Identifier: Apache-2.0
// tessera replay LOG.csv: does the SM driver place and start thread blocks as the logged machine did?
#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "apps/tessera/commands.h"
#include "apps/tessera/common_options.h"
#include "apps/tessera/exit_status.h"
#include "model/base/printable.h"
#include "platform/clocked/clocked_replay.h"
#include "platform/clocked/verilated_scheduler.h"

namespace tessera::app {
namespace {

struct ReplayOptions {
  std::string log;
  platform::Abstraction abstraction = platform::Abstraction::kTlm;
  bool prints_json = false;
};

nlohmann::ordered_json to_json(const workload::TbPlacement& placement) {
  return {{"sm", placement.sm}, {"slot", placement.slot}, {"start_cycle", placement.start}};
}

// What replayed, and how fast its scheduler's clock had to be.
struct Replay {
  platform::Abstraction abstraction;
  std::uint32_t clock_ratio = 1;
  tlm_model::LogReplay result;
};

Replay replay_on(platform::Abstraction abstraction, const workload::TbLog& log) {
  if (abstraction == platform::Abstraction::kTlm) return {abstraction, 1, tlm_model::replay_log(log)};
  const bool is_rtl = abstraction == platform::Abstraction::kRtl;
  platform::ClockedReplay clocked =
      platform::replay_log_clocked(log, is_rtl ? platform::verilated_scheduler(false) : rtl_model::SchedulerFactory());
  return {abstraction, clocked.clock_ratio, std::move(clocked.replay)};
}

nlohmann::ordered_json to_json(const std::string& name, const workload::TbLog& log, const Replay& run) {
  const tlm_model::LogReplay& replay = run.result;
  nlohmann::ordered_json json{
      {"log", name},
      {"abstraction", to_string(run.abstraction)},
      {"clock_ratio", run.clock_ratio},
      {"tbs", log.tbs.size()},
      {"mismatches",
       {{"sm", replay.sm_mismatches}, {"slot", replay.slot_mismatches}, {"start_cycle", replay.start_mismatches}}},
      {"max_added_latency_cycles", replay.max_added_latency},
      {"first_mismatch", nullptr}};
  if (replay.first_mismatch) {
    const std::uint32_t tb = *replay.first_mismatch;
    json["first_mismatch"] = {{"tb", tb}, {"log", to_json(log.tbs[tb])}, {"replay", to_json(replay.tbs[tb])}};
  }
  return json;
}

std::string to_text(const workload::TbPlacement& placement) {
  return fmt::format("SM {}, slot {}, cycle {}", placement.sm, placement.slot, placement.start);
}

int replay(const ReplayOptions& options) {
  const workload::TbLog log = workload::read_tb_log_file(options.log);
  const Replay run = replay_on(options.abstraction, log);
  const tlm_model::LogReplay& replay = run.result;
  if (options.prints_json) {
    fmt::print("{}\n", to_json(printable(options.log), log, run).dump(2));
  } else {
    fmt::print("{}: {} thread blocks on {} SMs; mismatches: {} in SM, {} in slot, {} in start cycle\n",
               printable(options.log), log.tbs.size(), log.num_sms, replay.sm_mismatches, replay.slot_mismatches,
               replay.start_mismatches);
    if (run.abstraction != platform::Abstraction::kTlm) {
      fmt::print("scheduler clock: {} times the SM clock; latency added to a start: {} SM cycles at most\n",
                 run.clock_ratio, replay.max_added_latency);
    }
    if (replay.first_mismatch) {
      const std::uint32_t tb = *replay.first_mismatch;
      fmt::print("first: TB {}: log has {}; replay has {}\n", tb, to_text(log.tbs[tb]), to_text(replay.tbs[tb]));
    }
  }
  return replay.matches() ? kDone : kFailed;
}

}  // namespace

void add_replay_command(CLI::App& command, int& status) {
  auto options = std::make_shared<ReplayOptions>();
  add_file_argument(command, "LOG", options->log, "CSV: tb,sm,slot,start_cycle,end_cycle")->required();
  add_abstraction_option(command, options->abstraction);
  command.add_flag("--json", options->prints_json, "Print the comparison as JSON");
  command.callback([options, &status] { status = replay(*options); });
}

}  // namespace tessera::app
