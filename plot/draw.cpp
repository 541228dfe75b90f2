// SPDX-License-Identifier: Apache-2.0
// gnuplot as a program of its own, without a shell.
#include "plot/draw.h"

#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <stdexcept>

#include "plot/gnuplot.h"

namespace tessera::plot {

bool draw(const std::filesystem::path& script, const std::string& format, const std::filesystem::path& output) {
  std::string program = "gnuplot";
  std::string option = "-e";
  std::string variables = fmt::format("format={}; output={}", quoted(format), quoted(output.string()));
  std::string file = script.string();
  char* const arguments[] = {program.data(), option.data(), variables.data(), file.data(), nullptr};
  pid_t pid = 0;
  const int error = ::posix_spawnp(&pid, program.c_str(), nullptr, nullptr, arguments, environ);
  // PATH may name a folder that this user may not enter: that, too, is no gnuplot.
  if (error == ENOENT || error == EACCES) return false;
  if (error != 0) throw std::runtime_error("gnuplot could not be started");
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  if (status != 0) throw std::runtime_error("gnuplot could not draw " + script.filename().string());
  return true;
}

}  // namespace tessera::plot
