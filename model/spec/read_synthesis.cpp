// SPDX-License-Identifier: Apache-2.0
// Synthesis file -> SynthesisSpec: a core, and sweeps that give some of its sizes several values.
// Internal to model/spec.
#include <algorithm>
#include <array>

#include "model/spec/core_cycles.h"
#include "model/spec/readers.h"
#include "model/spec/synthesis_spec.h"

namespace tessera::spec {
namespace {

constexpr Number kTarget{1, 10'000};

// A number, or the word that stands for 0.
struct NumberOrWord {
  Number number;
  std::string_view word;  // empty: none
  bool is_search_width = false;

  Ruled<std::uint64_t> parse(const Node& node) const {
    if (!word.empty() && node.kind == Node::Kind::kScalar && node.text == word) return std::uint64_t{0};
    auto ruled = number.parse(node);
    if (auto* problem = std::get_if<Problem>(&ruled)) {
      problem->allowed = form().allowed;
    } else if (is_search_width && !spec::is_search_width(static_cast<std::uint32_t>(std::get<std::uint64_t>(ruled)))) {
      return Problem{"the core does not have it", form().allowed};
    }
    return ruled;
  }

  std::string text(std::uint64_t value) const {
    return value == 0 && !word.empty() ? std::string(word) : number.text(value);
  }

  Form form() const {
    if (is_search_width) return integers_form({"1", "2", "4"});
    return word.empty() ? number.form() : either(number.form(), word_form({std::string(word)}));
  }
};

struct Size {
  std::string_view key;
  std::uint32_t CoreSpec::*member;
  NumberOrWord rule;
  Meaning meaning;
};
// Outermost first: combinations are listed in this order.
constexpr std::array<Size, 13> kSizes{
    {{"num_sms", &CoreSpec::num_sms, {{1, 256}, {}}, "SMs"},
     {"max_tbs_per_sm", &CoreSpec::max_tbs_per_sm, {{1, 64}, {}}, "slots of an SM"},
     {"num_ksrs", &CoreSpec::num_ksrs, {{1, 256}, "per_sm"}, "active kernels; `per_sm`: as many as SMs"},
     {"num_command_buffers", &CoreSpec::num_command_buffers, {{1, 256}, {}}, "contexts that may wait at once"},
     {"num_contexts", &CoreSpec::num_contexts, {{1, 256}, {}}, "GPU contexts"},
     {"tb_id_bits", &CoreSpec::tb_id_bits, {{4, 32}, {}}, "of a thread block's number"},
     {"search_width",
      &CoreSpec::search_width,
      {{1, 4}, {}, true},
      "kernels of the active queue in a step of the search"},
     {"wait_bits", &CoreSpec::wait_bits, {{2, 32}, {}}, "of the latency straps and of their counter"},
     {"parity_bits", &CoreSpec::parity_bits, {{0, 1}, {}}, "of a word of RAM; 1: a word that is wrong stops the core"},
     {"linger",
      &CoreSpec::linger,
      {{0, 1}, {}},
      "1: SMs that a kernel leaves can be kept for its priority (`scheduler.linger_us`)"},
     {"kept_turn",
      &CoreSpec::kept_turn,
      {{0, 1}, {}},
      "1: under `time_slice` a context can keep its turn (`scheduler.turn`)"},
     {"setup_tag_bits",
      &CoreSpec::setup_tag_bits,
      {{0, 3}, {}},
      "of the tag that links between the scheduler and the SMs, and a refill lane, need "
      "(`framework.setup_tag_bits`)"},
     {"refill_lane",
      &CoreSpec::refill_lane,
      {{0, 1}, {}},
      "1: thread blocks end and start beside the engine's jobs (`framework.refill_lane`); with a tag"}}};
constexpr std::string_view kPoliciesKey = "policies";
constexpr Meaning kPoliciesMeaning{"policies that are built in, one at least", "all"};
constexpr ChoiceOn<PolicyKind> kPolicy{Cores::kClocked};

Form policies_form() { return list_form(kPolicy.form(), 1); }

Form one_or_list(const Form& form) { return either(form, list_form(form, 1)); }

// Reads entry by entry of a list, or the one value that stands in its place.
std::vector<std::uint32_t> read_values(const Node& node, const NumberOrWord& rule, const KeyPath& path,
                                       Report& report) {
  std::vector<std::uint32_t> values;
  const auto read_one = [&](const Node& entry, const KeyPath& at) {
    auto ruled = rule.parse(entry);
    if (auto* problem = std::get_if<Problem>(&ruled)) {
      report.add(entry.where, at, problem->problem, describe(entry), problem->allowed);
    } else {
      values.push_back(static_cast<std::uint32_t>(std::get<std::uint64_t>(ruled)));
    }
  };
  if (node.kind != Node::Kind::kSequence) {
    read_one(node, path);
    return values;
  }
  for (std::size_t i = 0; i < node.children.size(); ++i) read_one(node.children[i], path / i);
  if (node.children.empty()) report.add(node.where, path, "is empty", "", "at least one entry");
  return values;
}

// In the order of the enumeration, each once.
std::vector<PolicyKind> read_policies(const Node& node, const KeyPath& path, Report& report) {
  std::vector<PolicyKind> policies;
  if (node.kind != Node::Kind::kSequence || node.children.empty()) {
    report.add(node.where, path, "must be a list of policies", describe(node), "at least one entry");
    return policies;
  }
  for (std::size_t i = 0; i < node.children.size(); ++i) {
    auto ruled = kPolicy.parse(node.children[i]);
    if (auto* problem = std::get_if<Problem>(&ruled)) {
      report.add(node.children[i].where, path / i, problem->problem, describe(node.children[i]), problem->allowed);
    } else {
      policies.push_back(std::get<PolicyKind>(ruled));
    }
  }
  std::sort(policies.begin(), policies.end());
  policies.erase(std::unique(policies.begin(), policies.end()), policies.end());
  return policies;
}

std::vector<std::vector<PolicyKind>> read_policy_lists(const Node& node, const KeyPath& path, Report& report) {
  std::vector<std::vector<PolicyKind>> lists;
  if (node.kind != Node::Kind::kSequence || node.children.empty()) {
    report.add(node.where, path, "must be a list of lists of policies", describe(node), "at least one entry");
    return lists;
  }
  for (std::size_t i = 0; i < node.children.size(); ++i) {
    lists.push_back(read_policies(node.children[i], path / i, report));
  }
  return lists;
}

CoreSpec read_core(MappingReader reader, Report& report) {
  CoreSpec core;
  for (const Size& size : kSizes) reader.optional(size.key, core.*size.member, size.rule, size.meaning);
  const Node& policies = reader.node(kPoliciesKey, Presence::kOptional, policies_form, kPoliciesMeaning);
  if (policies.kind != Node::Kind::kInvalid) {
    core.policies = read_policies(policies, reader.path(kPoliciesKey), report);
  }
  reader.reject_unknown_keys();
  return core;
}

// Each of the cores once with each of the values.
template <typename T>
void combine(std::vector<CoreSpec>& cores, T CoreSpec::*member, const std::vector<T>& values) {
  std::vector<CoreSpec> combined;
  for (const CoreSpec& core : cores) {
    for (const T& value : values) combined.emplace_back(core).*member = value;
  }
  cores = std::move(combined);
}

std::vector<CoreSpec> read_sweep(const Node& node, const KeyPath& path, const CoreSpec& core, Report& report) {
  std::vector<CoreSpec> cores{core};
  MappingReader reader(node, path, report);
  for (const Size& size : kSizes) {
    const Node& values = reader.node(
        size.key, Presence::kOptional, [&] { return one_or_list(size.rule.form()); }, size.meaning);
    if (values.kind == Node::Kind::kInvalid) continue;
    combine(cores, size.member, read_values(values, size.rule, reader.path(size.key), report));
  }
  const Node& policies = reader.node(
      kPoliciesKey, Presence::kOptional, [] { return list_form(policies_form(), 1); }, kPoliciesMeaning);
  if (policies.kind != Node::Kind::kInvalid) {
    combine(cores, &CoreSpec::policies, read_policy_lists(policies, reader.path(kPoliciesKey), report));
  }
  reader.reject_unknown_keys();
  return cores;
}

CoreSpec resolved(CoreSpec core) {
  if (core.num_ksrs == 0) core.num_ksrs = core.num_sms;
  if (core.search_width == 0 || core.search_width > core.num_sms) core.search_width = core.num_sms;
  return core;
}

}  // namespace

SynthesisSpec read_synthesis(const Node& node, Report& report) {
  SynthesisSpec synthesis;
  MappingReader reader(node, {}, report);
  read_schema_version(reader, node);
  reader.required("name", synthesis.name, FolderName{}, "names the results folder");
  reader.optional("target_mhz", synthesis.target_mhz, kTarget, "gates are sized for this clock");
  const CoreSpec core =
      read_core(reader.mapping("core", Presence::kRequired, "the core, and what sweeps leave as it is"), report);
  std::vector<CoreSpec> cores{core};
  const std::vector<Node>& sweeps =
      reader.mappings("sweeps", Presence::kOptional,
                      "each entry has keys of `core` with a value, or a list of values (of `policies`: a list of "
                      "lists); every combination in an entry is a core, with all else as in `core`");
  for (std::size_t i = 0; i < sweeps.size(); ++i) {
    const std::vector<CoreSpec> more = read_sweep(sweeps[i], reader.path("sweeps") / i, core, report);
    cores.insert(cores.end(), more.begin(), more.end());
  }
  reader.reject_unknown_keys();
  const auto lacks_tag = [](const CoreSpec& one) { return one.refill_lane != 0 && one.setup_tag_bits == 0; };
  if (std::any_of(cores.begin(), cores.end(), lacks_tag)) {
    reader.reject("core", "a refill lane needs a tag", "setup_tag_bits: 0", "setup_tag_bits: 1 .. 3");
  }
  for (const CoreSpec& each : cores) {
    const CoreSpec one = resolved(each);
    const auto& known = synthesis.cores;
    if (std::find(known.begin(), known.end(), one) == known.end()) synthesis.cores.push_back(one);
  }
  return synthesis;
}

}  // namespace tessera::spec
