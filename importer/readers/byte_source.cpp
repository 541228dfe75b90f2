// SPDX-License-Identifier: Apache-2.0
// zlib's file functions: they unpack gzip, several members too, and hand on what is not packed.
#include "importer/readers/byte_source.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <cerrno>
#include <cstring>

namespace tessera::importer {
namespace {

constexpr std::size_t kBufferBytes = std::size_t{1} << 18;
constexpr std::size_t kMaxLine = std::size_t{1} << 20;

gzFile zlib(void* file) { return static_cast<gzFile>(file); }

}  // namespace

void ByteSource::Close::operator()(void* file) const { gzclose_r(zlib(file)); }

ByteSource::ByteSource(const std::filesystem::path& path) : name_(path.string()), buffer_(kBufferBytes) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  struct stat status {};
  if (descriptor < 0 || ::fstat(descriptor, &status) != 0) fail("cannot be read", std::strerror(errno));
  if (S_ISDIR(status.st_mode)) {
    ::close(descriptor);
    fail("is a folder");
  }
  file_.reset(gzdopen(descriptor, "rb"));
  if (file_ == nullptr) fail("cannot be read", "out of memory");
  gzbuffer(zlib(file_.get()), kBufferBytes);
}

bool ByteSource::is_packed() const { return gzdirect(zlib(file_.get())) == 0; }

bool ByteSource::refill() {
  offset_ += filled_;
  next_ = filled_ = 0;
  const int read = gzread(zlib(file_.get()), buffer_.data(), static_cast<unsigned>(buffer_.size()));
  int error = Z_OK;
  const char* const text = gzerror(zlib(file_.get()), &error);
  if (error == Z_BUF_ERROR) fail("ends in the middle of its gzip data");
  if (read < 0 || error != Z_OK) {
    const std::string reason = error == Z_ERRNO ? std::strerror(errno) : text;  // `<fd:4>: invalid code`
    fail("cannot be unpacked", reason.substr(reason.rfind(": ") == std::string::npos ? 0 : reason.rfind(": ") + 2));
  }
  filled_ = static_cast<std::size_t>(read);
  return filled_ > 0;
}

std::optional<std::string> ByteSource::line() {
  if (at_end()) return std::nullopt;
  std::string text;
  text_line_ = line_;
  while (!at_end()) {
    const char c = peek();
    advance();
    if (c == '\n') break;
    text.push_back(c);
    if (text.size() > kMaxLine) fail("has a line that is longer than 1 MiB");
  }
  if (!text.empty() && text.back() == '\r') text.pop_back();
  return text;
}

void ByteSource::fail(const std::string& problem, const std::string& value, const std::string& allowed) const {
  const auto column = text_line_ > 0 ? 1 : static_cast<int>(offset_ + next_ - line_start_);
  throw spec::InputError({{name_, line_number(), column < 1 ? 1 : column, "", problem, value, allowed}});
}

}  // namespace tessera::importer
