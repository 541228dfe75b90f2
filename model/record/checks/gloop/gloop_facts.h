// SPDX-License-Identifier: Apache-2.0
// Facts needed to interpret records of event-driven kernels ([G16]; docs/concepts/gloop.md): their programs, their
// state, and the rules of the token, in cycles.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "model/cooperative/loop_program.h"
#include "model/cooperative/token_scheduler.h"
#include "model/record/record.h"
#include "model/spec/spec_fwd.h"

namespace tessera::record {

struct LoopFacts {
  cooperative::LoopProgram program;
  std::uint32_t num_tbs = 0;
  bool is_blocking = false;
  std::uint64_t kept_bytes = 0;        // state of a loop that is not done
  std::uint64_t done_bytes = 0;        // state of a loop that is done
  std::uint64_t least_factor_ppm = 0;  // smallest factor of a thread block's callback times
};

struct GloopFacts {
  std::vector<std::vector<std::optional<LoopFacts>>> kernels;  // [process][kernel]; no processes: none is event-driven
  std::optional<cooperative::TokenParameters> token;

  bool is_empty() const { return kernels.empty(); }
};

GloopFacts make_gloop_facts(const spec::Spec& spec);

namespace gloop_check {

enum class Rule { kToken, kCallbacks, kState, kKills };

const char* to_string(Rule rule);  // "gloop_token", ...

// Reports a violation: the rule, the record, and the reason.
using Complain = std::function<void(Rule, const Record&, const std::string&)>;

}  // namespace gloop_check

}  // namespace tessera::record
