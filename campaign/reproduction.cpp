// SPDX-License-Identifier: Apache-2.0
// What all papers ask of a request.
#include "campaign/reproduction.h"

#include <algorithm>

namespace tessera::campaign {

bool is_wanted(const Request& request, const std::string& figure, const std::string& whole) {
  if (request.target == figure) return true;
  if (request.target != whole) return false;
  return request.figures.empty() ||
         std::find(request.figures.begin(), request.figures.end(), figure) != request.figures.end();
}

}  // namespace tessera::campaign
