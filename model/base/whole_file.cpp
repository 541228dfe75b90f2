// SPDX-License-Identifier: Apache-2.0
#include "model/base/whole_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <system_error>

namespace tessera {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail_to_write(const fs::path& path, const fs::path& aside) {
  const int error = errno;
  std::error_code ignored;
  fs::remove(aside, ignored);
  throw std::runtime_error(fmt::format("cannot write {}: {}", path.string(), std::strerror(error)));
}

bool write_to(int file, const std::string& text) {
  for (std::size_t at = 0; at < text.size();) {
    const ssize_t written = ::write(file, text.data() + at, text.size() - at);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    at += static_cast<std::size_t>(written);
  }
  return true;
}

}  // namespace

void write_whole(const fs::path& path, const std::string& text, bool syncs) {
  char host[256] = "";
  ::gethostname(host, sizeof(host) - 1);  // process ids repeat on the nodes of a cluster
  const fs::path aside = path.parent_path() / fmt::format(".{}.{}.{}", path.filename().string(), host, ::getpid());
  const int file = ::open(aside.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file < 0) fail_to_write(path, aside);
  const bool is_written = write_to(file, text) && (!syncs || ::fsync(file) == 0);
  const int error = errno;
  const bool is_closed = ::close(file) == 0;
  if (!is_written) errno = error;
  if (!is_written || !is_closed || ::rename(aside.c_str(), path.c_str()) != 0) fail_to_write(path, aside);
}

}  // namespace tessera
