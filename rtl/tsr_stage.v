// SPDX-License-Identifier: Apache-2.0
// A stage of a pipeline, where there is one: registers if PRESENT, else wires.
module tsr_stage #(
  parameter PRESENT = 1,
  parameter WIDTH   = 1
) (
  input                  clk_i,
  input                  enable_i,
  input      [WIDTH-1:0] data_i,
  output     [WIDTH-1:0] data_o
);

  generate
    if (PRESENT != 0) begin : g_registers
      reg [WIDTH-1:0] data_q;
      always @(posedge clk_i) begin
        if (enable_i) data_q <= data_i;
      end
      assign data_o = data_q;
    end else begin : g_wires
      assign data_o = data_i;
      wire unused = &{1'b0, clk_i, enable_i};
    end
  endgenerate

endmodule
