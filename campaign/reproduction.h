// SPDX-License-Identifier: Apache-2.0
// What `tessera reproduce` asks of a paper, whichever it is, and what it gets.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "campaign/campaign.h"
#include "campaign/figure.h"

namespace tessera::campaign {

using Keys = std::vector<std::string>;  // of an experiment, as own_keys.h writes them

struct Target {
  const char* name;                    // unique among all papers: it begins with the paper's
  const char* description;             // one line
  Keys own_keys = {};                  // that it sets itself
  std::optional<Keys> read_keys = {};  // that it looks at; none: it may look at the whole experiment
  bool is_of_whole = true;             // one of the figures that the paper's `whole` is
};

// Another reading of the paper, or other values for what it does not print (variants.h).
struct Variant {
  std::string name;
  std::vector<std::string> figures;      // targets that it says something about
  std::vector<std::string> overrides;    // as of `--set`; none: the figures know it by its name
  std::string reason;                    // why one may read it so
  std::string source;                    // where that stands
  std::vector<std::string> free_inputs;  // that it chooses: neither printed nor measured
};

// The paper's experiment with some keys set differently, as `--set` does. Its files are read once for each such list.
class Load {
 public:
  using Read = std::function<spec::Spec(const std::vector<std::string>& overrides)>;

  Load() = default;
  template <class Function, class = std::enable_if_t<!std::is_same_v<std::decay_t<Function>, Load>>>
  Load(Function read) : read_(std::move(read)) {}

  // Valid as long as a copy of this.
  const spec::Spec& operator()(const std::vector<std::string>& overrides) const;

 private:
  Read read_;
  std::shared_ptr<std::map<std::vector<std::string>, spec::Spec>> specs_ =
      std::make_shared<std::map<std::vector<std::string>, spec::Spec>>();
};

// As many workloads of each study and number of processes as a campaign has when nobody says otherwise: two blocks,
// one of them held out.
inline constexpr std::uint32_t kWorkloads = 20;

struct Request {
  std::string target;
  Load load;
  std::filesystem::path config = {};      // the file that it loads: what else a target needs lies near it
  std::vector<std::string> figures = {};  // of a target that is several: these alone; empty: all
  // By name; empty: as configured. Of the readings that figures have by themselves, a variant has the configured one.
  std::string variant = {};
  std::uint32_t num_workloads = kWorkloads;  // at 2 processes all pairs where these are a block or more
  bool goes_on = false;                      // more workloads until the half-width of every average is below 5 % of it
  Options options;
};

struct Reproduction {
  std::vector<Figure> figures;
  std::string measurements_csv;  // of the campaign, if there was one
  Effort effort;
  std::vector<std::string> violations;
};

// What a paper's folder says of it; papers.h lists them.
struct Paper {
  const char* config;  // its experiment, below configs/
  const char* whole;   // the target that is all figures of the paper
  std::vector<Target> targets;
  std::vector<Variant> variants;
  Reproduction (*reproduce)(const Request&);  // of one of the targets
  // Has the target averages that more workloads would tell better?
  bool (*has_averages)(const std::string& target) = [](const std::string&) { return false; };
};

// Is a figure part of what is asked for? `whole`: the target that is all figures of the paper.
bool is_wanted(const Request& request, const std::string& figure, const std::string& whole);

// A paper's targets are tables of parts, each with what makes its target. Those that are wanted, in order.
template <class Part>
std::vector<const Part*> wanted_of(const std::vector<Part>& parts, const Request& request, const std::string& whole) {
  std::vector<const Part*> wanted;
  for (const Part& part : parts) {
    if (is_wanted(request, part.target.name, whole)) wanted.push_back(&part);
  }
  return wanted;
}

// The target that is all figures of the paper.
Target whole_target(const char* name, const char* description = "all of the above");

template <class Part>
void add_targets(const std::vector<Part>& parts, std::vector<Target>& to) {
  for (const Part& part : parts) to.push_back(part.target);
}

// Of several tables of parts, and at the end the whole.
template <class... Part>
std::vector<Target> targets_of(const char* whole, const std::vector<Part>&... parts) {
  std::vector<Target> targets;
  (add_targets(parts, targets), ...);
  targets.push_back(whole_target(whole));
  return targets;
}

}  // namespace tessera::campaign
