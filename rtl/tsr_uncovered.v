// SPDX-License-Identifier: Apache-2.0
// Does a kernel have TBs that no slot waits for? Breadth first, a TB wants an SM of its own. Costs an adder
// and a comparator of SLOT_COUNT_WIDTH bits.
module tsr_uncovered #(
  parameter REMAINING_WIDTH  = 9,
  parameter SM_COUNT_WIDTH   = 4,
  parameter SLOT_COUNT_WIDTH = 8
) (
  input                        breadth_first_i,
  input [REMAINING_WIDTH-1:0]  remaining_i,
  input                        has_more_i, // than `remaining` can tell: more than there are slots
  input [SLOT_COUNT_WIDTH-1:0] preempted_i,
  input [SLOT_COUNT_WIDTH-1:0] covered_i,
  input [SM_COUNT_WIDTH-1:0]   owned_i,
  input [SM_COUNT_WIDTH-1:0]   reserved_i,
  output                       uncovered_o
);

  localparam SW = SLOT_COUNT_WIDTH;
  localparam RW = REMAINING_WIDTH;
  localparam UW = (RW > SW ? RW : SW) + 1; // of what may be issued

  wire [SW-1:0] owned    = {{(SW-SM_COUNT_WIDTH){1'b0}}, owned_i};
  wire [SW-1:0] reserved = {{(SW-SM_COUNT_WIDTH){1'b0}}, reserved_i};
  wire [SW:0]   spread   = {1'b0, covered_i < owned ? covered_i : owned} + {1'b0, reserved};
  wire [SW:0]   covered  = breadth_first_i ? spread : {1'b0, covered_i};
  wire [UW-1:0] issuable = {{(UW-RW){1'b0}}, remaining_i} + {{(UW-SW){1'b0}}, preempted_i};

  assign uncovered_o = has_more_i || issuable > {{(UW-SW-1){1'b0}}, covered};

endmodule
