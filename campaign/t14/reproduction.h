// SPDX-License-Identifier: Apache-2.0
// What `tessera reproduce` offers of [T14], and how each of it is made.
#pragma once

#include <string>
#include <vector>

#include "campaign/t14/sensitivity.h"

namespace tessera::campaign::t14 {

struct Target {
  const char* name;
  const char* description;  // one line
};
const std::vector<Target>& targets();
bool has_averages(const std::string& target);  // that more workloads would tell better

// Another reading of the paper, whose figures stand beside those of the configured one.
struct Variant {
  const char* name;
  std::vector<std::string> overrides;
};
const std::vector<Variant>& variants();
bool is_of_variants(const std::string& target);  // that they say something about

// As many workloads of each study and number of processes as a campaign has when nobody says otherwise: two blocks,
// one of them held out.
inline constexpr std::uint32_t kWorkloads = 20;
inline constexpr std::uint32_t kQuickWorkloads = kWorkloads / 10;

struct Request {
  std::string target;
  Load load;
  std::string variant = {};                  // the name of one, or none
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

// Throws std::out_of_range for an unknown target or variant, spec::InputError where the experiment's processes are not
// applications of Table 1, and what run_campaign() throws.
Reproduction reproduce(const Request& request);

}  // namespace tessera::campaign::t14
