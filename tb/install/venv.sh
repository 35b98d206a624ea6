#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
# Installs Python modules from PyPI for one test into a virtual environment:
#   venv.sh DIR LIST     installs the modules of LIST, a requirements file of pip with versions, into DIR
# Run from the top of the checkout. It does nothing if they are installed. If the installation fails, it prints the
# reason in one line and fails.
set -eu
to=$1 list=$2 log=$1.log

# The contents of the folder: Python version and list of modules.
wanted() { python3 -c 'import sys; print("# Python", sys.version)' && cat "$list"; }

mkdir -p "$(dirname "$to")"
exec 9>"$to.lock"
flock 9
wanted=$(wanted)
[ -r "$to/holds" ] && [ "$(cat "$to/holds")" = "$wanted" ] && exit 0
rm -rf "$to"
mkdir -p "$to"
step() { # COMMAND..: runs it; its output goes to the log
  "$@" >>"$log" 2>&1 || {
    echo "venv: $1 failed: $(tail -n1 "$log") (whole output: $log)" >&2
    exit 1
  }
}
: >"$log"
step python3 -m venv "$to"
step "$to/bin/pip" install --disable-pip-version-check --no-input --no-deps --only-binary :all: --retries 1 \
  --timeout 20 -r "$list"
echo "$wanted" >"$to/holds"
