// SPDX-License-Identifier: Apache-2.0
// Drivers and groups of verification/random/random_driver.h, drawn by rapidcheck, so that it can shrink them.
#include "verification/random/random_driver.h"

#include "tests/platform/random_experiment.h"

namespace tessera::platform::test {
namespace {

class RapidcheckDraws final : public verification::Draws {
 public:
  std::uint64_t in(std::uint64_t first, std::uint64_t last) override { return test::in(first, last); }
};

}  // namespace

void add_any_driver(spec::Spec& spec) {
  RapidcheckDraws draw;
  verification::add_random_driver(draw, {}, spec);
}

void add_any_groups(spec::Spec& spec) {
  RapidcheckDraws draw;
  verification::add_random_groups(draw, {}, spec);
}

}  // namespace tessera::platform::test
