// SPDX-License-Identifier: Apache-2.0
// Text from text.
#include "cosim/generated_sources.h"

#include <fmt/format.h>

#include <algorithm>
#include <regex>

#include "cosim/text_file.h"
#include "model/spec/policies.h"
#include "rtl_model/base/field.h"
#include "rtl_model/params.h"
#include "rtl_model/policy/policy_table.h"

namespace tessera::cosim {
namespace {

const std::string kEnd = "\n);\n";  // of a port list

// From the parameter list on, up to and including the end of the port list.
std::string header_of(const std::string& scheduler) {
  static const std::string kBegin = "module tsr_scheduler";
  const std::size_t begin = scheduler.find(kBegin);
  const std::size_t end = scheduler.find(kEnd, begin);
  if (begin == std::string::npos || end == std::string::npos) {
    throw BuildError("rtl/tsr_scheduler.v has no module header that could be repeated");
  }
  return scheduler.substr(begin + kBegin.size(), end + kEnd.size() - begin - kBegin.size());
}

// Ports that the macro of block clocks brings.
std::string with_block_clocks(const std::string& header, bool has_them) {
  static const std::regex kPorts(R"(`ifdef TSR_BLOCK_CLOCKS[^\n]*\n([^`]*)`endif\n)");
  return std::regex_replace(header, kPorts, has_them ? "$1" : "");
}

std::string with_parameters(std::string header, const Elaboration& elaboration) {
  for (const VerilogParameter& parameter : verilog_parameters(elaboration)) {
    const std::regex declaration(fmt::format(R"((parameter\s+{}\s*=)[^,/\n]*)", parameter.name));
    if (!std::regex_search(header, declaration)) {
      throw BuildError(fmt::format("rtl/tsr_scheduler.v has no parameter {}", parameter.name));
    }
    header = std::regex_replace(header, declaration, fmt::format("$1 {}", parameter.value));
  }
  return header;
}

std::string connections(const std::string& header) {
  static const std::regex kPort(R"(\n\s*(?:input|output)\b[^,/\n]*?(\w+)\s*(?=[,\n/]))");
  std::string list;
  for (std::sregex_iterator port(header.begin(), header.end(), kPort), end; port != end; ++port) {
    list += fmt::format("{0}    .{1}({1})", list.empty() ? "" : ",\n", (*port)[1].str());
  }
  return list;
}

std::string settings(const Elaboration& elaboration) {
  std::string list;
  for (const VerilogParameter& parameter : verilog_parameters(elaboration)) {
    list += fmt::format("{0}    .{1}({1})", list.empty() ? "" : ",\n", parameter.name);
  }
  return fmt::format(" #(\n{}\n  )", list);
}

}  // namespace

std::string header_with_includes(const std::filesystem::path& file) {
  static const std::regex kInclude(R"(`include "([^"]+)\"\n)");
  std::string text = read_text(file);
  text.resize(std::min(text.size(), text.find(kEnd) + kEnd.size()));
  for (std::smatch include; std::regex_search(text, include, kInclude);) {
    text = include.prefix().str() + read_text(file.parent_path() / include[1].str()) + include.suffix().str();
  }
  return text;
}

bool has_block_clocks(const BuildRequest& request) { return !request.is_netlist && !request.has_mutant_select; }

std::string top_module(const BuildRequest& request, const std::string& scheduler) {
  std::string header = with_parameters(header_of(scheduler), request.elaboration);
  header = with_block_clocks(header, has_block_clocks(request));
  if (request.has_mutant_select) header.insert(header.rfind("\n);\n"), ",\n  input [31:0] mutsel");
  return fmt::format("module tsr_core{}\n  tsr_scheduler{} u_tsr_scheduler (\n{}\n  );\nendmodule\n", header,
                     request.is_netlist ? "" : settings(request.elaboration), connections(header));
}

std::string config_header(const BuildRequest& request) {
  using rtl_model::bits_for_value;
  using rtl_model::Params;
  const Elaboration& core = request.elaboration;
  std::string text = "#pragma once\n";
  const auto number = [&](const char* name, std::uint64_t value) {
    text += fmt::format("constexpr unsigned {} = {};\n", name, value);
  };
  text += fmt::format("#define TESSERA_HAS_REGISTERS {:d}\n", !request.is_netlist);
  text += fmt::format("#define TESSERA_HAS_MUTANT_SELECT {:d}\n", request.has_mutant_select);
  text += fmt::format("#define TESSERA_HAS_BLOCK_CLOCKS {:d}\n", has_block_clocks(request));
  text += fmt::format("#define TESSERA_HAS_ASSERTIONS {:d}\n", request.variant.has_assertions);
  text += "namespace tessera::cosim {\n";
  number("kNumSms", core.num_sms);
  number("kNumKsrs", core.num_ksrs);
  number("kNumCommandBuffers", core.num_command_buffers);
  number("kNumContexts", core.num_contexts);
  number("kPtbqDepth", core.ptbq_depth);
  number("kWaitWidth", core.wait_width);
  number("kSmWidth", bits_for_value(core.num_sms));
  number("kKsrWidth", bits_for_value(core.num_ksrs));
  number("kContextWidth", bits_for_value(core.num_contexts));
  number("kBufferWidth", bits_for_value(core.num_command_buffers));
  number("kTbCountWidth", bits_for_value(core.max_tbs_per_sm));
  const std::uint32_t slot_count_width = bits_for_value(std::uint64_t{core.num_sms} * core.max_tbs_per_sm);
  number("kSlotCountWidth", slot_count_width);
  number("kTbWidth", core.tb_width);
  number("kLowTbWidth", std::min(core.tb_width, std::max(12U, slot_count_width)));
  number("kTagWidth", core.tag_width);
  number("kKeptTurn", core.kept_turn);
  number("kRefill", core.refill);
  number("kTagPortWidth", std::max(1U, core.tag_width));
  number("kDescriptorWidth", Params::kDescriptorWidth);
  number("kPageTableWidth", Params::kPageTableWidth);
  number("kPriorityWidth", Params::kPriorityWidth);
  number("kTokenWidth", Params::kBudgetWidth);
  // Addresses, which have no code for "none".
  const auto address_width = [](std::uint32_t rows) { return std::max(1U, bits_for_value(rows - 1)); };
  number("kContextAddress", address_width(core.num_contexts));
  number("kBufferAddress", address_width(core.num_command_buffers));
  number("kRingAddress", address_width(core.ptbq_depth));
  number("kTokensLeftWidth", spec::kTokenBits + 1);  // signed
  number("kTokenRows", std::max(core.num_ksrs, core.num_contexts));
  number("kHasDues", rtl_model::have_dues(core.policies));
  number("kHasPartitions", rtl_model::have_partitions(core.policies));
  number("kHasOrder", rtl_model::have_order(core.policies));
  number("kPartitionWidth", bits_for_value(core.num_sms - 1));
  number("kCountsPromised", core.ptbq_depth < core.num_sms * core.max_tbs_per_sm);
  return text + "}  // namespace tessera::cosim\n";
}

}  // namespace tessera::cosim
