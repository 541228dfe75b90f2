// SPDX-License-Identifier: Apache-2.0
#include "testbench/formal/workplace.h"

#include <fmt/format.h>

#include <sstream>
#include <stdexcept>

#include "cosim/text_file.h"

namespace tessera::testbench {
namespace {

namespace fs = std::filesystem;

constexpr const char* kMemory = "rtl/tsr_sram_1r1w.v";
constexpr const char* kMemoryForProofs = "rtl/formal/tsr_sram_1r1w.v";

std::size_t only_place(const std::string& text, const std::string& part, const SeededBug& bug) {
  const std::size_t place = text.find(part);
  if (place == std::string::npos || text.find(part, place + 1) != std::string::npos) {
    throw std::runtime_error(fmt::format("seeded bug: not one place with `{}` in {}.v", part, bug.file));
  }
  return place;
}

}  // namespace

ProofWorkplace::ProofWorkplace(const fs::path& root) : folder_("proof") {
  fs::copy(root / "rtl", folder() / "rtl", fs::copy_options::recursive);
}

void ProofWorkplace::plant(const SeededBug& bug) const {
  const fs::path path = folder() / "rtl" / (bug.file + ".v");
  std::string text = cosim::read_text(path);
  const std::size_t begin = only_place(text, bug.where, bug);
  const std::size_t place = text.find(bug.from, begin);
  if (place == std::string::npos) {
    throw std::runtime_error(fmt::format("seeded bug: no `{}` in {}.v", bug.from, bug.file));
  }
  cosim::write_text(path, text.replace(place, bug.from.size(), bug.to));
}

std::vector<std::string> ProofWorkplace::verilog_of(const Proof& proof) const {
  std::vector<std::string> files;
  for (const std::string& name : proof.files) files.push_back(fmt::format("rtl/{}.v", name));
  if (!files.empty()) return files;
  std::istringstream lines(cosim::read_text(folder() / "rtl" / "rtl.f"));
  for (std::string line; std::getline(lines, line);) {
    if (!line.empty() && line[0] != '+') files.push_back(line == kMemory ? kMemoryForProofs : line);
  }
  return files;
}

}  // namespace tessera::testbench
