// SPDX-License-Identifier: Apache-2.0
// Runs the tests. The SystemC library brings a main() of its own and wants an sc_main(): this one is never called.
#include <gmock/gmock.h>

#include <systemc>

int sc_main(int, char**) { return 1; }

int main(int argc, char** argv) {
  testing::InitGoogleMock(&argc, argv);
  return RUN_ALL_TESTS();
}
