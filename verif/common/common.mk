# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
# The test of the small parts of rtl/common. Included by the Makefile, which has the rule for build/obj/%.o and builds
# build/libheddle.a.
COMMON_BIN := build/test/test_common

build/common/libcommon_tb.a: $(wildcard rtl/common/*.sv verif/common/*)
	@echo "  rtl    common"; verif/common/verilate.sh
$(COMMON_BIN): build/obj/verif/common/test_common.o build/common/libcommon_tb.a build/libheddle.a
	@mkdir -p $(@D); $(CXX) -o $@ $^ -lcmocka -lz -lpthread
