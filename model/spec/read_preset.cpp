// SPDX-License-Identifier: Apache-2.0
// Presets of partitions: instances of MIG's slices, or MPS's clients with a share of the GPU each.
#include "model/spec/read_preset.h"

#include <fmt/core.h>

#include <algorithm>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "model/spec/readers.h"

namespace tessera::spec {
namespace {

constexpr Number kShare{1, kWholeGpu, kPercentDigits};

// Of a GPU that lists none: seven slices, of `slice_sms` each.
MigSpec hypothetical_mig(std::uint32_t slice_sms) {
  MigSpec mig{kMigSlices, kMigMemorySlices, {}};
  for (const MigSize& size : kMigSizes) {
    mig.instances.push_back({size.slices, size.memory_slices, size.slices * slice_sms});
  }
  return mig;
}

const MigInstance* instance_of(const MigSpec& mig, std::uint64_t slices) {
  const auto found = std::find_if(mig.instances.begin(), mig.instances.end(),
                                  [&](const MigInstance& instance) { return instance.slices == slices; });
  return found == mig.instances.end() ? nullptr : &*found;
}

// The SMs of a slice, if all instances are multiples of it; else 0.
std::uint32_t slice_sms_of(const MigSpec& mig) {
  const std::uint32_t size = mig.instances.front().sms / mig.instances.front().slices;
  const bool is_of_one_size = std::all_of(mig.instances.begin(), mig.instances.end(), [&](const MigInstance& instance) {
    return instance.sms == instance.slices * size;
  });
  return is_of_one_size ? size : 0;
}

// The compute slices of an instance.
struct Slices {
  const MigSpec& mig;

  Ruled<std::uint64_t> parse(const Node& node) const {
    auto number = Number{1, mig.slices}.parse(node);
    if (auto* problem = std::get_if<Problem>(&number)) return Problem{std::move(problem->problem), form().allowed};
    if (instance_of(mig, std::get<std::uint64_t>(number)) != nullptr) return number;
    return Problem{"no instance has so many slices", form().allowed};
  }
  std::string text(std::uint32_t slices) const { return slices == 0 ? "" : fmt::format("{}", slices); }
  Form form() const {
    std::string sizes;
    for (const MigInstance& each : mig.instances) sizes += fmt::format("{}{}", sizes.empty() ? "" : ", ", each.slices);
    Form form = kSlices.form();
    form.allowed = std::move(sizes);
    return form;
  }
};

class PresetReader {
 public:
  PresetReader(MappingReader reader, std::uint32_t num_sms, const MigSpec* mig, Report& report)
      : reader_(std::move(reader)), num_sms_(num_sms), listed_(mig), report_(report) {}

  Partitions read() {
    PresetKind kind{};
    const bool is_read =
        reader_.required("preset", kind, Choice<PresetKind>{},
                         "`mig`: instances of slices of the GPU; `mps`: clients with a share of it each");
    const bool is_mig = is_read && kind == PresetKind::kMig;
    const bool is_mps = is_read && kind == PresetKind::kMps;
    const auto needed_by = [](bool is_it) { return is_it ? Presence::kRequired : Presence::kOptional; };
    std::optional<std::uint32_t> given_sms;
    reader_.optional("slice_sms", given_sms, Number{1, std::max(1U, num_sms_ / kMigSlices)},
                     "`mig`: SMs of a slice, of which seven fit the GPU; left out: the largest even number");
    const std::vector<Node>& instances = reader_.mappings(
        "instances", needed_by(is_mig), "`mig`, which needs it: together at most seven slices, and eight of memory");
    const std::vector<Node>& clients =
        reader_.mappings("clients", needed_by(is_mps), "`mps`, which needs it: at most 48, and at most as many as SMs");
    reader_.reject_unknown_keys();
    // The GPU's instances, unless a slice of another size is asked for.
    const bool is_listed = listed_ != nullptr && !reader_.has("slice_sms");
    const std::uint32_t slice_sms = given_sms.value_or(default_slice_sms(num_sms_));
    const MigSpec mig = is_listed ? *listed_ : hypothetical_mig(slice_sms);
    // Entries are read whatever the preset, so that each mistake of theirs shows.
    std::vector<PartitionSpec> slices =
        entries(instances, "instances", "slices", Slices{mig}, "these have 1, 2, 4, 4 and 8 slices of memory");
    std::vector<PartitionSpec> shares = entries(clients, "clients", "percent", kShare,
                                                "of the SMs that it may use, rounded up to pairs. Beyond 100 in all, "
                                                "masks overlap, which needs `framework.engine: ideal`");
    if (is_mig) {
      reject_of_other(kind, {"clients"});
      if (given_sms || !reader_.has("slice_sms")) count_off_instances(instances, slices, mig);
      return {std::move(slices), PresetSpec{kind, is_listed ? slice_sms_of(mig) : slice_sms, !is_listed}};
    }
    if (!is_mps) return {};
    reject_of_other(kind, {"instances", "slice_sms"});
    lay_out_masks(shares);
    return {std::move(shares), PresetSpec{kind, 0, false}};
  }

