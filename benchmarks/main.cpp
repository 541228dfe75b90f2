// SPDX-License-Identifier: Apache-2.0
// Runs the benchmarks. The SystemC library brings a main() of its own and wants an sc_main(): it is never called.
#include <benchmark/benchmark.h>

#include <systemc>

extern "C" int sc_main(int, char**) { return 1; }

BENCHMARK_MAIN();
