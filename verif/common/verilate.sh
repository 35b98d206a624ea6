#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
# Builds the Verilated hd_common_tb with its C interface: build/common/libcommon_tb.a. Run from the top of the checkout.
set -eu
unset MAKEFLAGS MFLAGS MAKELEVEL 2> /dev/null || true  # the makes below are of their own
dir=build/common
mkdir -p $dir
verilator --cc --prefix Vcommon --top-module hd_common_tb --Mdir $dir -O3 -Wall --assert --no-timing \
  --x-initial unique --x-assign unique -Irtl rtl/lint.vlt verif/common/hd_common_tb.sv rtl/common/hd_find_first.sv \
  rtl/common/hd_rr_arb.sv rtl/common/hd_ram_1r1w.sv rtl/common/hd_ram_banks.sv rtl/common/hd_onehot.sv rtl/common/hd_fifo.sv rtl/common/hd_free_list.sv > $dir/verilator.log 2>&1 || {
  head -20 $dir/verilator.log >&2; exit 1; }
objs=$(make -s -f - classes <<MK
include $dir/Vcommon_classes.mk
classes:
	@echo \$(addsuffix .o,\$(VM_GLOBAL_FAST) \$(VM_GLOBAL_SLOW))
MK
)
make -s -C $dir -f Vcommon.mk OBJCACHE=ccache OPT_FAST=-O2 OPT_SLOW=-O0 OPT_GLOBAL=-O2 Vcommon__ALL.a $objs > $dir/make.log 2>&1 || {
  tail -20 $dir/make.log >&2; exit 1; }
root=$(verilator --getenv VERILATOR_ROOT)
ccache g++ -std=c++17 -O2 -Wall -Wextra -I$dir -isystem "$root/include" -isystem "$root/include/vltstd" -c verif/common/common_tb.cpp \
  -o $dir/common_tb.o
rm -f $dir/libcommon_tb.a
cd $dir
ar x Vcommon__ALL.a
ar rcs libcommon_tb.a common_tb.o $(ar t Vcommon__ALL.a) $objs
