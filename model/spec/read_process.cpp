// SPDX-License-Identifier: Apache-2.0
// Keys of a process -> ProcessSpec: what it is, and when its runs are released.
// Internal to model/spec. The application is its caller's, which gathers those of all processes.
#include <fmt/core.h>

#include <string_view>
#include <utility>
#include <variant>

#include "model/spec/host_spec.h"
#include "model/spec/readers.h"

namespace tessera::spec {
namespace {

// Shorter than any launch takes: the log would hold little but releases.
constexpr Number kPeriod{100'000, kMaxTimePs, kTimeDigits};
constexpr Number kDrawSpread{1, 1'000'000, kPpmDigits};

class ReleaseReader {
 public:
  ReleaseReader(MappingReader& reader, Report& report) : reader_(reader), report_(report) {}

  // Nothing where runs follow one another, or where a mistake leaves that open.
  std::optional<ReleaseSpec> read() {
    // 1. Each key by itself.
    const std::size_t before = report_.size();
    std::optional<Picoseconds> period;
    ReleaseSpec releases;
    std::optional<std::uint32_t> spread;
    reader_.optional("period_us", period, kPeriod,
                     "a run is released so often; `uniform`, `poisson`: in the mean. Left out: a run starts when the "
                     "one before has ended, and `pause_us` later where that is given");
    reader_.optional("period_spread", spread, kDrawSpread,
                     "`uniform`, which needs it: the gap between two releases is uniform in `period_us` x (1 - spread "
                     ".. 1 + spread)");
    reader_.optional("offset_us", releases.offset, kTime,
                     "from `start_us` to the first release (`periodic`, `uniform`), or to where `poisson` and `file` "
                     "begin to count");
    reader_.optional(
        "arrivals", releases.arrivals, Choice<Arrivals>{},
        "releases are evenly spaced, drawn (gaps uniform around the period, or a Poisson process), or recorded");
    reader_.optional("overrun", releases.overrun, Choice<Overrun>{},
                     "releases that pass while a run goes on wait and keep their time, or are not run");
    const Node& file = reader_.node("arrivals_file", Presence::kOptional, path_form,
                                    "`arrivals: file`: a text file with a time in microseconds on each line, not "
                                    "before the one ahead of it; `#` starts a comment; at most 100000");
    const bool is_file_lost = reader_.has("arrivals_file") && file.kind == Node::Kind::kInvalid;  // reported already
    const KeyPath file_path = path_within(file, reader_.path("arrivals_file"));
    releases.times = times_of(file.children, file_path, !file.is_file_root);
    const std::vector<Picoseconds> listed =
        times_of(reader_.list("arrival_times_us", Presence::kOptional, form_maker(kTime),
                              "the same times in the experiment itself, as results have them"),
                 reader_.path("arrival_times_us"), true);
    if (report_.size() > before || is_file_lost) return std::nullopt;
    if (!reader_.has("arrivals_file")) releases.times = listed;
    // 2. All of them together.
    const bool is_file = releases.arrivals == Arrivals::kFile;
    if (!(is_file ? is_sound_file(releases) : is_sound_period())) return std::nullopt;
    if (!is_file && !period) return std::nullopt;
    if (!is_sound_spread(releases.arrivals)) return std::nullopt;
    releases.period = period.value_or(0);
    releases.period_spread_ppm = spread.value_or(0);
    return releases;
  }

 private:
  bool is_sound_file(const ReleaseSpec& releases) {
    if (reader_.has("period_us")) {
      return reject("period_us", "cannot be combined with arrivals: file",
                    "leave it out, or arrivals: periodic, uniform, poisson");
    }
    if (reader_.has("arrivals_file") && reader_.has("arrival_times_us")) {
      return reject("arrival_times_us", "cannot be combined with arrivals_file", "one of them");
    }
    if (reader_.has("arrivals_file")) return true;
    if (!reader_.has("arrival_times_us")) return reject("arrivals", "has no file", "arrivals_file beside it");
    return !releases.times.empty() || reject("arrival_times_us", "is empty", "at least one entry");
  }

  bool is_sound_period() {
    for (const char* key : {"arrivals_file", "arrival_times_us"}) {
      if (reader_.has(key)) return reject(key, "has a meaning with arrivals: file only", "arrivals: file beside it");
    }
    if (reader_.has("period_us")) return true;
    bool is_sound = true;
    for (const char* key : {"arrivals", "offset_us", "overrun", "period_spread"}) {
      if (reader_.has(key)) is_sound = reject(key, "only valid with a period", "period_us beside it");
    }
    return is_sound;
  }

  bool is_sound_spread(Arrivals arrivals) {
    const bool has_spread = reader_.has("period_spread");
    if (arrivals == Arrivals::kUniform) {
      return has_spread || reject("arrivals", "has no spread", "period_spread beside it");
    }
    return !has_spread || reject("period_spread", "has a meaning with arrivals: uniform only", "leave it out");
  }

  bool reject(const char* key, const char* problem, const char* allowed) {
    reader_.reject(key, problem, "", allowed);
    return false;
  }

  std::vector<Picoseconds> times_of(const std::vector<Node>& entries, const KeyPath& path, bool are_numbered) {
    std::vector<Picoseconds> times;
    for (std::size_t i = 0; i < entries.size(); ++i) {
      const Node& entry = entries[i];
      const KeyPath key = are_numbered ? path / i : path;
      const auto complain = [&](std::string problem, std::string allowed) {
        report_.add(entry.where, key, std::move(problem), describe(entry), std::move(allowed));
      };
      if (i == kMaxArrivals) {
        complain("is one arrival too many", fmt::format("at most {}", kMaxArrivals));
        break;
      }
      auto ruled = kTime.parse(entry);
      if (auto* problem = std::get_if<Problem>(&ruled)) {
        complain(std::move(problem->problem), std::move(problem->allowed));
        continue;
      }
      const Picoseconds time = std::get<0>(ruled);
      if (!times.empty() && time < times.back()) {
        complain("is earlier than the arrival ahead of it", fmt::format("at least {}", kTime.text(times.back())));
      } else {
        times.push_back(time);
      }
    }
    return times;
  }

  MappingReader& reader_;
  Report& report_;
};

// Between runs that nothing releases.
void read_pause(MappingReader& reader, ProcessSpec& process) {
  std::optional<Picoseconds> pause;
  reader.optional("pause_us", pause, kPositiveTime,
                  "of runs that nothing releases: the process sleeps so long before each, the first too");
  process.pause = pause.value_or(0);
  reader.optional("pause_spread", process.pause_spread_ppm, kDrawSpread,
                  "the pause is uniform in `pause_us` x (1 - spread .. 1 + spread)");
  for (const char* const key : {"period_us", "arrivals"}) {
    if (!reader.has("pause_us") || !reader.has(key)) continue;
    return reader.reject("pause_us", fmt::format("cannot be combined with {}", key), "", "one of them");
  }
  if (reader.has("pause_spread") && !reader.has("pause_us"))
    reader.reject("pause_spread", "only valid with pause_us", "", "pause_us beside it");
}

// A process ends with its last arrival.
void limit_runs(MappingReader& reader, std::size_t num_arrivals, std::optional<std::uint32_t>& runs) {
  if (runs && *runs > num_arrivals) {
    reader.reject("runs", "is more than there are arrivals", fmt::format("{}", *runs),
                  fmt::format("at most {}", num_arrivals));
  }
  if (!runs) runs = static_cast<std::uint32_t>(num_arrivals);
}

}  // namespace

ProcessSpec read_process_keys(MappingReader& reader, Report& report) {
  ProcessSpec process;
  reader.required("name", process.name, Text{}, "unique in the experiment");
  reader.optional("priority", process.priority, kPriority, "a larger number goes first");
  reader.optional("tokens", process.tokens, Number{0, kMaxTokens},
                  "`dss`: SMs that its kernels are entitled to; left out: an equal share");
  reader.optional(
      "deadline_us", process.deadline, kPositiveTime,
      "`edf`, `np_edf`: of each of its kernels, from its arrival; counted in units of 1024 cycles. With `period_us` or "
      "`arrivals` also of each run, from its release ([readings](../concepts/readings.md#releases)); left out there: "
      "the period, where that is not the mean of draws");
  reader.optional("time_slice_us", process.time_slice, kPositiveTime,
                  {"`turn: kept`: its own quantum", "`scheduler.time_slice_us`"});
  std::optional<SliceEnd> slice_end;
  reader.optional(
      "slice_end", slice_end, Choice<SliceEnd>{},
      {"`switch_scope: gpu`: what becomes of its thread blocks when it loses the turn: they are saved; or they run to "
       "their ends and no other one starts; or all of its active kernels do. Not with `technique: flush`",
       "`scheduler.technique`"});
  process.slice_end = slice_end.value_or(SliceEnd::kTechnique);
  reader.optional("background", process.is_background, Boolean{}, "its runs are not waited for");
  reader.optional("start_us", process.start, kTime, "when it begins");
  reader.optional("runs", process.runs, kRuns, "after so many it ends; left out: it runs again and again");
  read_pause(reader, process);
  process.releases = ReleaseReader(reader, report).read();
  if (!process.releases) return process;
  const ReleaseSpec& releases = *process.releases;
  if (releases.arrivals == Arrivals::kFile) limit_runs(reader, releases.times.size(), process.runs);
  // A frame is due when the next one comes.
  if (releases.arrivals == Arrivals::kPeriodic && !process.deadline) process.deadline = releases.period;
  return process;
}

}  // namespace tessera::spec
