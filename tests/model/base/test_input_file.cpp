// SPDX-License-Identifier: Apache-2.0
// What the user names is read whatever it is, up to a limit, and never waited for in vain.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <thread>

#include "model/base/input_file.h"
#include "model/base/printable.h"

namespace tessera {
namespace {

using testing::HasSubstr;

class InputFile : public testing::Test {
 protected:
  InputFile() {
    std::string pattern = (std::filesystem::temp_directory_path() / "tessera_input_XXXXXX").string();
    folder_ = mkdtemp(pattern.data());
  }
  ~InputFile() override { std::filesystem::remove_all(folder_); }

  std::optional<std::string> read(const std::filesystem::path& path, std::size_t most = 100) {
    return read_input_file(path, most, problem_);
  }

  std::filesystem::path folder_;
  std::string problem_;
};

TEST_F(InputFile, IsReadToItsEndOrToTheLimit) {
  std::ofstream(folder_ / "file") << std::string(100, 'x');
  EXPECT_EQ(read(folder_ / "file"), std::string(100, 'x'));
  EXPECT_EQ(read(folder_ / "file", 99), std::nullopt);
  EXPECT_THAT(problem_, HasSubstr("is longer than"));
  EXPECT_EQ(read("/dev/null"), "");
}

TEST_F(InputFile, MayBeADeviceWithoutAnEnd) {
  EXPECT_EQ(read("/dev/zero", std::size_t{1} << 20), std::nullopt);
  EXPECT_EQ(problem_, "is longer than 1 MiB");
}

TEST_F(InputFile, ThatCannotBeReadSaysWhy) {
  EXPECT_EQ(read(folder_), std::nullopt);
  EXPECT_EQ(problem_, "cannot be read: Is a directory");
  EXPECT_EQ(read(folder_ / "none"), std::nullopt);
  EXPECT_EQ(problem_, "cannot be read: No such file or directory");
}

TEST_F(InputFile, MayBeAPipeWhoseWriterComesLaterOrStops) {
  const std::filesystem::path pipe = folder_ / "pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  std::thread writer([&pipe] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    std::ofstream out(pipe);
    out << "one " << std::flush;
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    out << "two";
  });
  EXPECT_EQ(read(pipe), "one two");
  writer.join();
}

TEST_F(InputFile, IsNoPipeThatNobodyWritesTo) {
  const std::filesystem::path pipe = folder_ / "pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_EQ(read(pipe), std::nullopt);
  EXPECT_EQ(problem_, "is a pipe that nobody writes to");
}

TEST(Printable, LeavesTextAlone) {
  for (const char* text : {"", "plain text", "\u00e4 \u20ac \U0001F600 \u4e2d"}) EXPECT_EQ(printable(text), text);
}

TEST(Printable, WritesOutWhatSteersATerminalOrIsNoText) {
  EXPECT_EQ(printable("a\x1b[31m\n\r\t\x7f"), "a\\x1b[31m\\x0a\\x0d\\x09\\x7f");
  EXPECT_EQ(printable("\u009b31m"), "\\xc2\\x9b31m");  // the one-byte CSI, as UTF-8
  EXPECT_EQ(printable("\u2028\u202e\u2066"),
            "\\xe2\\x80\\xa8\\xe2\\x80\\xae\\xe2\\x81\\xa6");  // a line's end; turned text
  EXPECT_EQ(printable("\x9b\xff\xc3"), "\\x9b\\xff\\xc3");
  EXPECT_EQ(printable("\xed\xa0\x80\xc0\x80"), "\\xed\\xa0\\x80\\xc0\\x80");  // a surrogate; an overlong NUL
}

}  // namespace
}  // namespace tessera
