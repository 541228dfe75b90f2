// SPDX-License-Identifier: Apache-2.0
// Collects output and passes it to a stream in chunks, so that a sink's memory stays flat.
#pragma once

#include <cstddef>
#include <ostream>
#include <stdexcept>
#include <string>

namespace tessera::record {

class ChunkedWriter {
 public:
  // The stream must outlive the writer; open it in binary mode if line ends matter.
  explicit ChunkedWriter(std::ostream& out) : out_(out) { buffer_.reserve(2 * kChunkBytes); }

  // Append here, then call commit().
  std::string& buffer() { return buffer_; }
  void commit() {
    if (buffer_.size() >= kChunkBytes) write();
  }
  // Writes the rest; throws std::runtime_error if the stream did not take everything.
  void finish() {
    write();
    if (!out_.flush()) throw std::runtime_error("cannot write a trace: the output stream failed");
  }

 private:
  static constexpr std::size_t kChunkBytes = std::size_t{64} << 10;

  void write() {
    out_.write(buffer_.data(), static_cast<std::streamsize>(buffer_.size()));
    buffer_.clear();
  }

  std::ostream& out_;
  std::string buffer_;
};

}  // namespace tessera::record
