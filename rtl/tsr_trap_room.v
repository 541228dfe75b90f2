// SPDX-License-Identifier: Apache-2.0
// SMs whose trap has to wait, since their kernel's ring has no room for their TBs. They are tried again when it may
// have some. Where a ring always has room there are none.
module tsr_trap_room #(
`include "tsr_sizes.vh"
) (
  input                clk_i,
  input                rst_ni,
  input  [NUM_SMS-1:0] row_i,           // the job's SM
  input                no_room_i,       // its trap was rejected
  input                may_have_room_i, // a TB has ended or was issued
  input                leaves_i,        // the SM has left its kernel
  output [NUM_SMS-1:0] no_room_o
);

  generate
    if (PTBQ_DEPTH >= NUM_SMS * MAX_TBS_PER_SM) begin : g_room
      wire unused_room = &{1'b0, clk_i, rst_ni, row_i, no_room_i, may_have_room_i, leaves_i};
      assign no_room_o = {NUM_SMS{1'b0}};
    end else begin : g_small
      reg [NUM_SMS-1:0] no_room_q;
      assign no_room_o = no_room_q;
      always @(posedge clk_i) begin
        if (!rst_ni || may_have_room_i) no_room_q <= {NUM_SMS{1'b0}};
        else if (no_room_i)             no_room_q <= no_room_q | row_i;
        else if (leaves_i)              no_room_q <= no_room_q & ~row_i;
      end
    end
  endgenerate

endmodule
