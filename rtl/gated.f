rtl/tsr_clock_gate.sv
rtl/tsr_gated_scheduler.v
