// SPDX-License-Identifier: Apache-2.0
// The last part of a C++ name, without its template arguments and parameters.
#include "importer/kernel_names.h"

#include <cxxabi.h>

#include <cctype>
#include <cstdlib>
#include <memory>

namespace tessera::importer {
namespace {

constexpr std::size_t kMaxName = 40;
constexpr std::size_t kMaxMangled = 4096;  // demangling is no work without bound

std::string demangled(const std::string& name) {
  if (name.rfind("_Z", 0) != 0 || name.size() > kMaxMangled) return name;
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> text(abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status),
                                                    std::free);
  return status == 0 && text != nullptr ? text.get() : name;
}

// Without what stands in <>, () and {}, of all depths: arguments, parameters, anonymous namespaces, lambdas.
std::string without_brackets(const std::string& name) {
  std::string plain;
  int depth = 0;
  for (const char c : name) {
    if (c == '<' || c == '(' || c == '{' || c == '[') {
      ++depth;
    } else if (c == '>' || c == ')' || c == '}' || c == ']') {
      if (depth > 0) --depth;
    } else if (depth == 0) {
      plain.push_back(c);
    }
  }
  return plain;
}

// Of `void ns::f` or `path/f`.
std::string last_part(const std::string& name) {
  std::size_t end = name.size();
  while (end > 0 && std::isalnum(static_cast<unsigned char>(name[end - 1])) == 0 && name[end - 1] != '_') --end;
  const std::size_t begin = name.substr(0, end).find_last_of(": /\\@");
  return name.substr(begin == std::string::npos ? 0 : begin + 1, begin == std::string::npos ? end : end - begin - 1);
}

}  // namespace

std::string short_kernel_name(const std::string& name) {
  std::string text;
  for (const char c : last_part(without_brackets(demangled(name)))) {
    text.push_back(std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_');
  }
  const bool is_none_in_yaml = text == "null" || text == "Null" || text == "NULL";
  if (text.empty() || is_none_in_yaml || std::isalpha(static_cast<unsigned char>(text.front())) == 0)
    text = "kernel_" + text;
  return text.substr(0, kMaxName);
}

std::string unique_name(const std::string& name, std::set<std::string>& taken) {
  std::string candidate = name;
  for (int number = 2; !taken.insert(candidate).second; ++number) candidate = name + "." + std::to_string(number);
  return candidate;
}

}  // namespace tessera::importer
