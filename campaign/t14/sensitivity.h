// SPDX-License-Identifier: Apache-2.0
// Every assumption that the paper leaves to us, moved one at a time: what does it do to the figures?
#pragma once

#include <string>
#include <vector>

#include "campaign/reproduction.h"

namespace tessera::campaign::t14 {

// The same workloads under every variant, so that differences are known better than the values themselves.
// `effort` and `violations` are added to.
Figure sensitivity(const Load& load, std::uint32_t num_workloads, const Options& options, Effort& effort,
                   std::vector<std::string>& violations);

}  // namespace tessera::campaign::t14
