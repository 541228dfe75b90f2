// SPDX-License-Identifier: Apache-2.0
// What repeats becomes a loop: a training step, and inside it layers of one kind.
#pragma once

#include <cstdint>
#include <vector>

namespace tessera::importer {

// A loop over `body`, or without a body one position of the sequence, whose `members` are the places in it that all
// rounds together had there.
struct Repeated {
  std::uint32_t count = 1;
  std::vector<Repeated> body;
  std::vector<std::uint32_t> members;
  std::uint32_t num_rounds = 0;  // of a position: as many as members, unless some rounds lack it (program_tree.h)
};

// `tokens` are equal where the same is done. The members of all positions are 0 .. n - 1, each once; unrolled in order
// they give the tokens back. Time grows as n times some hundreds, however much repeats or not.
std::vector<Repeated> find_repetition(const std::vector<std::uint32_t>& tokens);

}  // namespace tessera::importer
