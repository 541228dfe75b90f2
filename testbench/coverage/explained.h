// SPDX-License-Identifier: Apache-2.0
// What random input does not cover in a run of reasonable length, each with its reason. A hole that is not here is work
// to do.
#pragma once

#include <string>

namespace tessera::testbench {

// Empty: there is no reason.
std::string why_never_met(const std::string& coverpoint);
std::string why_it_never_toggles(const std::string& file, const std::string& signal);
// While others of its bits do.
std::string why_some_bits_never_toggle(const std::string& file, const std::string& signal);
// A block or branch of a line.
std::string why_never_taken(const std::string& file, unsigned line, const std::string& block);

}  // namespace tessera::testbench
