// SPDX-License-Identifier: Apache-2.0
#include "model/base/whole_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstring>
#include <fstream>
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

// Process ids repeat on the nodes of a cluster.
std::string host_name() {
  char host[256] = "";
  ::gethostname(host, sizeof(host) - 1);
  return host;
}

// One that was killed, and that nobody has waited for, still has an entry.
bool is_running(pid_t process) {
  std::ifstream file(fmt::format("/proc/{}/stat", process));
  std::string line;
  if (!std::getline(file, line)) return false;
  const std::size_t name = line.rfind(") ");
  return name == std::string::npos || line[name + 2] != 'Z';
}

}  // namespace

fs::path aside_of(const fs::path& path) {
  return path.parent_path() / fmt::format(".{}.{}.{}", path.filename().string(), host_name(), ::getpid());
}

bool is_abandoned(const fs::path& aside) {
  const std::string name = aside.filename().string();
  const std::size_t dot = name.rfind('.');
  pid_t process = 0;
  const auto parsed = std::from_chars(name.data() + dot + 1, name.data() + name.size(), process);
  const bool is_number = parsed.ec == std::errc() && parsed.ptr == name.data() + name.size() && process > 0;
  const std::string host = "." + host_name();
  const bool is_here = dot >= host.size() && name.compare(dot - host.size(), host.size(), host) == 0;
  if (is_number && is_here) return !is_running(process);
  std::error_code gone;
  const auto changed = fs::last_write_time(aside, gone);
  return !gone && fs::file_time_type::clock::now() - changed > std::chrono::hours(1);
}

void write_whole(const fs::path& path, const std::string& text, bool syncs) {
  const fs::path aside = aside_of(path);
  const int file = ::open(aside.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file < 0) fail_to_write(path, aside);
  const bool is_written = write_to(file, text) && (!syncs || ::fsync(file) == 0);
  const int error = errno;
  const bool is_closed = ::close(file) == 0;
  if (!is_written) errno = error;
  if (!is_written || !is_closed || ::rename(aside.c_str(), path.c_str()) != 0) fail_to_write(path, aside);
}

}  // namespace tessera
