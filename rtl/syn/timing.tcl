# SPDX-License-Identifier: Apache-2.0
# The slowest path between two registers, from a pin, and to a pin, memories counted as registers. Wires have no length
# here. What is outside of the pins has its share of a cycle: @pin_delay_ns@ ns of @period_ns@. Straps are constant, and
# reset is given time.
read_liberty timing.lib
read_verilog timing.v
link_design @top@
create_clock -name clk -period @period_ns@ [get_ports clk_i]
set_input_delay @pin_delay_ns@ -clock clk [all_inputs]
set_output_delay @pin_delay_ns@ -clock clk [all_outputs]
set_load 0.02 [all_outputs]
set_false_path -from [get_ports {rst_ni strap_*}]
puts "== registers"
report_checks -from [all_registers -clock_pins] -to [all_registers -data_pins] -path_delay max -format full -digits 4
puts "== inputs"
report_checks -from [all_inputs] -to [all_registers -data_pins] -path_delay max -format full -digits 4
puts "== outputs"
report_checks -from [all_registers -clock_pins] -to [all_outputs] -path_delay max -format full -digits 4
