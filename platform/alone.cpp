// SPDX-License-Identifier: Apache-2.0
// What the shared machine has, but for who shares it and how.
#include "platform/alone.h"

namespace tessera::platform {

spec::Spec alone(const spec::Spec& spec, std::uint32_t application) {
  spec::Spec alone = spec;
  alone.processes = {spec::ProcessSpec{spec.applications[application].name, application, 0, {}, false, 0, {}}};
  alone.scheduler.policy = spec::PolicyKind::kFcfs;
  alone.scheduler.order = {};
  alone.partitions.clear();
  alone.preset.reset();
  alone.driver = {};
  alone.baseline.reset();
  alone.baseline_driver = {};
  return alone;
}

}  // namespace tessera::platform
