// SPDX-License-Identifier: Apache-2.0
// Keys that neither scheduler nor baseline reads. Internal to model/spec.
#pragma once

#include "model/spec/readers.h"
#include "model/spec/spec.h"

namespace tessera::spec {

// Those that are not at their defaults are refused. If an override or an axis has chosen the policy, keys that the file
// sets for another policy are instead left out and listed in the Spec. `root`: of an experiment whose scheduler,
// baseline and processes could be read.
void settle_policy_keys(const Node& root, Spec& spec, Report& report);

}  // namespace tessera::spec
