// SPDX-License-Identifier: Apache-2.0
// Runs the tests. The SystemC library brings a main() of its own and wants an sc_main(): this one is never called.
#include <gmock/gmock.h>

#include <cstdlib>
#include <filesystem>
#include <systemc>

int sc_main(int, char**) { return 1; }

int main(int argc, char** argv) {
  testing::InitGoogleMock(&argc, argv);
  // Beside the program: tests leave the user's folders alone, and find their cores again.
  const std::filesystem::path folder = std::filesystem::read_symlink("/proc/self/exe").parent_path();
  ::setenv("TESSERA_CORE_CACHE", (folder / "core_cache").c_str(), 0);
  return RUN_ALL_TESTS();
}
