# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
# The test of the small parts of rtl/common. Included by the Makefile, which has the rule for build/obj/%.o and builds
# build/libheddle.a.
COMMON_BIN := build/test/test_common
COMMON_SO := build/k20c/common/bench.so

$(COMMON_SO): $(wildcard rtl/common/*.sv verif/common/*) $(wildcard tb/build/*.py)
	@$(BUILD) k20c/common/bench
$(COMMON_BIN): build/obj/verif/common/test_common.o $(COMMON_SO) build/libheddle.a
	@mkdir -p $(@D); $(CC) -o $@ $^ '-Wl,-rpath,$(CURDIR)' -lcmocka
