#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
# Installs what synth/parsers.txt names into a virtual environment, once; fails if that can not be done.
#   parsers.sh DIR    into DIR; what pip says goes to DIR.log. Run from the top of the checkout.
set -eu
mkdir -p "$(dirname "$1")"
exec 9>"$1.lock" >"$1.log" 2>&1
flock 9
cmp -s synth/parsers.txt "$1/parsers.txt" && exit 0
python3 -m venv --clear "$1"
"$1/bin/python" -m pip install --disable-pip-version-check --no-input --retries 1 --timeout 15 \
  --only-binary :all: -r synth/parsers.txt
cp synth/parsers.txt "$1/"
