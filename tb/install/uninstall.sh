#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
# Removes the files that install.sh installed: uninstall.sh PREFIX [DESTDIR]. Removes the listed files, the compiled
# files of listed Python modules, and folders that are empty afterwards; all other files stay.
set -eu
to=${2-}$1
list=$to/share/heddle/installed
if [ ! -r "$list" ]; then
  echo "uninstall: no Heddle is installed in $to (there is no $list)" >&2
  exit 2
fi
files=$(cat "$list")
cd "$to"
echo "$files" | xargs -d '\n' rm -f
echo "$files" | sed -n 's|\([^/]*\)[.]py$|__pycache__/\1.cpython-*.pyc|p' | while read -r compiled; do
  rm -f $compiled
done
# Removes empty folders that belong only to Heddle; folders that every prefix has (lib, bin, share/man, ..) stay.
for own in include/heddle lib/heddle lib/cmake/heddle share/heddle share/doc/heddle; do
  if [ -d "$own" ]; then find "$own" -depth -type d -exec rmdir --ignore-fail-on-non-empty {} +; fi
done
