// SPDX-License-Identifier: Apache-2.0
// Summary and log of a run to what the page draws.
#include "report/run_content.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <optional>

#include "model/record/names.h"
#include "model/record/trace/csv_source.h"
#include "model/record/trace/preemption.h"
#include "model/spec/diagnostics.h"
#include "report/json_file.h"
#include "report/log_extent.h"
#include "report/pack.h"
#include "report/page_files.h"
#include "report/timeline.h"

namespace tessera::report {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

struct Machine {
  record::Names names;
  record::SetUp set_up;
  double bytes_per_cycle = 0;
};

std::vector<std::string> kernel_names(const Json& applications, const std::string& name) {
  std::vector<std::string> names;
  const auto found =
      std::find_if(applications.begin(), applications.end(), [&](const Json& each) { return each.at("name") == name; });
  if (found == applications.end()) return names;
  for (const Json& kernel : found->at("kernels")) names.push_back(kernel.at("name"));
  return names;
}

Machine machine_of(const Json& spec) {
  constexpr double kBytesPerGb = 1e9;
  constexpr double kHzPerMhz = 1e6;
  const Json& gpu = spec.at("gpu");
  Machine machine;
  machine.names.num_sms = gpu.at("num_sms");
  machine.names.max_tbs_per_sm = gpu.at("max_tbs_per_sm");
  const double hz = gpu.at("clock_mhz").get<double>() * kHzPerMhz;
  machine.names.clock_hz = static_cast<std::uint64_t>(std::llround(hz));
  const Json& framework = gpu.at("framework");
  const Cycle set_up = framework.at("sm_setup_cycles");
  const Cycle issue = framework.at("tb_issue_cycles");
  machine.set_up = {set_up + issue, set_up + issue * (machine.names.max_tbs_per_sm + 1)};
  if (framework.contains("link_cycles")) {  // there, back, and there again: of the nearest SM, and of any
    const auto up = framework.at("link_cycles").at("up").get<std::vector<Cycle>>();
    const auto down = framework.at("link_cycles").at("down").get<std::vector<Cycle>>();
    Cycle nearest = kNever;
    Cycle farthest = 0;
    for (std::size_t sm = 0; sm < up.size(); ++sm) {
      nearest = std::min(nearest, up[sm] + 2 * down[sm]);
      farthest = std::max(farthest, up[sm] + 2 * down[sm]);
    }
    machine.set_up.first_tb += nearest;
    machine.set_up.latest_restore += farthest;
  }
  machine.bytes_per_cycle = gpu.at("memory_bandwidth_gbps").get<double>() * kBytesPerGb / hz;
  for (const Json& process : spec.at("workload").at("processes")) {
    machine.names.processes.push_back(process.at("name"));
    machine.names.kernels.push_back(kernel_names(spec.at("applications"), process.at("application")));
  }
  return machine;
}

void pack_launches(std::string& block, const std::vector<Launch>& launches) {
  for (const Launch& launch : launches) {
    const bool has_arrived = launch.process != record::kNoIndex;
    append_number(block, has_arrived ? launch.process + 1U : 0);
    if (!has_arrived) continue;
    append_number(block, launch.kernel);
    append_number(block, launch.run);
  }
}

void pack_slices(std::string& block, const std::vector<Slice>& slices) {
  constexpr std::int64_t kStates = 16;
  Cycle last_end = 0;
  std::int64_t last_reference = 0;
  for (const Slice& slice : slices) {
    append_number(block, slice.begin - last_end);
    append_number(block, slice.end - slice.begin);
    append_signed(block, (slice.reference - last_reference) * kStates + slice.state);
    last_end = slice.end;
    last_reference = slice.reference;
  }
}

void pack_preemptions(std::string& block, std::vector<record::Preemption> preemptions) {
  const auto is_earlier = [](const record::Preemption& a, const record::Preemption& b) {
    return a.requested < b.requested;
  };
  std::stable_sort(preemptions.begin(), preemptions.end(), is_earlier);
  Cycle last = 0;
  for (const record::Preemption& each : preemptions) {
    append_number(block, each.requested - last);
    append_number(block, each.sm);
    append_number(block, static_cast<std::uint64_t>(each.technique));
    append_number(block, each.victim);
    append_number(block, each.beneficiary);
    append_number(block, each.decision ? *each.decision + 1 : 0);
    for (const std::uint64_t number : {each.wait, each.movement, each.channel, each.bytes})
      append_number(block, number);
    last = each.requested;
  }
}

void pack_releases(std::string& block, const std::vector<Release>& releases) {
  Cycle last = 0;
  for (const Release& release : releases) {
    append_number(block, release.at - last);
    append_number(block, release.deadline);
    append_number(block, release.run);
    last = release.at;
  }
}

// The numbers of a log, and what the page must know to unpack them.
Json pack(const TimelineBuilder& timeline, const std::vector<record::Preemption>& preemptions,
          std::vector<std::string>& blocks) {
  std::string block;
  Json tracks = Json::array();
  pack_launches(block, timeline.launches());
  for (const Track& track : timeline.tracks()) {
    tracks.push_back({{"group", to_string(track.group)}, {"index", track.index}, {"count", track.slices.size()}});
    pack_slices(block, track.slices);
  }
  pack_preemptions(block, preemptions);
  Json releases = Json::array();
  for (const std::vector<Release>& of_process : timeline.releases()) {
    releases.push_back(of_process.size());
    pack_releases(block, of_process);
  }
  Json json{{"block", blocks.size()},
            {"launches", timeline.launches().size()},
            {"tracks", tracks},
            {"preemptions", preemptions.size()},
            {"releases", std::move(releases)}};
  blocks.push_back(std::move(block));
  return json;
}

// What no schema says: the baseline has the processes of the run, and its scheduler is in the Spec.
void check_baseline(const fs::path& path, const Json& summary) {
  const Json& baseline = summary.at("baseline");
  if (baseline.is_null()) return;
  const auto names = [](const Json& results) {
    std::vector<std::string> list;
    for (const Json& process : results.at("processes")) list.push_back(process.at("name"));
    return list;
  };
  if (names(baseline) != names(summary)) {
    throw spec::InputError({{path.string(), 1, 1, "baseline.processes", "are not the processes of the run", "", ""}});
  }
  if (summary.at("spec").value("baseline", Json()).is_null()) {
    throw spec::InputError(
        {{path.string(), 1, 1, "spec.baseline", "is missing, and the results of one are there", "", ""}});
  }
}

std::optional<fs::path> log_in(const fs::path& folder) {
  for (const char* name : {"timeline.csv", "records.csv"}) {
    if (fs::exists(folder / name)) return folder / name;
  }
  return std::nullopt;
}

Json read_timeline(const fs::path& path, const Machine& machine, const Json& summary,
                   std::vector<std::string>& blocks) {
  TimelineBuilder timeline(machine.names, machine.set_up);
  record::PreemptionSplitter splitter(machine.names.num_sms, machine.bytes_per_cycle);
  std::vector<record::Preemption> preemptions;
  LogExtent extent;
  Cycle end = 0;
  try {
    std::ifstream in(path, std::ios::binary);
    record::CsvSource source(in, machine.names);
    for (record::Record record; source.next(record);) {
      timeline.consume(record);
      if (const auto done = splitter.consume(record)) preemptions.push_back(*done);
      extent.consume(record);
      end = record.cycle;
    }
  } catch (const record::CsvError& error) {
    throw spec::InputError({{path.string(), static_cast<int>(error.line), static_cast<int>(error.column), error.key,
                             error.what(), error.value, error.allowed}});
  }
  const bool is_whole = extent.is_all_of(summary);
  if (is_whole) end = std::max(end, summary.at("simulated_cycles").get<Cycle>());
  timeline.finish(end);
  Json json{{"file", path.filename().string()}, {"end", end}, {"whole", is_whole}};
  json.update(pack(timeline, preemptions, blocks));
  return json;
}

}  // namespace

Json run_content(const fs::path& folder, std::vector<std::string>& blocks) {
  Json summary =
      read_json_file(folder / "summary.json", {page_file("summary.schema.json"), page_file("spec.schema.json")});
  check_baseline(folder / "summary.json", summary);
  Json timeline = nullptr;
  if (const std::optional<fs::path> log = log_in(folder)) {
    timeline = read_timeline(*log, machine_of(summary.at("spec")), summary, blocks);
  }
  return {{"summary", std::move(summary)}, {"timeline", std::move(timeline)}};
}

}  // namespace tessera::report
