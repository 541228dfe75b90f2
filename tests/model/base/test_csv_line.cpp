// SPDX-License-Identifier: Apache-2.0
// Lines of CSV come apart where RFC 4180 says, with the places that messages name.
#include <gmock/gmock.h>

#include "model/base/csv_line.h"

namespace tessera {
namespace {

using testing::ElementsAre;

TEST(CsvLine, HasOneCellMoreThanCommas) {
  EXPECT_THAT(csv_texts(""), ElementsAre(""));
  EXPECT_THAT(csv_texts("a,,b,"), ElementsAre("a", "", "b", ""));
}

TEST(CsvLine, CommasAndDoubledQuotesInQuotesBelongToTheCell) {
  EXPECT_THAT(csv_texts("1,\"a,\"\"b\"\"\",2"), ElementsAre("1", "a,\"b\"", "2"));
  EXPECT_THAT(csv_texts("a\"b,c\"d,\"\""), ElementsAre("ab,cd", ""));
  EXPECT_THAT(csv_texts("1,\"cut, off"), ElementsAre("1", "cut, off"));
}

TEST(CsvLine, CellsSayWhereTheyBegin) {
  std::vector<CsvCell> cells{{"of the line before", 7}};
  split_csv("7,\"a,b\",c", cells);
  ASSERT_EQ(cells.size(), 3U);
  EXPECT_EQ(cells[1].text, "\"a,b\"");
  EXPECT_EQ(cells[1].column, 3U);
  EXPECT_EQ(cells[2].column, 9U);
}

TEST(CsvLine, AWholeNumberIsDigitsAlone) {
  EXPECT_EQ(whole_number("18446744073709551615"), 18446744073709551615U);
  for (const char* const text : {"", "-1", "+1", " 1", "1 ", "1.0", "18446744073709551616"}) {
    EXPECT_FALSE(whole_number(text)) << text;
  }
}

}  // namespace
}  // namespace tessera
