// SPDX-License-Identifier: Apache-2.0
// Descriptors of kernels that are done, in a RAM, until the driver has read them. It cannot run over: the launch port
// lets no more kernels out than there are places.
module tsr_done_queue #(
  parameter DEPTH       = 32,
  parameter COUNT_WIDTH = $clog2(DEPTH + 1) // not to be set
) (
  input                    clk_i,
  input                    rst_ni,
  input                    push_i,
  input  [39:0]            descriptor_i,
  input                    look_i,
  input                    pop_i, // not when empty
  // The oldest, from the cycle after look_i on.
  output                   valid_o,
  output [39:0]            descriptor_o,
  output [COUNT_WIDTH-1:0] count_o
);

  localparam ADDRESS_WIDTH = DEPTH > 1 ? $clog2(DEPTH) : 1;
  localparam LAST          = DEPTH - 1;

  reg  [ADDRESS_WIDTH-1:0] head_q, tail_q;
  reg  [COUNT_WIDTH-1:0]   count_q;
  reg                      valid_q;
  wire [39:0]              descriptor;

  tsr_sram_1r1w #(.DEPTH(DEPTH), .WIDTH(40)) u_descriptors (
    .clk_i           (clk_i),
    .write_i         (push_i),
    .write_address_i (tail_q),
    .write_data_i    (descriptor_i),
    .read_i          (look_i),
    .read_address_i  (head_q),
    .read_data_o     (descriptor)
  );

  always @(posedge clk_i) begin
    if (!rst_ni) begin
      head_q  <= {ADDRESS_WIDTH{1'b0}};
      tail_q  <= {ADDRESS_WIDTH{1'b0}};
      count_q <= {COUNT_WIDTH{1'b0}};
      valid_q <= 1'b0;
    end else begin
      if (pop_i)  head_q <= head_q == LAST[ADDRESS_WIDTH-1:0] ? {ADDRESS_WIDTH{1'b0}} : head_q + 1'b1;
      if (push_i) tail_q <= tail_q == LAST[ADDRESS_WIDTH-1:0] ? {ADDRESS_WIDTH{1'b0}} : tail_q + 1'b1;
      if (look_i) valid_q <= count_q != {COUNT_WIDTH{1'b0}};
      count_q <= count_q + {{(COUNT_WIDTH-1){1'b0}}, push_i} - {{(COUNT_WIDTH-1){1'b0}}, pop_i};
    end
  end

  assign valid_o      = valid_q;
  assign descriptor_o = valid_q ? descriptor : 40'd0;
  assign count_o      = count_q;

endmodule
