  // SPDX-License-Identifier: Apache-2.0
  // What the job under way does (timing.md 6.4), a bit each, from `effects` of tsr_job. What its LOAD decides holds from
  // CALC on, what follows from the job and its SM's row from ROW on. No part uses all of them.
  // verilator lint_off UNUSEDSIGNAL
  wire assigns, reserves, retargets, cancels, takes;    // moves; takes: the SM is reserved for the move's kernel
  wire is_own;                                          // CALC of a take that is rejected: its SM is not foreign
  wire tb_done, saved, restored, answers, set_up;       // events; answers: a set-up done, set_up: to a kernel that is there
  wire hands_over, releases, finishes, refills;
  wire issuable, uses_handles;                          // the KSR that is visited
  assign {assigns, reserves, retargets, cancels, takes, is_own, tb_done, saved, restored, answers, set_up, hands_over,
          releases, finishes, refills, issuable, uses_handles} = effects;
  // verilator lint_on UNUSEDSIGNAL
