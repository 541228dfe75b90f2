// SPDX-License-Identifier: Apache-2.0
// What is left is told from what is done: simulations come in random order where there are many.
#include "apps/tessera/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <string>

namespace tessera::app {
namespace {

constexpr std::size_t kWidth = 30;
constexpr std::size_t kLine = kWidth + 60;

std::string duration(double seconds) {
  const auto whole = static_cast<unsigned long>(seconds + 0.5);
  return whole < 60 ? fmt::format("{} s", whole) : fmt::format("{} min {:02} s", whole / 60, whole % 60);
}

void write(const std::string& line) {
  fmt::print(stderr, "\r{:<{}}\r", line, kLine);
  std::fflush(stderr);
}

}  // namespace

void Progress::show(std::size_t done, std::size_t total) {
  if (isatty(STDERR_FILENO) == 0 || total == 0) return;
  const std::size_t filled = kWidth * done / total;
  const std::string bar = std::string(filled, '#') + std::string(kWidth - filled, '.');
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start_;
  std::string line = fmt::format("[{}] {} of {} {}", bar, done, total, unit_);
  if (done > 0) {
    line += fmt::format(", {:.3g}/s, {} left", static_cast<double>(done) / elapsed.count(),
                        duration(elapsed.count() * static_cast<double>(total - done) / static_cast<double>(done)));
  }
  write(line);
  if (done == total) {
    clear();
    start_ = std::chrono::steady_clock::now();
  }
}

void Progress::count(std::size_t done) {
  if (isatty(STDERR_FILENO) == 0) return;
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start_;
  write(fmt::format("{} {} in {}", done, unit_, duration(elapsed.count())));
}

void Progress::clear() {
  if (isatty(STDERR_FILENO) != 0) write("");
}

}  // namespace tessera::app
