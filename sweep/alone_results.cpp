// SPDX-License-Identifier: Apache-2.0
// The key leaves out what cannot matter to a single process under fcfs, which never preempts; a test compares the
// simulations.
#include "sweep/alone_results.h"

#include <fstream>

#include "cosim/core_cache.h"
#include "model/spec/json_text.h"
#include "model/spec/policy_keys.h"
#include "model/spec/spec.h"
#include "model/spec/spec_json.h"

namespace tessera::sweep {
namespace {

// Some duration of it is drawn at random. Any key with that word: those to come count too.
bool has_spread(const nlohmann::ordered_json& json) {
  for (const auto& [key, value] : json.items()) {
    if (value.is_structured() ? has_spread(value) : key.find("spread") != std::string::npos && value != 0) return true;
  }
  return false;
}

}  // namespace

std::string AloneResults::name_of(const spec::Spec& alone) const {
  spec::Spec essence = alone;
  const std::uint32_t application = essence.processes.at(0).application;
  essence.applications = {essence.applications.at(application)};
  essence.processes[0].application = 0;
  essence.name.clear();
  spec::reset_unread(essence.scheduler);
  if (!has_spread(spec::to_json(essence.applications[0]))) essence.seed = 0;
  return "alone/" + cosim::fingerprint(program_ + spec::json_text(spec::to_json(essence))) + ".json";
}

std::optional<nlohmann::json> AloneResults::find(const spec::Spec& alone) {
  std::ifstream file(folder_.file(name_of(alone)));
  nlohmann::json json = nlohmann::json::parse(file, nullptr, false);
  return json.is_object() ? std::optional(std::move(json)) : std::nullopt;
}

void AloneResults::keep(const spec::Spec& alone, const nlohmann::json& result) {
  folder_.write(name_of(alone), nlohmann::json{{"result", result.at("result")}, {"seconds", 0}}.dump() + "\n");
}

}  // namespace tessera::sweep
