// SPDX-License-Identifier: Apache-2.0
// Id and base page-table register of every active GPU context, sent to an SM at its set-up ([T14] 3.1).
#pragma once

#include <cstdint>
#include <unordered_map>

#include "model/base/ids.h"

namespace tessera::tlm_model {

class ContextTable {
 public:
  void set(ContextId context, std::uint64_t base_page_table) { base_page_table_[context] = base_page_table; }
  // 0 for a context that is not registered.
  std::uint64_t base_page_table(ContextId context) const {
    const auto entry = base_page_table_.find(context);
    return entry == base_page_table_.end() ? 0 : entry->second;
  }

 private:
  std::unordered_map<ContextId, std::uint64_t> base_page_table_;
};

}  // namespace tessera::tlm_model
