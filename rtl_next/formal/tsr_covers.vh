// SPDX-License-Identifier: Apache-2.0
// What each property speaks of happens: a cover is an assertion that it never does, and has to fail.
cover_one_phase: assert property (!started_q || !phase[WRITE]);
