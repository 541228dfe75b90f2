// SPDX-License-Identifier: Apache-2.0
// Areas come from the LEF, and from nowhere else.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "synthesis/cell_library.h"

namespace tessera::synthesis {
namespace {

using testing::HasSubstr;

constexpr const char* kLiberty = R"(library(cells) {
cell (INVX1) {
  cell_footprint : inv;
area : 16;
  pin(A) { capacitance : 0.1; }
}
cell (NAND3X1) {
area : 36;
}
cell (OTHER) {
area : 7;
}
}
)";
constexpr const char* kLef =
    "MACRO INVX1\n  SIZE 1.6 BY 10 ;\nEND\nMACRO NAND3X1\n  ORIGIN 0 0 ;\n  SIZE 3.2 BY 10.0 ;\n";

TEST(CellLibrary, TakesTheAreasOfTheLefAndLeavesTheRest) {
  const std::string library = with_areas_of_lef(kLiberty, kLef);
  EXPECT_THAT(library, HasSubstr("cell (NAND3X1) {\narea : 32;"));
  EXPECT_THAT(library, HasSubstr("cell_footprint : inv;\narea : 16;\n  pin(A) { capacitance : 0.1; }"));
  EXPECT_THAT(library, HasSubstr("cell (OTHER) {\narea : 7;"));
  EXPECT_EQ(with_areas_of_lef(library, kLef), library);
}

TEST(CellLibrary, NewCellsGoInsideTheLibrary) {
  EXPECT_THAT(with_cells("library(a) {\n}\n", "  cell (B) {}\n"), HasSubstr("{\n  cell (B) {}\n}"));
}

TEST(CellLibrary, TheGateEquivalentIsTheInstalledLibrarysNand2) {
  if (!std::filesystem::exists("/usr/share/qflow/tech/osu018")) GTEST_SKIP() << "qflow-tech-osu018 is not installed";
  const std::string library = read_cell_library();
  const std::size_t area = library.find("area : ", library.find("cell (NAND2X1)"));
  EXPECT_EQ(std::stod(library.substr(area + 7)), kNand2Um2);
}

}  // namespace
}  // namespace tessera::synthesis
