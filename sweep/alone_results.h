// SPDX-License-Identifier: Apache-2.0
// Applications alone, shared between the points of a sweep and the processes that work on it: one file each, named by
// what the simulation depends on.
#pragma once

#include <string>

#include "platform/experiment.h"
#include "sweep/folder.h"

namespace tessera::sweep {

class AloneResults : public platform::IAloneResults {
 public:
  AloneResults(const Folder& folder, std::string program) : folder_(folder), program_(std::move(program)) {}

  std::optional<nlohmann::json> find(const spec::Spec& alone) override;
  void keep(const spec::Spec& alone, const nlohmann::json& result) override;

 private:
  std::string name_of(const spec::Spec& alone) const;

  const Folder& folder_;
  std::string program_;
};

}  // namespace tessera::sweep
