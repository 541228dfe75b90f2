// SPDX-License-Identifier: Apache-2.0
#include "testbench/formal/property.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>

#include "cosim/text_file.h"

namespace tessera::testbench {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(SeededBug, file, where, from, to)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(Property, name, words, bug)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(Proof, name, top, files, sets, max_steps, frames, scenario, is_bounded,
                                                has_second_prover, properties)

std::vector<Proof> listed_proofs(const std::filesystem::path& root) {
  const std::string list = "rtl/formal/properties.json";
  try {
    return nlohmann::json::parse(cosim::read_text(root / list)).get<std::vector<Proof>>();
  } catch (const nlohmann::json::exception& error) {
    throw std::runtime_error(fmt::format("{}: {}", list, error.what()));
  }
}

std::vector<Proof> selected(std::vector<Proof> proofs, const std::vector<std::string>& names) {
  if (names.empty()) return proofs;
  std::set<std::string> unknown(names.begin(), names.end());
  for (Proof& proof : proofs) {
    std::vector<Property> wanted;
    for (const Property& property : proof.properties) {
      if (std::find(names.begin(), names.end(), property.name) == names.end()) continue;
      wanted.push_back(property);
      unknown.erase(property.name);
    }
    proof.properties = std::move(wanted);
  }
  if (!unknown.empty()) throw UnknownProperty(fmt::format("there is no property {}", *unknown.begin()));
  proofs.erase(
      std::remove_if(proofs.begin(), proofs.end(), [](const Proof& proof) { return proof.properties.empty(); }),
      proofs.end());
  return proofs;
}

}  // namespace tessera::testbench
