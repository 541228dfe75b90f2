// SPDX-License-Identifier: Apache-2.0
// Planted faults: the list fits the patches, and the patches the sources. `tessera faults` looks for each.
#include <gmock/gmock.h>

#include <set>

#include "cosim/text_file.h"
#include "testbench/faults/fault_run.h"

namespace tessera::testbench::test {
namespace {

const std::filesystem::path kTree = TESSERA_SOURCE_DIR;

TEST(Faults, EachPatchIsListedOnce) {
  std::multiset<std::string> patches, listed;
  for (const auto& entry : std::filesystem::directory_iterator(kTree / "testbench/faults")) {
    if (entry.path().extension() == ".patch") patches.insert(entry.path().stem());
  }
  for (const PlantedFault& fault : listed_faults(kTree)) listed.insert(fault.name);
  EXPECT_EQ(patches, listed);
  EXPECT_EQ(patches.size(), 60U);
}

TEST(Faults, EachChangesOneSourceOfTheCoreAlone) {
  for (const PlantedFault& fault : listed_faults(kTree)) {
    SCOPED_TRACE(fault.name);
    EXPECT_FALSE(fault.words.empty());
    const FaultyTree tree(kTree, fault);
    std::size_t num_changed = 0;
    for (const std::filesystem::path& file : tree.verilog_files()) {
      const std::filesystem::path original = kTree / "rtl" / file.filename();
      num_changed += cosim::read_text(file) == cosim::read_text(original) ? 0 : 1;
    }
    EXPECT_EQ(num_changed, 1U);
  }
}

TEST(Faults, ANameThatThereIsNotIsRefused) {
  EXPECT_THROW(selected(listed_faults(kTree), {"16_bits"}), std::invalid_argument);
}

}  // namespace
}  // namespace tessera::testbench::test
