// SPDX-License-Identifier: Apache-2.0
// Order, text and uniqueness of the messages about user input.
// A message never breaks its line, whatever bytes the user's value holds.
#include "model/spec/diagnostics.h"

#include <fmt/core.h>

#include <algorithm>
#include <string_view>
#include <tuple>
#include <utility>

namespace tessera::spec {
namespace {

constexpr std::size_t kMaxQuotedBytes = 80;

auto fields(const Diagnostic& d) { return std::tie(d.file, d.line, d.column, d.key, d.problem, d.value, d.allowed); }

std::string one_line(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7f) {
      out += fmt::format("\\x{:02x}", static_cast<unsigned>(byte));
    } else {
      out += c;
    }
  }
  return out;
}

std::string shortened(const std::string& text) {
  if (text.size() <= kMaxQuotedBytes) return text;
  std::size_t end = kMaxQuotedBytes;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;  // not inside a UTF-8 character
  return text.substr(0, end) + "...";
}

}  // namespace

bool Diagnostic::operator==(const Diagnostic& other) const { return fields(*this) == fields(other); }
bool Diagnostic::operator<(const Diagnostic& other) const { return fields(*this) < fields(other); }

std::string to_string(const Diagnostic& diagnostic) {
  std::string text = fmt::format("{}:{}:{}: ", diagnostic.file, diagnostic.line, diagnostic.column);
  if (!diagnostic.key.empty()) text += shortened(diagnostic.key) + ": ";
  text += diagnostic.problem;
  const std::string value = shortened(diagnostic.value);
  if (!value.empty() && !diagnostic.allowed.empty()) {
    text += fmt::format(" ({}; {})", value, diagnostic.allowed);
  } else if (!value.empty() || !diagnostic.allowed.empty()) {
    text += fmt::format(" ({})", value + diagnostic.allowed);
  }
  return one_line(text);
}

InputError::InputError(std::vector<Diagnostic> diagnostics) : diagnostics_(std::move(diagnostics)) {
  std::sort(diagnostics_.begin(), diagnostics_.end());
  diagnostics_.erase(std::unique(diagnostics_.begin(), diagnostics_.end()), diagnostics_.end());
  for (const Diagnostic& diagnostic : diagnostics_) {
    if (!text_.empty()) text_ += '\n';
    text_ += to_string(diagnostic);
  }
}

}  // namespace tessera::spec
