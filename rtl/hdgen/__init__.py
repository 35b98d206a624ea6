# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""The generator: writes everything that RTL, C model and harness must agree on, from the CSV tables of the RTL.

  tables               the tables as rows
  expressions          names and expressions in the tables
  params, limits       parameters and widths; limits of the parameters
  sv                   generated SystemVerilog that is committed
  registers, exchange  the register map; the same in SystemRDL and IP-XACT
  headers, layout      C headers and the table of the configurations; C layout of a payload
  fields               names and offsets of all compared values
  binding, state, access, signals
                       C++ between a Verilated block and the harness
  vectors              a testbench that plays recorded vectors
  views, traces        views for GTKWave, port tables of the pages
  wave                 the module that adds the model's values to a waveform
  nets, clusters       the wires of the plane; the modules of its clusters, and hd_top.sv
  pins, accessors      a Python module: ports, fields, registers, pack and unpack
  output               writing of files
  __main__             the command; fusesoc.py: the same for FuseSoC

From the top of a checkout: `python3 rtl/hdgen --help`, or, with rtl in sys.path, `from hdgen import params`.
"""
