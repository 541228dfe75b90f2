// SPDX-License-Identifier: Apache-2.0
// tessera storage: what the scheduling framework of a GPU keeps on chip, field by field.
#include <fmt/format.h>

#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "apps/tessera/commands.h"
#include "apps/tessera/common_options.h"
#include "apps/tessera/config_path.h"
#include "apps/tessera/exit_status.h"
#include "model/spec/gpu_spec.h"
#include "model/spec/loader.h"
#include "model/storage/framework_storage.h"
#include "model/storage/sram_area.h"

namespace tessera::app {
namespace {

using storage::Field;
using storage::Memory;
using storage::NeededBy;
using storage::Structure;

struct StorageOptions {
  std::string gpu;
  bool keeps_turn = false;
  bool prints_json = false;
};

std::uint64_t sum(const std::vector<Structure>& structures, Memory memory) {
  std::uint64_t bits = 0;
  for (const Structure& structure : structures) bits += structure.bits(memory);
  return bits;
}

// Registers and the largest shared memory: what a thread block's context can be as large as. L2 is not looked at.
std::uint64_t sm_bytes(const spec::GpuSpec& gpu) {
  return std::uint64_t{gpu.registers_per_sm} * 4 + gpu.shared_memory_bytes.back();
}

std::map<NeededBy, std::uint64_t> bits_by_need(const std::vector<Structure>& structures) {
  std::map<NeededBy, std::uint64_t> bits;
  for (const Structure& structure : structures) {
    for (const Field& field : structure.row) bits[field.needed_by] += structure.num_rows * field.bits;
    for (const Field& field : structure.once) bits[field.needed_by] += field.bits;
  }
  return bits;
}

storage::CoreSizes sizes_of(const spec::GpuSpec& gpu, bool keeps_turn) {
  storage::CoreSizes sizes(gpu);
  sizes.keeps_turn = keeps_turn;
  return sizes;
}

struct Totals {
  Totals(const spec::GpuSpec& gpu, bool keeps_turn)
      : sizes(sizes_of(gpu, keeps_turn)),
        structures(storage::framework_structures(sizes)),
        flip_flops(sum(structures, Memory::kFlipFlops)),
        ram_bits(sum(structures, Memory::kRam)),
        by_need(bits_by_need(structures)),
        bytes(static_cast<double>(flip_flops + ram_bits) / 8),
        sm(sm_bytes(gpu)),
        all_sms(sm * gpu.num_sms) {}

