#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
# Draws a waveform as GTKWave shows it, on a private display.  wave_picture.sh FST GTKW PNG
set -eu
for t in gtkwave:gtkwave Xvfb:xvfb xauth:xauth import:imagemagick; do
  command -v "${t%%:*}" > /dev/null || { echo "heddle: ${t%%:*} is missing (Debian package ${t##*:})" >&2; exit 2; }
done
fst=$1 gtkw=$2 png=$3
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cat > "$tmp/shoot" <<SH
gtkwave --rcvar 'splash_disable on' "$fst" "$gtkw" > /dev/null 2>&1 &
# Wait until something is drawn: a picture of the empty display is a small file.
for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15; do
  sleep 2
  import -window root "png:$tmp/out.png"
  [ \$(stat -c %s "$tmp/out.png") -lt 20000 ] || break
done
sleep 1
import -window root "png:$tmp/out.png"
kill \$!
SH
xvfb-run -a -s "-screen 0 1500x900x24" sh "$tmp/shoot" > /dev/null 2>&1
[ -s "$tmp/out.png" ] || { echo "heddle: GTKWave drew nothing" >&2; exit 2; }
cat "$tmp/out.png" > "$png"
