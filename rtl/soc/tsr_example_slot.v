// SPDX-License-Identifier: Apache-2.0
// A slot of the example SM: a thread block that only counts cycles.
module tsr_example_slot #(
  parameter TB_WIDTH = 32
) (
  input                     clk_i,
  input                     rst_ni,
  input                     fills_i,    // a thread block comes into the slot, which is free:
  input                     restores_i, // it was saved, and waits for its context
  input      [TB_WIDTH-1:0] tb_i,
  input      [31:0]         cycles_i,   // that it has to run, 1 or more
  input                     restored_i, // contexts are there
  input                     freezes_i,
  input                     leaves_i,   // its event or its handle is taken
  output                    free_o,
  output                    finished_o,
  output                    frozen_o,
  output     [TB_WIDTH-1:0] tb_o,
  output     [31:0]         cycles_o    // left
);

  localparam [2:0] FREE = 3'd0, WAITS = 3'd1, RUNS = 3'd2, FINISHED = 3'd3, FROZEN = 3'd4;

  reg [2:0]          state_q;
  reg [TB_WIDTH-1:0] tb_q;
  reg [31:0]         cycles_q;

  always @(posedge clk_i) begin
    if (!rst_ni) state_q <= FREE;
    else case (state_q)
      FREE:    if (fills_i) state_q <= restores_i ? WAITS : RUNS;
      WAITS:   if (restored_i) state_q <= RUNS;
      RUNS:    if (cycles_q == 32'd1) state_q <= FINISHED;
               else if (freezes_i) state_q <= FROZEN;
      default: if (leaves_i) state_q <= FREE;
    endcase
  end
  always @(posedge clk_i) begin
    if (fills_i) begin
      tb_q     <= tb_i;
      cycles_q <= cycles_i;
    end else if (state_q == RUNS) begin
      cycles_q <= cycles_q - 32'd1;
    end
  end

  assign free_o     = state_q == FREE;
  assign finished_o = state_q == FINISHED;
  assign frozen_o   = state_q == FROZEN;
  assign tb_o       = tb_q;
  assign cycles_o   = cycles_q;

endmodule
