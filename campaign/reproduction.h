// SPDX-License-Identifier: Apache-2.0
// What `tessera reproduce` asks of a paper, whichever it is, and what it gets.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "campaign/campaign.h"
#include "campaign/figure.h"

namespace tessera::campaign {

struct Target {
  const char* name;         // unique among all papers: it begins with the paper's
  const char* description;  // one line
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

// The paper's experiment with some keys set differently, as `--set` does.
using Load = std::function<spec::Spec(const std::vector<std::string>& overrides)>;

// As many workloads of each study and number of processes as a campaign has when nobody says otherwise: two blocks,
// one of them held out.
inline constexpr std::uint32_t kWorkloads = 20;

struct Request {
  std::string target;
  Load load;
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

// An entry of the registry in papers.h.
struct Paper {
  const char* config;  // its experiment, below configs/
  const char* whole;   // the target that is all figures of the paper
  const std::vector<Target>& (*targets)();
  Reproduction (*reproduce)(const Request&);
  bool (*has_averages)(const std::string& target);  // that more workloads would tell better
  const std::vector<Variant>& (*variants)();
};

// Is a figure part of what is asked for? `whole`: the target that is all figures of the paper.
bool is_wanted(const Request& request, const std::string& figure, const std::string& whole);

}  // namespace tessera::campaign
