// SPDX-License-Identifier: Apache-2.0
// The abstractions' names and cores.
#include "platform/machine_options.h"

#include "model/spec/policies.h"

namespace tessera::platform {

const char* to_string(Abstraction abstraction) {
  switch (abstraction) {
    case Abstraction::kTlm:
      break;
    case Abstraction::kRtlModel:
      return "rtl_model";
    case Abstraction::kRtl:
      return "rtl";
  }
  return "tlm";
}

spec::Cores core_of(Abstraction abstraction) {
  return abstraction == Abstraction::kTlm ? spec::Cores::kTlm : spec::Cores::kClocked;
}

}  // namespace tessera::platform
