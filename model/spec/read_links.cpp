// SPDX-License-Identifier: Apache-2.0
// A delay is one number for all SMs, or a list of one for each.
#include "model/spec/read_links.h"

#include <fmt/core.h>

#include <algorithm>
#include <string>

namespace tessera::spec {
namespace {

constexpr Number kLinkCycles{0, 1000};
constexpr Number kTagBits{0, kMaxSetupTagBits};
constexpr std::uint32_t kMostSmsWithoutLane = 16;

// 0 where it is wrong, and reported.
std::uint32_t read_delay(const Node& node, const KeyPath& path, Report& report) {
  if (node.kind == Node::Kind::kInvalid) return 0;
  auto ruled = kLinkCycles.parse(node);
  if (const auto* cycles = std::get_if<std::uint64_t>(&ruled)) return static_cast<std::uint32_t>(*cycles);
  auto& problem = std::get<Problem>(ruled);
  report.add(node.where, path, std::move(problem.problem), describe(node), std::move(problem.allowed));
  return 0;
}

Form delays_form() { return either(kLinkCycles.form(), list_form(kLinkCycles.form())); }

std::vector<std::uint32_t> read_delays(MappingReader& links, std::string_view key, std::uint32_t num_sms,
                                       Meaning meaning) {
  const Node& node = links.node(key, Presence::kOptional, delays_form, meaning);
  const KeyPath path = links.path(key);
  if (node.kind != Node::Kind::kSequence) {
    return std::vector<std::uint32_t>(num_sms, read_delay(node, path, links.report()));
  }
  std::vector<std::uint32_t> delays;
  for (std::size_t i = 0; i < node.children.size(); ++i) {
    delays.push_back(read_delay(node.children[i], path / i, links.report()));
  }
  const bool are_sms_known = num_sms != 0;
  if (are_sms_known && delays.size() != num_sms) {
    links.reject(key, fmt::format("has {} entries for {} SMs", delays.size(), num_sms), "",
                 "one number, or a list of one for each SM");
  }
  delays.resize(num_sms);
  return delays;
}

}  // namespace

bool has_lane_by_default(Engine engine, std::uint32_t num_sms) {
  return engine == Engine::kSerialised && num_sms > kMostSmsWithoutLane;
}

bool LinkSpec::any() const {
  const auto is_some = [](std::uint32_t cycles) { return cycles != 0; };
  return std::any_of(up.begin(), up.end(), is_some) || std::any_of(down.begin(), down.end(), is_some);
}

void read_links(MappingReader& framework, std::uint32_t num_sms, FrameworkSpec& spec) {
  // 1. The delays.
  MappingReader links = framework.mapping(
      "link_cycles", Presence::kOptional,
      "registers or a network between the scheduler and the SMs ([timing.md](../hardware/timing.md), 3.11, 7.5); the "
      "serialised engine only; left out, or all 0: the SMs are wired to the scheduler");
  LinkSpec& delays = spec.link_cycles;
  delays.up = read_delays(links, "up", num_sms,
                          "from an SM to the scheduler: for all SMs, or a list of one for each; left out: 0");
  delays.down = read_delays(links, "down", num_sms, "from the scheduler to an SM, likewise");
  links.reject_unknown_keys();
  const bool has_links = delays.any();
  if (!has_links) delays = {};
  // 2. The lane.
  spec.refill_lane = has_lane_by_default(spec.engine, num_sms);
  framework.optional("refill_lane", spec.refill_lane, Boolean{},
                     {"serialised engine: thread blocks end and start beside the engine's jobs, one a cycle ([the "
                      "lane](../hardware/timing.md#67-the-refill-lane)); left out: above 16 SMs",
                      "by size"});
  // 3. The tag.
  const bool needs_tag = has_links || spec.refill_lane;
  spec.setup_tag_bits = needs_tag ? 1 : 0;
  framework.optional("setup_tag_bits", spec.setup_tag_bits, kTagBits,
                     {"of the tag that tells the answer to a set-up from a late one: 2^this set-ups of an SM may wait "
                      "for their answers; with links or a refill lane at least 1, which is the default; without, 0",
                      "as needed"});
  if (needs_tag && spec.setup_tag_bits == 0) {
    const char* who = has_links ? "links need a tag" : "a refill lane needs a tag";
    framework.reject("setup_tag_bits", who, "0", fmt::format("1 .. {}", kMaxSetupTagBits));
  }
  // 4. Who has them.
  if (spec.engine == Engine::kSerialised) return;
  const auto refuse = [&framework](const char* key) {
    framework.reject(key, "only the serialised engine has it", "", "framework.engine: serialised");
  };
  if (has_links) refuse("link_cycles");
  if (spec.refill_lane) refuse("refill_lane");
  if (framework.has("setup_tag_bits") && spec.setup_tag_bits != 0) refuse("setup_tag_bits");
}

}  // namespace tessera::spec