  storage::CoreSizes sizes;
  std::vector<Structure> structures;
  std::uint64_t flip_flops, ram_bits;
  std::map<NeededBy, std::uint64_t> by_need;  // bits
  double bytes;
  std::uint64_t sm, all_sms;  // bytes on chip
};

// ---- JSON ------------------------------------------------------------------------------------------------------

nlohmann::ordered_json to_json(const storage::CoreSizes& sizes) {
  nlohmann::ordered_json json{{"num_sms", sizes.num_sms},
                              {"max_tbs_per_sm", sizes.max_tbs_per_sm},
                              {"num_ksrs", sizes.num_ksrs},
                              {"num_command_buffers", sizes.num_command_buffers},
                              {"num_contexts", sizes.num_contexts},
                              {"ptbq_depth", sizes.ptbq_depth},
                              {"tb_id_bits", sizes.tb_width},
                              {"search_width", sizes.search_width},
                              {"wait_bits", sizes.wait_width},
                              {"setup_tag_bits", sizes.tag_width},
                              {"kept_turn", sizes.keeps_turn ? 1 : 0}};
  if (sizes.has_refill_lane) json["refill_lane"] = 1;
  return json;
}

const char* to_string(Memory memory) { return memory == Memory::kRam ? "ram" : "flip_flops"; }

void add_fields(nlohmann::ordered_json& list, const std::vector<Field>& fields, std::uint64_t rows) {
  for (const Field& field : fields) {
    list.push_back({{"name", field.name},
                    {"width", field.bits},
                    {"rows", rows},
                    {"bits", rows * field.bits},
                    {"memory", to_string(field.memory)},
                    {"needed_by", storage::to_string(field.needed_by)},
                    {"why", field.why}});
  }
}

nlohmann::ordered_json to_json(const Structure& structure) {
  nlohmann::ordered_json fields = nlohmann::ordered_json::array();
  add_fields(fields, structure.row, structure.num_rows);
  add_fields(fields, structure.once, 1);
  return {{"name", structure.name},
          {"module", structure.module},
          {"rows", structure.num_rows},
          {"flip_flops", structure.bits(Memory::kFlipFlops)},
          {"ram_bits", structure.bits(Memory::kRam)},
          {"bits", structure.bits()},
          {"bytes", structure.bytes()},
          {"fields", std::move(fields)}};
}

nlohmann::ordered_json to_json(const Totals& totals, const std::string& gpu) {
  nlohmann::ordered_json structures = nlohmann::ordered_json::array();
  for (const Structure& structure : totals.structures) structures.push_back(to_json(structure));
  nlohmann::ordered_json by_need = nlohmann::ordered_json::object();
  for (const auto& [needed_by, bits] : totals.by_need) by_need[storage::to_string(needed_by)] = bits;
  nlohmann::ordered_json macros = nlohmann::ordered_json::array();
  for (const storage::SramNode& node : storage::kSramNodes) {
    const storage::AreaRange area = sram_area(node, totals.ram_bits);
    macros.push_back({{"node", node.name},
                      {"cell_um2", node.cell_um2},
                      {"min_um2", area.min_um2},
                      {"max_um2", area.max_um2},
                      {"source", node.source}});
  }
  return {{"gpu", gpu},
          {"sizes", to_json(totals.sizes)},
          {"structures", std::move(structures)},
          {"tables_bytes", static_cast<double>(storage::table_bits(totals.structures)) / 8},
          {"ptbq_bytes", storage::structure(totals.structures, "ptbq").bytes()},
          {"flip_flops", totals.flip_flops},
          {"ram_bits", totals.ram_bits},
          {"bytes", totals.bytes},
          {"bits_by_need", std::move(by_need)},
          {"on_chip_bytes", {{"sm", totals.sm}, {"gpu", totals.all_sms}}},
          {"share",
           {{"of_sm", totals.bytes / static_cast<double>(totals.sm)},
            {"of_gpu", totals.bytes / static_cast<double>(totals.all_sms)}}},
          {"sram_area", std::move(macros)}};
}

// ---- text ------------------------------------------------------------------------------------------------------

void print_fields(const std::vector<Field>& fields, std::uint64_t rows) {
  for (const Field& field : fields) {
    fmt::print("    {:<24}{:>5} x {:<6}{:>10}  {:<20}{}\n", field.name, field.bits, rows, rows * field.bits,
               storage::to_string(field.needed_by), field.why);
  }
}

void print_structures(const std::vector<Structure>& structures) {
  fmt::print("  {:<26}{:>5}   {:<6}{:>10}  {:<20}{}\n", "", "width", "rows", "bits", "needed by", "");
  for (const Structure& structure : structures) {
    fmt::print("\n  {:<39}{:>10}  {:.1f} bytes{}\n", structure.name, structure.bits(), structure.bytes(),
               structure.bits(Memory::kRam) != 0 ? " of RAM" : "");
    print_fields(structure.row, structure.num_rows);
    print_fields(structure.once, 1);
  }
}

void print_text(const Totals& totals, const std::string& gpu) {
  const storage::CoreSizes& sizes = totals.sizes;
  fmt::print(
      "{}: storage of the scheduling framework for {} SMs of {} thread blocks, {} kernels, {} command buffers, {} "
      "contexts\n\n",
      gpu, sizes.num_sms, sizes.max_tbs_per_sm, sizes.num_ksrs, sizes.num_command_buffers, sizes.num_contexts);
  print_structures(totals.structures);
  const auto print_total = [](const std::string& what, const std::string& value) {
    fmt::print("  {:<60}{:>12}\n", what, value);
  };
  const auto print_bytes = [&](const std::string& what, double bits) {
    print_total(what, fmt::format("{:.1f} bytes", bits / 8));
  };
  fmt::print("\n");
  print_bytes("command buffers, active queue, KSRT, SMST ([T14]: below 512)",
              static_cast<double>(storage::table_bits(totals.structures)));
  print_bytes("all flip-flops", static_cast<double>(totals.flip_flops));
  print_bytes("all RAM", static_cast<double>(totals.ram_bits));
  for (const auto& [needed_by, bits] : totals.by_need) {
    print_bytes(fmt::format("  needed by: {}", storage::to_string(needed_by)), static_cast<double>(bits));
  }
  print_total(fmt::format("share of an SM's registers and shared memory, {} bytes", totals.sm),
              fmt::format("{:.2f} %", 100 * totals.bytes / static_cast<double>(totals.sm)));
  print_total(fmt::format("share of those of all {} SMs", sizes.num_sms),
              fmt::format("{:.2f} %", 100 * totals.bytes / static_cast<double>(totals.all_sms)));
  fmt::print(
      "\n  SRAM macros for {} bits, from dense arrays to small ones with two ports (docs/hardware/synthesis.md)\n",
      totals.ram_bits);
  for (const storage::SramNode& node : storage::kSramNodes) {
    const storage::AreaRange area = sram_area(node, totals.ram_bits);
    fmt::print("    {:<6}{:.4f} .. {:.4f} mm2   {}\n", node.name, area.min_um2 / storage::kUm2PerMm2,
               area.max_um2 / storage::kUm2PerMm2, node.source);
  }
}

int print_storage(const StorageOptions& options) {
  const spec::GpuSpec gpu =
      spec::load_gpu(options.gpu.empty() ? built_in_config("gpus/k20c.yaml") : std::filesystem::path(options.gpu));
  const Totals totals(gpu, options.keeps_turn);
  if (options.prints_json) {
    fmt::print("{}\n", to_json(totals, gpu.name).dump(2));
  } else {
    print_text(totals, gpu.name);
  }
  return kDone;
}

}  // namespace

void add_storage_command(CLI::App& command, int& status) {
  auto options = std::make_shared<StorageOptions>();
  add_file_argument(command, "GPU", options->gpu, "YAML file")->default_str("the K20c");
  command.add_flag("--kept-turn", options->keeps_turn, "Of a core in which a context can keep its turn");
  command.add_flag("--json", options->prints_json, "Print the result as JSON");
  command.callback([options, &status] { status = print_storage(*options); });
}

}  // namespace tessera::app
