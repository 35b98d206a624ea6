# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
"""The generator: writes everything that RTL, C model and harness must agree on, from the tables beside the RTL.

  tables          the tables as rows                  headers        C headers, the table of the configurations
  expressions     names and expressions in them       fields         names and places of all that is compared
  params          parameters and widths               binding, state, access, signals
  limits          what parameters may be                             C++ between a Verilated block and the harness
  sv              SystemVerilog that is kept         vectors        a testbench that plays recorded vectors
  registers, exchange                                 views, traces  views for GTKWave, port tables of the pages
                  the register map; in SystemRDL, IP-XACT
                                                      wave           what lockstep adds to a waveform, as a module
  layout          how C holds a payload               nets           the wires of the plane
  pins, accessors                                     a module of Python: ports, fields, registers, pack and unpack
  output          the files that are written          __main__       the command; fusesoc.py: the same for FuseSoC

From the top of a checkout: `python3 rtl/hdgen --help`, or, with rtl in sys.path, `from hdgen import params`.
"""
