// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// The data of a run: its TBs by lane (a slot of an SMX), its launches, and the texts about each.
'use strict';

const {report, plane} = data;
const lanes = plane.smxs * plane.slots;
const KIND = ['host', 'kernel', 'group'];
const KIND_COLOUR = [COLOURS[0], COLOURS[1], COLOURS[2]];
let tbs, launches, series; // series: of SMXs that run warps
let laneStart, laneTbs, laneFrom, laneTo; // the last three by position in a lane: TB, begin, end
const launchOf = new Map(); // by kernel, or child as a negative number

const launchKey = (kernel, child) => child ? -child : kernel;
const launchRow = tb => launchOf.get(launchKey(tbs.kernel[tb], tbs.child[tb]));

async function load() {
  [tbs, launches] = await Promise.all([unpackTable(data.tbs), unpackTable(data.launches)]);
  if (data.series) series = await unpackTable(data.series);
  for (const fill of data.fills.tables) fill.samples = await unpack(fill.column, data.fills.samples);
  for (let k = 0; k < launches.rows; k++) launchOf.set(launchKey(launches.kernel[k], launches.child[k]), k);
  // TBs are in the order in which they end; within a lane that is also the order in which they begin.
  laneStart = new Uint32Array(lanes + 1);
  laneTbs = new Uint32Array(tbs.rows);
  for (let k = 0; k < tbs.rows; k++) laneStart[tbs.smx[k] * plane.slots + tbs.slot[k] + 1]++;
  for (let k = 0; k < lanes; k++) laneStart[k + 1] += laneStart[k];
  const next = laneStart.slice(0, lanes);
  for (let k = 0; k < tbs.rows; k++) laneTbs[next[tbs.smx[k] * plane.slots + tbs.slot[k]]++] = k;
  laneFrom = new Float64Array(tbs.rows);
  laneTo = new Float64Array(tbs.rows);
  for (let k = 0; k < tbs.rows; k++) {
    laneFrom[k] = tbs.dispatched[laneTbs[k]];
    laneTo[k] = tbs.done[laneTbs[k]];
  }
}

// Returns the first position of a lane, from `from` on, whose TB ends after `cycle`; searches near `from` first.
function firstBehind(cycle, from, end) {
  let step = 1;
  while (from + step < end && laneTo[from + step] <= cycle) step *= 2;
  let low = step > 1 ? from + step / 2 : from, high = Math.min(end, from + step + 1);
  while (low < high) {
    const middle = (low + high) >> 1;
    if (laneTo[middle] > cycle) high = middle;
    else low = middle + 1;
  }
  return low;
}

function launchText(kind, kernel, child) {
  const name = data.names[kernel] ? ` (${data.names[kernel]})` : '';
  if (!child) return `kernel ${kernel}${name}`;
  return `child ${child} (${kind === 2 ? 'group' : 'kernel'}) of kernel ${kernel}${name}`;
}

function streamText(row) {
  const stream = launches.stream[row];
  return launches.kind[row] === 0 ? `HWQ ${stream}` : launches.kind[row] === 2 ? 'group'
    : stream ? `device stream ${stream}` : 'no stream';
}

function tellTb(k) {
  const row = launchRow(k), kind = row === undefined ? 0 : launches.kind[row];
  const wait = tbs.dispatched[k] - tbs.queued[k];
  return [`TB ${tbs.id[k]} of ${launchText(kind, tbs.kernel[k], tbs.child[k])}`,
    `SMX ${tbs.smx[k]}, slot ${tbs.slot[k]}, ${tbs.warps[k]} warps`,
    `launched in cycle ${whole(tbs.queued[k])}${row === undefined ? '' : `, ${streamText(row)}`}`,
    `waited ${whole(wait)} cycles`,
    `ran ${whole(tbs.done[k] - tbs.dispatched[k])} cycles, ${whole(tbs.dispatched[k])} to ${whole(tbs.done[k])}`,
  ].join('\n');
}

function tellLaunch(row) {
  const begun = launches.begun[row] > 0, over = launches.ended[row] === launches.ctas[row];
  return [launchText(launches.kind[row], launches.kernel[row], launches.child[row]),
    `launched in cycle ${whole(launches.queued[row])}, ${streamText(row)}`,
    `waited ${whole(launches.wait[row])} cycles for its first TB`,
    `first TB ${begun ? whole(launches.dispatched[row]) : '-'}, end ${over ? whole(launches.done[row]) : '-'}`,
    `${whole(launches.ctas[row])} TBs on ${launches.smxs[row]} SMXs`].join('\n');
}
