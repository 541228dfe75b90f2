// SPDX-License-Identifier: Apache-2.0
// A register of an up link: a message, and a place for the one that comes while the other side waits. So neither valid
// nor ready passes through it, and it carries a message a cycle.
module tsr_link_register #(
  parameter WIDTH = 8
) (
  input                  clk_i,
  input                  rst_ni,
  input                  valid_i,
  output                 ready_o,
  input      [WIDTH-1:0] data_i,
  output                 valid_o,
  input                  ready_i,
  output     [WIDTH-1:0] data_o
);

  reg             valid_q, spare_valid_q;
  reg [WIDTH-1:0] data_q, spare_q;
  wire            moves = ready_i || !valid_q;

  always @(posedge clk_i) begin
    if (!rst_ni) begin
      valid_q       <= 1'b0;
      spare_valid_q <= 1'b0;
    end else begin
      valid_q       <= !moves || spare_valid_q || valid_i;
      spare_valid_q <= !moves && (spare_valid_q || valid_i);
    end
  end
  always @(posedge clk_i) begin
    if (moves)                     data_q  <= spare_valid_q ? spare_q : data_i;
    if (!moves && !spare_valid_q)  spare_q <= data_i;
  end

  assign ready_o = !spare_valid_q;
  assign valid_o = valid_q;
  assign data_o  = data_q;

endmodule
