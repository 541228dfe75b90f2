// SPDX-License-Identifier: Apache-2.0
// Order, text and uniqueness of the messages about user input.
// A message never breaks its line, and never steers a terminal, whatever bytes the user's value holds.
#include "model/spec/diagnostics.h"

#include <fmt/core.h>

#include <algorithm>
#include <string_view>
#include <tuple>
#include <utility>

#include "model/base/printable.h"

namespace tessera::spec {
namespace {

constexpr std::size_t kMaxQuotedBytes = 80;
constexpr std::size_t kMaxLines = 100;  // nobody reads more

auto fields(const Diagnostic& d) { return std::tie(d.file, d.line, d.column, d.key, d.problem, d.value, d.allowed); }

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
  return printable(text);
}

std::string to_string(const std::vector<Diagnostic>& diagnostics) {
  const std::size_t num_lines = std::min(diagnostics.size(), kMaxLines);
  std::string text;
  for (std::size_t i = 0; i < num_lines; ++i) text += (i > 0 ? "\n" : "") + to_string(diagnostics[i]);
  const std::size_t more = diagnostics.size() - num_lines;
  if (more > 0) text += fmt::format("\nand {} more {}", more, more == 1 ? "mistake" : "mistakes");
  return text;
}

InputError::InputError(std::vector<Diagnostic> diagnostics) : diagnostics_(std::move(diagnostics)) {
  std::sort(diagnostics_.begin(), diagnostics_.end());
  diagnostics_.erase(std::unique(diagnostics_.begin(), diagnostics_.end()), diagnostics_.end());
  text_ = to_string(diagnostics_);
}

}  // namespace tessera::spec
