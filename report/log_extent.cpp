// SPDX-License-Identifier: Apache-2.0
#include "report/log_extent.h"

namespace tessera::report {

using record::Kind;

void LogExtent::consume(const record::Record& record) {
  switch (record.kind) {
    case Kind::kRunEnded:
      ++num_runs_;
      return;
    case Kind::kPolicyInvoked:
      ++num_invocations_;
      return;
    case Kind::kPreemptionDone:
      ++num_preemptions_;
      return;
    case Kind::kKernelArrived:
      open_launches_.insert(record.launch);
      return;
    case Kind::kKernelFinished:
    case Kind::kKernelLeft:
      open_launches_.erase(record.launch);
      return;
    default:
      return;
  }
}

bool LogExtent::is_all_of(const nlohmann::ordered_json& summary) const {
  std::uint64_t runs = 0;
  for (const auto& process : summary.at("processes")) runs += process.at("runs").get<std::uint64_t>();
  return open_launches_.empty() && num_runs_ == runs && num_invocations_ == summary.at("policy").at("invocations") &&
         num_preemptions_ == summary.at("preemptions").at("count");
}

}  // namespace tessera::report
