// SPDX-License-Identifier: Apache-2.0
// The schemes of Figures 5 to 8, and the classes of Table 1.
#include "campaign/t14/studies.h"

#include <map>

namespace tessera::campaign::t14 {
namespace {

using spec::Access;
using spec::PolicyKind;
using spec::TechniqueKind;

struct Classes {
  Class by_kernels;
  Class by_application;
};

const std::map<std::string, Classes>& table_1() {
  static const std::map<std::string, Classes> classes{
      {"lbm", {Class::kMedium, Class::kLong}},     {"histo", {Class::kShort, Class::kMedium}},
      {"tpacf", {Class::kLong, Class::kMedium}},   {"spmv", {Class::kShort, Class::kShort}},
      {"mri-q", {Class::kMedium, Class::kShort}},  {"sad", {Class::kLong, Class::kLong}},
      {"sgemm", {Class::kMedium, Class::kShort}},  {"stencil", {Class::kMedium, Class::kLong}},
      {"cutcp", {Class::kMedium, Class::kMedium}}, {"mri-gridding", {Class::kLong, Class::kLong}},
  };
  return classes;
}

Scheme scheme(const spec::Spec& base, const std::string& name, PolicyKind policy,
              TechniqueKind technique = TechniqueKind::kDrain, Access access = Access::kExclusive) {
  spec::SchedulerSpec scheduler = base.scheduler;
  scheduler.policy = policy;
  scheduler.technique = technique;
  scheduler.access = access;
  return {name, scheduler};
}

}  // namespace

bool is_classified(const std::string& application) { return table_1().count(application) > 0; }
Class class_1(const std::string& application) { return table_1().at(application).by_kernels; }
Class class_2(const std::string& application) { return table_1().at(application).by_application; }

Study priority_study(const spec::Spec& base) {
  return {std::string(kPriorityStudy),
          spec::DmaPolicy::kNpq,
          true,
          {scheme(base, "fcfs", PolicyKind::kFcfs), scheme(base, "npq", PolicyKind::kNpq),
           scheme(base, "ppq_context_switch", PolicyKind::kPpq, TechniqueKind::kContextSwitch),
           scheme(base, "ppq_drain", PolicyKind::kPpq, TechniqueKind::kDrain),
           scheme(base, "ppq_shared_context_switch", PolicyKind::kPpq, TechniqueKind::kContextSwitch, Access::kShared),
           scheme(base, "ppq_shared_drain", PolicyKind::kPpq, TechniqueKind::kDrain, Access::kShared)}};
}

Study sharing_study(const spec::Spec& base) {
  return {std::string(kSharingStudy),
          spec::DmaPolicy::kFcfs,
          false,
          {scheme(base, "fcfs", PolicyKind::kFcfs),
           scheme(base, "dss_context_switch", PolicyKind::kDss, TechniqueKind::kContextSwitch),
           scheme(base, "dss_drain", PolicyKind::kDss, TechniqueKind::kDrain)}};
}

std::string with_search(const std::string& scheme, std::uint32_t search_cycles) {
  return scheme + "_" + std::to_string(search_cycles);
}

Study decision_study(const spec::Spec& base) {
  Study study = priority_study(base);
  study.name = std::string(kDecisionStudy);
  const std::vector<Scheme> schemes = std::move(study.schemes);
  study.schemes.clear();
  for (const Scheme& one : schemes) {
    if (one.scheduler.access == Access::kShared) continue;
    for (const std::uint32_t cycles : kSearches) {
      study.schemes.push_back({with_search(one.name, cycles), one.scheduler, cycles});
    }
  }
  return study;
}

}  // namespace tessera::campaign::t14
