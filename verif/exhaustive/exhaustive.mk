# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
# Searches of every reachable state of small machines. Included by the Makefile, which has the rule for build/obj/%.o.
EXHAUSTIVE_BIN := build/test/channel_span build/test/channel_progress

build/test/channel_span: build/obj/verif/exhaustive/channel_span.o
build/test/channel_progress: $(patsubst %,build/obj/verif/exhaustive/channel_%.o,progress machine ring)
$(EXHAUSTIVE_BIN): build/obj/verif/exhaustive/search.o
	@mkdir -p $(@D); $(CC) -o $@ $^