 private:
  void reject_of_other(PresetKind kind, std::initializer_list<std::string_view> keys) {
    for (const std::string_view key : keys) {
      if (reader_.has(key)) reader_.reject(key, fmt::format("cannot be combined with preset: {}", to_string(kind)));
    }
  }

  template <typename Rule>
  std::vector<PartitionSpec> entries(const std::vector<Node>& nodes, const char* list, const char* key,
                                     const Rule& rule, Meaning meaning) {
    std::vector<PartitionSpec> partitions;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      MappingReader reader(nodes[i], reader_.path(list) / i, report_);
      PartitionSpec& partition = partitions.emplace_back();
      reader.required("name", partition.name, Text{}, "unique in the experiment");
      reader.required(key, partition.share, rule, meaning);
      reader.reject_unknown_keys();
    }
    reject_duplicate_names(nodes, reader_.path(list), report_);
    return partitions;
  }

  // Of instances that are too many, the first that finds no room is told of, by what it lacks.
  bool has_room(const std::vector<Node>& nodes, const std::vector<PartitionSpec>& instances, const MigSpec& mig) {
    std::uint32_t left = mig.slices;
    std::uint32_t memory_left = mig.memory_slices;
    for (std::size_t i = 0; i < instances.size(); ++i) {
      const std::uint32_t slices = instances[i].share;
      const MigInstance* const instance = instance_of(mig, slices);
      const std::uint32_t memory = instance == nullptr ? 0 : instance->memory_slices;
      if (slices <= left && memory <= memory_left) {
        left -= slices;
        memory_left -= memory;
        continue;
      }
      MappingReader reader(nodes[i], reader_.path("instances") / i, report_);
      const bool lacks_slices = slices > left;
      reader.reject("slices", lacks_slices ? "is more slices than are left" : "takes more memory slices than are left",
                    fmt::format("{}", slices),
                    lacks_slices ? fmt::format("at most {}", left)
                                 : fmt::format("an instance with {} at most, this one has {}", memory_left, memory));
      return false;
    }
    return true;
  }

  // One instance after the other from SM 0 on.
  void count_off_instances(const std::vector<Node>& nodes, std::vector<PartitionSpec>& instances, const MigSpec& mig) {
    const std::uint32_t largest = mig.instances.back().sms;
    const bool is_hypothetical = listed_ == nullptr || reader_.has("slice_sms");
    if (largest == 0 || largest > num_sms_) {
      const std::uint32_t of_slices = reader_.has("slice_sms") ? kMigSlices : kMigSlices * kSmsOfPair;
      reader_.reject("preset",
                     is_hypothetical ? "the GPU has too few SMs for seven slices"
                                     : "the GPU has fewer SMs than its largest instance",
                     fmt::format("{}", num_sms_),
                     fmt::format("gpu.num_sms: at least {}", is_hypothetical ? of_slices : largest));
      return;
    }
    if (!has_room(nodes, instances, mig)) return;
    std::uint32_t next = 0;
    for (PartitionSpec& partition : instances) {
      const MigInstance* const instance = instance_of(mig, partition.share);
      for (std::uint32_t i = 0; instance != nullptr && i < instance->sms; ++i) partition.sms.push_back(next++);
    }
  }

  // One mask after the other, round the GPU.
  void lay_out_masks(std::vector<PartitionSpec>& clients) {
    const std::uint32_t most = std::min(kMaxMpsClients, num_sms_);
    if (clients.size() > most) {
      reader_.reject("clients", "has too many entries", fmt::format("{}", clients.size()),
                     fmt::format("1 .. {}", most));
      return;
    }
    std::uint32_t next = 0;
    for (PartitionSpec& client : clients) {
      const std::uint32_t size = in_pairs(sms_of_share(client.share, num_sms_), num_sms_);
      for (std::uint32_t i = 0; i < size; ++i) client.sms.push_back((next + i) % num_sms_);
      next = (next + size) % num_sms_;
    }
  }

  MappingReader reader_;
  std::uint32_t num_sms_;
  const MigSpec* listed_;  // by the GPU's file; null: none
  Report& report_;
};

}  // namespace

Partitions read_preset(MappingReader reader, std::uint32_t num_sms, const MigSpec* mig, Report& report) {
  return PresetReader(std::move(reader), num_sms, mig, report).read();
}

}  // namespace tessera::spec
