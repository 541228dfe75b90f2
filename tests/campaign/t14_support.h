// SPDX-License-Identifier: Apache-2.0
// The experiment of [T14], and what is asked of it in tests.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "campaign/papers.h"
#include "model/spec/loader.h"

namespace tessera::campaign::t14::test {

inline spec::Spec base(const std::vector<std::string>& overrides = {}) {
  return load_paper(TESSERA_SOURCE_DIR "/configs/papers/t14.yaml", overrides);
}

inline Request request_for(const char* target, std::vector<std::string> fixed = {}) {
  Request request;
  request.target = target;
  request.load = [fixed](const std::vector<std::string>& more) { return base(spec::with_precedence(more, fixed)); };
  request.num_workloads = 1;
  request.options.num_workers = 2;
  request.options.is_interrupted = [] { return false; };
  return request;
}

// Where the core's time makes no difference to the claim: the engine that is twice as fast to simulate.
inline constexpr const char* kIdeal = "gpu.framework.engine=ideal";

}  // namespace tessera::campaign::t14::test
