// SPDX-License-Identifier: Apache-2.0
// Opened without blocking, since opening a pipe would wait for its writer for ever.
#include "model/base/input_file.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <linux/magic.h>
#include <poll.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

namespace tessera {
namespace {

constexpr int kPatienceMs = 1000;  // a writer that was started together with us may come a little later
constexpr int kSilenceS = 5;       // of who writes to a named pipe; what a shell joins to us may take its time
constexpr int kForever = -1;
constexpr std::size_t kMebibyte = std::size_t{1} << 20;

class Descriptor {
 public:
  explicit Descriptor(const std::filesystem::path& path)
      : number_(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  int number() const { return number_; }

 private:
  int number_;
};

// A pipe by a name in some folder: not standard input, nor what a shell puts in the place of a command.
bool is_named_pipe(int file, const struct stat& status) {
  struct statfs where {};
  return S_ISFIFO(status.st_mode) && ::fstatfs(file, &where) == 0 && where.f_type != PIPEFS_MAGIC;
}

// False where nothing happened in time.
bool wait_for_input(int file, int milliseconds) {
  pollfd wanted{file, POLLIN, 0};
  return ::poll(&wanted, 1, milliseconds) != 0;
}

}  // namespace

std::optional<std::string> read_input_file(const std::filesystem::path& path, std::size_t max_bytes,
                                           std::string& problem) {
  const Descriptor file(path);
  struct stat status {};
  const bool is_open = file.number() >= 0 && ::fstat(file.number(), &status) == 0;
  bool may_lack_writer = is_open && S_ISFIFO(status.st_mode);
  const int patience = is_open && is_named_pipe(file.number(), status) ? kSilenceS * 1000 : kForever;
  std::string text;
  std::array<char, 1 << 16> chunk;
  while (is_open) {
    const ssize_t count = ::read(file.number(), chunk.data(), chunk.size());
    if (count > 0) {
      text.append(chunk.data(), static_cast<std::size_t>(count));
      if (text.size() > max_bytes) {
        problem = fmt::format("is longer than {} MiB", max_bytes / kMebibyte);
        return std::nullopt;
      }
    } else if (count == 0) {
      if (!may_lack_writer || !text.empty()) return text;
      may_lack_writer = false;
      if (wait_for_input(file.number(), kPatienceMs)) continue;
      problem = "is a pipe that nobody writes to";
      return std::nullopt;
    } else if (errno == EAGAIN) {
      if (wait_for_input(file.number(), patience)) continue;
      problem = fmt::format("is a pipe whose writer has been silent for {} seconds", kSilenceS);
      return std::nullopt;
    } else if (errno != EINTR) {
      break;
    }
  }
  problem = fmt::format("cannot be read: {}", std::strerror(errno));
  return std::nullopt;
}

}  // namespace tessera
