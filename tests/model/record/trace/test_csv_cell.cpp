// SPDX-License-Identifier: Apache-2.0
// Texts in CSV tables are quoted where RFC 4180 wants it, and only there.
#include <gtest/gtest.h>

#include "model/record/trace/csv_cell.h"

namespace tessera::record {
namespace {

TEST(CsvCell, IsQuotedOnlyWhereItHasTo) {
  EXPECT_EQ(csv_cell("batch_lbm"), "batch_lbm");
  EXPECT_EQ(csv_cell(""), "");
  EXPECT_EQ(csv_cell("p,0"), "\"p,0\"");
  EXPECT_EQ(csv_cell("a \"b\""), "\"a \"\"b\"\"\"");
  EXPECT_EQ(csv_cell("two\nlines"), "\"two\nlines\"");
}

}  // namespace
}  // namespace tessera::record
