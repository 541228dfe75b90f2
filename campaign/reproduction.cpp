// SPDX-License-Identifier: Apache-2.0
// What all papers ask of a request.
#include "campaign/reproduction.h"

#include <algorithm>

namespace tessera::campaign {

const spec::Spec& Load::operator()(const std::vector<std::string>& overrides) const {
  const auto found = specs_->find(overrides);
  return found != specs_->end() ? found->second : specs_->emplace(overrides, read_(overrides)).first->second;
}

bool is_wanted(const Request& request, const std::string& figure, const std::string& whole) {
  if (request.target == figure) return true;
  if (request.target != whole) return false;
  return request.figures.empty() ||
         std::find(request.figures.begin(), request.figures.end(), figure) != request.figures.end();
}

Target whole_target(const char* name, const char* description) { return {name, description, {}, {}, false}; }

}  // namespace tessera::campaign
