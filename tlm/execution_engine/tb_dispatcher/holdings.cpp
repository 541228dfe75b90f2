// SPDX-License-Identifier: Apache-2.0
// A place that one thread block of a kernel leaves and another takes in a cycle is no change.
#include "tlm/execution_engine/tb_dispatcher/holdings.h"

#include <algorithm>

#include "model/record/numbers.h"

namespace tessera::tlm_model {

void Holdings::change(SmId sm, LaunchId launch, std::int32_t by, std::uint32_t share_ppm) {
  if (!are_wanted()) return;
  std::vector<Held>& held = sms_[index(sm)];
  const auto known = std::find_if(held.begin(), held.end(), [&](const Held& one) { return one.launch == launch; });
  (known == held.end() ? held.emplace_back(Held{launch, 0, 0, share_ppm}) : *known).now += by;
  changed_.set(static_cast<std::uint32_t>(index(sm)));
}

void Holdings::tell(Cycle now) {
  changed_.for_each([&](std::uint32_t sm) {
    for (Held& held : sms_[sm]) {
      if (held.now == held.told) continue;
      held.told = held.now;
      record::Record record;
      record.cycle = now;
      record.kind = record::Kind::kSmHeld;
      record.sm = static_cast<std::uint16_t>(sm);
      record.launch = static_cast<std::uint32_t>(held.launch);
      record::number::tbs(record) = static_cast<std::uint64_t>(held.now);
      record::number::share_ppm(record) = std::uint64_t{held.share_ppm} * static_cast<std::uint64_t>(held.now);
      log_.emit(now, record);
    }
    sms_[sm].erase(std::remove_if(sms_[sm].begin(), sms_[sm].end(), [](const Held& held) { return held.now == 0; }),
                   sms_[sm].end());
  });
  changed_.clear();
}

}  // namespace tessera::tlm_model
