// SPDX-License-Identifier: Apache-2.0
// posix_spawn, with the output in files.
#include "cosim/tool.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <system_error>
#include <thread>

#include "cosim/core_builder.h"
#include "cosim/text_file.h"

namespace tessera::cosim {
namespace {

constexpr std::size_t kMaxMessage = 4000;  // an error in a header repeats itself

[[noreturn]] void report_missing(const std::string& tool) {
  // The others' packages are named like them.
  const std::string package = tool == "sta" ? "opensta" : tool;
  throw BuildError(fmt::format("{} was not found: the Verilog core needs Debian's package {}", tool, package));
}

class Call {
 public:
  Call(const Arguments& arguments, const std::filesystem::path& folder, std::filesystem::path output)
      : tool_(arguments.front()), output_(std::move(output)) {
    std::vector<char*> argv;
    for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
    argv.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    ::posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output_.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    ::posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
    ::posix_spawn_file_actions_addchdir_np(&actions, folder.c_str());
    const int error = ::posix_spawnp(&pid_, tool_.c_str(), &actions, nullptr, argv.data(), environ);
    ::posix_spawn_file_actions_destroy(&actions);
    // PATH may name a folder that this user may not enter.
    if (error == ENOENT || error == EACCES) report_missing(tool_);
    if (error != 0) throw std::system_error(error, std::generic_category(), tool_);
  }
  // What went wrong; empty: nothing.
  std::string wait() {
    int status = 0;
    while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
    }
    if (status == 0) return {};
    const std::string text = read_text(output_);
    if (WIFSIGNALED(status) && text.empty()) return fmt::format("{} was ended by signal {}", tool_, WTERMSIG(status));
    return fmt::format("{} cannot build the Verilog core:\n{}", tool_, text.substr(0, kMaxMessage));
  }

 private:
  std::string tool_;
  std::filesystem::path output_;
  pid_t pid_ = 0;
};

// Takes calls off the list until it is empty or one fails.
std::string run_some(const std::vector<Arguments>& calls, std::atomic<std::size_t>& next,
                     const std::filesystem::path& folder) {
  try {
    for (std::size_t i = next++; i < calls.size(); i = next++) {
      std::string failure = Call(calls[i], folder, folder / fmt::format("output_{}.txt", i)).wait();
      if (failure.empty()) continue;
      next = calls.size();
      return failure;
    }
  } catch (const std::exception& error) {
    return error.what();
  }
  return {};
}

}  // namespace

void run_tools(const std::vector<Arguments>& calls, const std::filesystem::path& folder) {
  std::vector<std::string> failures(std::max(1U, std::thread::hardware_concurrency()));
  std::atomic<std::size_t> next = 0;
  std::vector<std::thread> lanes;
  for (std::string& failure : failures) {
    lanes.emplace_back([&] { failure = run_some(calls, next, folder); });
  }
  for (std::thread& lane : lanes) lane.join();
  for (const std::string& failure : failures) {
    if (!failure.empty()) throw BuildError(failure);
  }
}

std::string run_tool(const Arguments& call, const std::filesystem::path& folder) {
  const std::filesystem::path output = folder / "output.txt";
  const std::string failure = Call(call, folder, output).wait();
  if (!failure.empty()) throw BuildError(failure);
  return read_text(output);
}

std::string output_of(const std::string& tool, const std::string& options) {
  std::FILE* pipe = ::popen(fmt::format("{} {} 2>/dev/null", tool, options).c_str(), "re");
  if (pipe == nullptr) throw std::system_error(errno, std::generic_category(), tool);
  std::string output;
  for (int letter = std::fgetc(pipe); letter != EOF; letter = std::fgetc(pipe)) output += static_cast<char>(letter);
  if (::pclose(pipe) != 0) report_missing(tool);
  return output;
}

}  // namespace tessera::cosim
