// SPDX-License-Identifier: Apache-2.0
// tessera replay LOG.csv: does the SM driver place and start thread blocks as the logged machine did?
#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "apps/tessera/commands.h"
#include "apps/tessera/exit_status.h"
#include "tlm/replay/log_replay.h"

namespace tessera::app {
namespace {

struct ReplayOptions {
  std::string log;
  std::string abstraction = "tlm";
  bool prints_json = false;
};

nlohmann::ordered_json to_json(const workload::TbPlacement& placement) {
  return {{"sm", placement.sm}, {"slot", placement.slot}, {"start_cycle", placement.start}};
}

nlohmann::ordered_json to_json(const std::string& name, const workload::TbLog& log,
                               const tlm_model::LogReplay& replay) {
  nlohmann::ordered_json json{
      {"log", name},
      {"tbs", log.tbs.size()},
      {"mismatches",
       {{"sm", replay.sm_mismatches}, {"slot", replay.slot_mismatches}, {"start_cycle", replay.start_mismatches}}},
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
  const tlm_model::LogReplay replay = tlm_model::replay_log(log);
  if (options.prints_json) {
    fmt::print("{}\n", to_json(options.log, log, replay).dump(2));
  } else {
    fmt::print("{}: {} thread blocks on {} SMs; mismatches: {} in SM, {} in slot, {} in start cycle\n", options.log,
               log.tbs.size(), log.num_sms, replay.sm_mismatches, replay.slot_mismatches, replay.start_mismatches);
    if (replay.first_mismatch) {
      const std::uint32_t tb = *replay.first_mismatch;
      fmt::print("first: TB {}: log has {}; replay has {}\n", tb, to_text(log.tbs[tb]), to_text(replay.tbs[tb]));
    }
  }
  return replay.matches() ? kDone : kFailed;
}

}  // namespace

void add_replay_command(CLI::App& app, int& status) {
  CLI::App* command = app.add_subcommand("replay", "Replay a thread-block log of a cycle-level simulator");
  auto options = std::make_shared<ReplayOptions>();
  command->add_option("LOG", options->log, "CSV: tb,sm,slot,start_cycle,end_cycle")->required();
  command->add_option("--abstraction", options->abstraction, "The model that runs")->check(CLI::IsMember({"tlm"}));
  command->add_flag("--json", options->prints_json, "Print the comparison as JSON");
  command->callback([options, &status] { status = replay(*options); });
}

}  // namespace tessera::app
