// SPDX-License-Identifier: Apache-2.0
// From the core to an SM: what it is told and what it is given, in one order (timing.md 3.11, 7.5). Both are always
// accepted, so a message takes as many cycles as there are registers.
module tsr_down_link #(
  parameter REGISTERS     = 1, // 0: the core is wired to the SM
  parameter CONTROL_WIDTH = 8,
  parameter DISPATCH_WIDTH = 8
) (
  input                           clk_i,
  input                           rst_ni,
  input                           control_valid_i,
  input      [CONTROL_WIDTH-1:0]  control_i,
  input                           dispatch_valid_i,
  input      [DISPATCH_WIDTH-1:0] dispatch_i,
  output                          control_valid_o,
  output     [CONTROL_WIDTH-1:0]  control_o,
  output                          dispatch_valid_o,
  output     [DISPATCH_WIDTH-1:0] dispatch_o
);

  localparam WIDTH = CONTROL_WIDTH + DISPATCH_WIDTH;

  generate
    if (REGISTERS == 0) begin : g_wired
      wire unused = &{1'b0, clk_i, rst_ni};
      assign {control_valid_o, dispatch_valid_o} = {control_valid_i, dispatch_valid_i};
      assign {control_o, dispatch_o}             = {control_i, dispatch_i};
    end else begin : g_link
      reg  [REGISTERS*2-1:0]     valid_q; // of each register: told, given
      reg  [REGISTERS*WIDTH-1:0] data_q;
      wire [(REGISTERS+1)*2-1:0]     valid = {valid_q, control_valid_i, dispatch_valid_i};
      wire [(REGISTERS+1)*WIDTH-1:0] data  = {data_q, control_i, dispatch_i};
      always @(posedge clk_i) begin
        if (!rst_ni) valid_q <= {REGISTERS*2{1'b0}};
        else         valid_q <= valid[REGISTERS*2-1:0];
        data_q <= data[REGISTERS*WIDTH-1:0];
      end
      assign {control_valid_o, dispatch_valid_o} = valid[REGISTERS*2 +: 2];
      assign {control_o, dispatch_o}             = data[REGISTERS*WIDTH +: WIDTH];
    end
  endgenerate

endmodule
