# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
# Installation and its test. Included by the Makefile, which provides VERSION, the target `all`
# (build/libheddle.a, build/libheddle.so, build/heddle, build/gen/) and BUILD.
#   make install | install-lib | uninstall [PREFIX=/usr/local] [DESTDIR=]
PREFIX ?= /usr/local
DESTDIR ?=

.PHONY: install install-lib uninstall test-install test-setup

install: all ## install library, headers, command and RTL in PREFIX (/usr/local)
	@$(BUILD) k20c/top/rtl k20c/top/rtl-wave
	@tb/install/install.sh "$(PREFIX)" "$(VERSION)" "$(DESTDIR)"
	@echo "installed Heddle $(VERSION) in $(DESTDIR)$(PREFIX)"

# Needs only a C compiler and Python: neither Verilator nor the heddle command.
install-lib: lib ## install only the golden model in PREFIX, for C, C++, CMake and Python
	@tb/install/install.sh "$(PREFIX)" "$(VERSION)" "$(DESTDIR)" lib
	@echo "installed the golden model of Heddle $(VERSION) in $(DESTDIR)$(PREFIX)"

uninstall: ## remove the files that install wrote to PREFIX
	@tb/install/uninstall.sh "$(abspath $(PREFIX))" "$(DESTDIR)"
	@echo "uninstalled Heddle from $(DESTDIR)$(PREFIX)"

# Installs into a temporary prefix; the programs and testbenches of verif/install use only that. ARGS=long also builds
# the core with FuseSoC.
test-install: all ## install into a temporary prefix and use the result
	@$(BUILD) k20c/top/rtl k20c/top/rtl-wave
	@verif/install/test_install.sh "$(VERSION)" $(ARGS)

test-setup: ## test the set-up with stand-ins for apt and dpkg
	@verif/install/test_setup.sh
