// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// The page of a run: numbers, SMXs over time, tables, waits of the launches, the report.
'use strict';

const state = {by: '', smx: -1, launch: undefined, colours: null};
const BACK = 0xffffffff, GREY = 0xffe4e4e4; // pixels of a canvas: alpha, blue, green, red
const pixel = text => {
  const c = d3.rgb(text);
  return (0xff000000 | c.b << 16 | c.g << 8 | c.r) >>> 0;
};

// ---- colours of TBs

const WAYS = {
  launch: 'launch', name: 'name of the kernel', kind: 'kind of launch', wait: 'waiting time',
};
const waitScale = () => d3.scaleLog([1, Math.max(10, d3.max(launches.wait) || 10)], [0, 1]).clamp(true);

function colourTbs() {
  const place = document.getElementById('keys'), palette = COLOURS.map(pixel), of = new Uint32Array(tbs.rows);
  place.textContent = '';
  if (state.by === 'kind') {
    KIND.forEach((kind, k) => launches.kind.includes(k) && key(place, KIND_COLOUR[k],
      kind === 'host' ? 'kernels of the host' : kind === 'kernel' ? 'kernels that TBs launched' : 'groups'));
    for (let k = 0; k < tbs.rows; k++) of[k] = palette[tbs.child[k] ? launches.kind[launchRow(k)] || 0 : 0];
  } else if (state.by === 'wait') {
    const scale = waitScale(), steps = d3.range(64).map(k => pixel(d3.interpolateCividis(k / 63)));
    key(place, `linear-gradient(to right, ${d3.range(9).map(k => d3.interpolateCividis(k / 8)).join()})`,
      `waited 1 to ${whole(Math.round(scale.domain()[1]))} cycles (logarithmic)`, true);
    for (let k = 0; k < tbs.rows; k++)
      of[k] = steps[Math.round(63 * scale(Math.max(1, tbs.dispatched[k] - tbs.queued[k])))];
  } else if (state.by === 'name') {
    const names = [...new Set(data.names)].slice(0, 200), at = new Map(names.map((name, k) => [name, k]));
    names.slice(0, 7).forEach((name, k) => key(place, COLOURS[k], name));
    for (let k = 0; k < tbs.rows; k++) of[k] = palette[(at.get(data.names[tbs.kernel[k]]) || 0) % 7];
  } else {
    element('span', 'TBs of one launch have one of seven colours', place);
    for (let k = 0; k < tbs.rows; k++) of[k] = palette[(tbs.child[k] || tbs.kernel[k]) % 7];
  }
  if (state.launch !== undefined) {
    const kernel = launches.kernel[state.launch], child = launches.child[state.launch];
    for (let k = 0; k < tbs.rows; k++)
      if (tbs.child[k] !== child || (!child && tbs.kernel[k] !== kernel)) of[k] = GREY;
    element('b', `${tellLaunch(state.launch).split('\n')[0]} only; Escape shows all`, place);
  }
  state.colours = of;
}

function choose(launch) {
  state.launch = launch;
  colourTbs();
  frame.draw();
}

// ---- the SMXs over time

function shownSmxs() {
  return state.smx < 0 ? d3.range(plane.smxs) : [state.smx];
}

function smxPlot() {
  const high = Math.min(560, Math.max(160, plane.smxs * plane.slots * 3));
  const p = frame.add(high, [], {ticks: true, zooms: true});
  const bands = () => d3.scaleBand(shownSmxs(), [0, high]).paddingInner(plane.smxs > 60 ? 0.1 : 0.08);
  const laneAt = y => {
    const band = bands(), smx = shownSmxs()[Math.floor(y / band.step())];
    const slot = Math.floor((y - band(smx)) / band.bandwidth() * plane.slots);
    return smx === undefined || slot >= plane.slots || slot < 0 ? -1 : smx * plane.slots + slot;
  };

  // Paints a lane as a row of pixels. If TBs share a pixel, the first one determines its colour.
  function paintLane(lane, row, from, perCycle) {
    const end = laneStart[lane + 1], last = from + row.length / perCycle;
    row.fill(BACK);
    for (let i = firstBehind(from, laneStart[lane], end); i < end; ) {
      if (laneFrom[i] >= last) break;
      const a = Math.max(0, Math.floor((laneFrom[i] - from) * perCycle));
      const b = Math.min(row.length, Math.max(a + 1, Math.floor((laneTo[i] - from) * perCycle)));
      row.fill(state.colours[laneTbs[i]], a, b - a > 3 ? b - 1 : b);
      i = b - a > 1 ? i + 1 : Math.max(i + 1, firstBehind(from + (a + 1) / perCycle, i + 1, end));
    }
  }

  p.draw = () => {
    const wide = p.canvas.width, tall = p.canvas.height, band = bands(), [from, to] = frame.range();
    const image = p.context.createImageData(wide, tall), pixels = new Uint32Array(image.data.buffer);
    const row = new Uint32Array(wide), lane = band.bandwidth() / plane.slots * p.scale;
    pixels.fill(0xfff2f2f2);
    for (const smx of shownSmxs()) {
      const top = Math.round(band(smx) * p.scale), bottom = Math.round((band(smx) + band.bandwidth()) * p.scale);
      let painted = -1;
      for (let y = top; y < bottom; y++) {
        const slot = Math.min(plane.slots - 1, Math.floor((y - top) / lane));
        if (lane >= 5 && slot < plane.slots - 1 && Math.floor((y + 1 - top) / lane) !== slot) {
          pixels.fill(BACK, y * wide, (y + 1) * wide);
          continue;
        }
        if (slot !== painted) paintLane(smx * plane.slots + slot, row, from, wide / (to - from));
        painted = slot;
        pixels.set(row, y * wide);
      }
    }
    p.context.putImageData(image, 0, 0);
    frame.axis(p);
    const every = Math.ceil(13 / band.step()), labels = shownSmxs().filter((_, k) => k % every === 0);
    const ticks = p.y.selectAll('text').data(labels, d => d);
    ticks.exit().remove();
    ticks.enter().append('text').attr('class', 'smx').attr('x', -8).attr('text-anchor', 'end').text(d => `SMX ${d}`)
      .on('click', (a, b) => {
        const smx = d3.event ? a : b;
        view(state.smx < 0 ? smx : -1);
      })
      .merge(ticks).attr('y', d => band(d) + band.bandwidth() / 2 + 4);
  };

  const tbAt = (x, y) => {
    const lane = laneAt(y);
    if (lane < 0) return -1;
    const cycle = frame.x.invert(x), near = 3 / (frame.wide / (frame.range()[1] - frame.range()[0]));
    const first = laneStart[lane], end = laneStart[lane + 1], i = firstBehind(cycle, first, end);
    // The TB that runs in that cycle, otherwise the nearer of its neighbours.
    const after = i < end ? laneFrom[i] - cycle : Infinity;
    const before = i > first ? cycle - laneTo[i - 1] : Infinity;
    return Math.min(after, before) > near ? -1 : laneTbs[after <= before ? i : i - 1];
  };
  p.tell = (x, y) => {
    const k = tbAt(x, y);
    return k < 0 ? '' : tellTb(k);
  };
  p.pick = (x, y) => {
    const k = tbAt(x, y);
    choose(k < 0 ? undefined : launchRow(k));
  };
}

function view(smx) {
  state.smx = smx;
  document.getElementById('smx').value = smx;
  frame.draw();
}

// ---- resident warps and waiting TBs over time

function curve(title, colour, top, text, sum) {
  const p = frame.add(64, title), y = d3.scaleLinear([0, 1], [64, 4]);
  let values = [];
  p.draw = () => {
    const columns = new Columns();
    sum(columns);
    values = columns.means();
    y.domain([0, top || Math.max(1, d3.max(values))]);
    frame.area(p, values, y, colour);
    p.y.call(d3.axisLeft(y).ticks(3).tickFormat(text));
  };
  p.tell = x => {
    const v = values[Math.min(values.length - 1, Math.floor(x - LEFT))];
    return `cycle ${whole(Math.round(frame.x.invert(x)))}: ${text === percent ? percent(v) : number(+v.toFixed(1))}`;
  };
  return p;
}

function curves() {
  const all = plane.smxs * plane.warps;
  curve(['resident warps', 'share of warp slots'], COLOURS[0], 1, d3.format('.0%'), columns => {
    const one = state.smx < 0 ? 1 / all : 1 / plane.warps;
    for (let k = 0; k < tbs.rows; k++)
      if (state.smx < 0 || tbs.smx[k] === state.smx) columns.add(tbs.dispatched[k], tbs.done[k], one * tbs.warps[k]);
  });
  const p = curve(['waiting TBs', 'launched, not on an SMX'], COLOURS[1], 0, number, columns => {
    for (let k = 0; k < tbs.rows; k++) columns.add(tbs.queued[k], tbs.dispatched[k], 1);
  });
  p.node.style.marginBottom = '8px';
}

// ---- SMXs that run warps: activity in intervals of the series

function seriesCurve(last, title, colour, top, text, share) {
  const {every} = data.series, p = frame.add(56, title, {ticks: last}), y = d3.scaleLinear([0, 1], [56, 4]);
  let values = [];
  p.draw = () => {
    values = new Float64Array(frame.wide);
    for (let x = 0; x < frame.wide; x++) {
      const from = frame.x.invert(LEFT + x), to = frame.x.invert(LEFT + x + 1);
      const first = Math.max(0, Math.floor(from / every));
      values[x] = share(first, Math.min(series.rows, Math.max(first + 1, Math.ceil(to / every))));
    }
    y.domain([0, top || d3.max(values) || 1]);
    frame.area(p, values, y, colour);
    p.y.call(d3.axisLeft(y).ticks(3).tickFormat(text));
    frame.axis(p);
  };
  p.tell = x => `cycle ${whole(Math.round(frame.x.invert(x)))}: ${
    text === number ? number(+values[Math.min(values.length - 1, Math.floor(x - LEFT))].toFixed(3))
      : percent(values[Math.min(values.length - 1, Math.floor(x - LEFT))])}`;
}

function warps() {
  const {every} = data.series, line = 128, sum = (names, first, end) => {
    let of = 0;
    for (const name of names) for (let k = first; k < end; k++) of += series[name][k];
    return of;
  };
  const part = (of, all) => (first, end) => sum(of, first, end) / (sum(all, first, end) || 1);
  const rate = (of, scale) => (first, end) => end > first ? scale * sum(of, first, end) / ((end - first) * every) : 0;
  element('h2', 'Warps and their memory', frame.node);
  element('p', `Each value covers ${whole(every)} cycles (--series-every).`, frame.node);
  seriesCurve(false, ['instructions of warps', 'per cycle, all SMXs'], COLOURS[0], 0, number,
    rate(['instructions'], 1));
  seriesCurve(false, ['hits of the L1s', 'share of all loaded lines'], COLOURS[2], 1, d3.format('.0%'),
    part(['l1_hits'], ['load_lines']));
  seriesCurve(false, ['hits of the L2', 'share of requested lines'], COLOURS[2], 1, d3.format('.0%'),
    part(['l2_hits'], ['l2_loads']));
  seriesCurve(true, ['bytes of DRAM', 'per cycle, read and written'], COLOURS[1], 0, number,
    rate(['dram_reads', 'dram_writes'], line));
}

// ---- tables and queues

function fills() {
  const {every, samples, tables} = data.fills, used = tables.filter(t => t.most > 0);
  for (const [k, t] of used.entries()) {
    const share = t.of ? `${whole(t.most)} of ${whole(t.of)} at most` : `${whole(t.most)} at most`;
    const p = frame.add(44, [t.what, `${t.block}: ${share}`], {ticks: k === used.length - 1});
    const y = d3.scaleLinear([0, t.most], [44, 3]), full = t.of && t.most >= t.of;
    const at = cycle => t.samples[Math.max(0, Math.min(samples - 1, Math.floor(cycle / every)))];
    p.draw = () => {
      const values = new Float64Array(frame.wide);
      for (let x = 0; x < frame.wide; x++) {
        const from = frame.x.invert(LEFT + x), to = frame.x.invert(LEFT + x + 1);
        let most = at(from);
        for (let s = Math.floor(from / every) + 1; s * every < to && s < samples; s++) most = Math.max(most, t.samples[s]);
        values[x] = most;
      }
      frame.area(p, values, y, full ? COLOURS[5] : COLOURS[2]);
      p.y.call(d3.axisRight(y).tickValues([]).tickSize(0));
      frame.axis(p);
    };
    p.tell = x => `cycle ${whole(Math.round(frame.x.invert(x)))}: ${whole(at(frame.x.invert(x)))} ${t.what}`;
    if (full) p.titles[1].style('fill', '#a00');
  }
  const empty = tables.filter(t => t.most === 0).map(t => `${t.what} (${t.block})`);
  const kept = every > 1 ? `Each value is the maximum over ${whole(every)} cycles. ` : '';
  return `The top of each plot is its maximum. ${kept}${used.some(t => t.of && t.most >= t.of) ? 'Vermilion: full at times. '
    : ''}${empty.length ? `Always empty: ${empty.join(', ')}.` : ''}`;
}

// ---- the launches

function waits() {
  const p = frame.add(220, ['wait for the first TB', 'of a launch, in cycles'], {ticks: true});
  const most = d3.max(launches.wait) || 1, y = d3.scaleSymlog([0, most], [214, 6]).constant(10);
  const ticks = [0, 10, 100, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9].filter(t => t <= most);
  p.titles.forEach((t, k) => t.attr('y', 14 + 15 * k));
  p.draw = () => {
    const c = frame.clear(p), [from, to] = frame.range();
    for (let k = 0; k < launches.rows; k++) {
      if (launches.queued[k] < from || launches.queued[k] > to) continue;
      c.globalAlpha = state.launch === undefined ? 0.6 : state.launch === k ? 1 : 0.12;
      c.fillStyle = KIND_COLOUR[launches.kind[k]];
      c.beginPath();
      c.arc(frame.x(launches.queued[k]) - LEFT, y(launches.wait[k]), state.launch === k ? 5 : 3, 0, 7);
      c.fill();
    }
    c.globalAlpha = 1;
    p.y.call(d3.axisLeft(y).tickValues(ticks).tickFormat(whole));
    frame.axis(p);
  };
  const near = (x, at) => {
    let best = -1, least = 64;
    for (let k = 0; k < launches.rows; k++) {
      const by = (frame.x(launches.queued[k]) - x) ** 2 + (y(launches.wait[k]) - at) ** 2;
      if (by < least) [best, least] = [k, by];
    }
    return best;
  };
  p.tell = (x, at) => near(x, at) < 0 ? '' : tellLaunch(near(x, at));
  p.pick = (x, at) => choose(near(x, at) < 0 ? undefined : near(x, at));
}

function launchTable(parent) {
  const rows = d3.range(launches.rows).map(k => ({
    row: k, kind: KIND[launches.kind[k]], kernel: launches.kernel[k], child: launches.child[k] || null,
    stream: launches.stream[k], queued: launches.queued[k], wait: launches.wait[k],
    dispatched: launches.begun[k] ? launches.dispatched[k] : null,
    done: launches.ended[k] === launches.ctas[k] ? launches.done[k] : null, smxs: launches.smxs[k],
    ctas: launches.ctas[k], name: data.names[launches.kernel[k]],
  }));
  const heads = {kind: 'launched as', kernel: 'kernel', child: 'child', stream: 'stream', queued: 'launch', wait: 'wait',
    dispatched: 'first TB', done: 'end', smxs: 'SMXs', ctas: 'TBs', name: 'name'};
  const columns = Object.entries(heads).map(([k, head]) => ({key: k, head}))
    .filter(c => rows.some(row => row[c.key] !== null && row[c.key] !== undefined));
  sortable(parent, columns, rows, {by: 'wait', most: 30, opened: row => {
    choose(row.row);
    if (row.dispatched === null) return;
    const end = row.done === null ? report.cycles : row.done, room = (end - row.dispatched) / 4 + 10;
    frame.show(Math.max(0, row.dispatched - room), Math.min(report.cycles, end + room));
    frame.node.scrollIntoView();
  }}).id = 'launches';
}

// ---- the report

const plain = value => value === null || typeof value !== 'object';

function card(parent, title, object) {
  const rows = Object.entries(object).filter(([, value]) => plain(value));
  if (!rows.length) return;
  const table = element('table', undefined, parent);
  element('caption', title, table);
  for (const [name, value] of rows) {
    const line = element('tr', undefined, table);
    element('td', name, line);
    element('td', name === 'seed' || name === 'version' ? String(value) : number(value), line,
      typeof value === 'number' ? 'n' : '');
  }
}

function cards(parent, title, object) {
  card(parent, title, object);
  for (const [name, value] of Object.entries(object))
    if (!plain(value) && !Array.isArray(value)) cards(parent, title === 'run' ? name : `${title}.${name}`, value);
}

function lists(parent, title, object) {
  for (const [name, value] of Object.entries(object)) {
    if (plain(value)) continue;
    const full = title ? `${title}.${name}` : name;
    if (!Array.isArray(value)) lists(parent, full, value);
    else if (value.length && name !== 'longest') {
      const rows = value.map((v, k) => plain(v) ? {[name === 'occupancy' ? 'SMX' : 'number']: k, [name]: v} : v);
      element('p', full, parent).style.fontWeight = 'bold';
      const keys = [...new Set(rows.flatMap(Object.keys))];
      sortable(parent, keys.map(k => ({key: k, head: k})), rows, {most: 40});
    }
  }
}

// ---- the page

function head() {
  const place = document.getElementById('head'), mean = d3.mean(report.occupancy);
  document.title = `heddle run: ${report.workload} on ${report.input}`;
  element('h1', document.title, place);
  element('p', `plane ${report.config}, launch ${report.launch}, policy ${report.policy}, engine ${report.engine}, `
    + `seed ${report.seed}`, place);
  if (report.reason) element('p', report.reason, place, 'bad');
  facts(place, [['verdict', report.verdict, report.verdict !== 'PASS'], ['cycles', number(report.cycles)],
    ['kernels of the host', number(report.kernels)], ['TBs', number(report.ctas)],
    ['TBs per cycle', number(report.ctas_per_cycle)], ['mean wait of a TB, cycles', number(report.wait_mean)],
    ['largest wait, cycles', number(report.wait_max)], ['mean occupancy', percent(mean)]]);
}

function bar(parent) {
  const place = element('div', undefined, parent, 'bar');
  const button = (text, done) => { element('button', text, place).onclick = done; };
  element('span', '', place, 'range').id = 'range';
  button('whole run', () => frame.show(0, frame.whole.domain()[1]));
  button('+', () => frame.scaleBy(2));
  button('\u2212', () => frame.scaleBy(0.5));
  const choice = (id, text, options, done) => {
    const label = element('label', text + ' ', place), select = element('select', undefined, label);
    select.id = id;
    for (const [value, shown] of options) element('option', shown, select).value = value;
    select.onchange = () => done(select.value);
  };
  choice('smx', 'show', [[-1, 'all SMXs'], ...d3.range(plane.smxs).map(k => [k, `SMX ${k}`])], v => view(+v));
  const ways = Object.keys(WAYS).filter(w => (w !== 'name' || data.names.length)
    && (w !== 'kind' || new Set(launches.kind).size > 1));
  state.by = ['name', 'kind', 'launch'].find(w => ways.includes(w));
  choice('by', 'colours by', ways.map(w => [w, WAYS[w]]), v => {
    state.by = v;
    colourTbs();
    frame.draw();
  });
  document.getElementById('by').value = state.by;
  element('div', undefined, parent, 'bar').id = 'keys';
}

async function main() {
  const place = document.getElementById('main');
  head();
  await load();
  element('h2', 'SMXs over time', place);
  element('p', 'Rows are TB slots. The wheel and double clicks zoom, dragging moves. A click on a TB or on a launch '
    + 'shows only that launch; a click on the name of an SMX shows only that SMX.', place);
  bar(place);
  frame.make(place, report.cycles);
  smxPlot();
  curves();
  if (data.series && series.rows) warps();
  element('h2', 'Tables and queues', frame.node);
  const note = element('p', '', frame.node);
  note.textContent = fills();
  element('h2', 'Launches', frame.node);
  const keys = element('div', undefined, frame.node, 'bar');
  KIND.forEach((kind, k) => launches.kind.includes(k) && key(keys, KIND_COLOUR[k], `launched as ${kind}`));
  waits();
  launchTable(place);
  element('h2', 'Report', place);
  cards(element('div', undefined, place, 'cards'), 'run', report);
  lists(place, '', report);
  licence();
  addEventListener('keydown', event => event.key === 'Escape' && choose(undefined));
  colourTbs();
  frame.draw();
  requestAnimationFrame(() => { document.body.dataset.ready = Math.round(performance.now()); });
}

main().catch(e => {
  element('p', `This page cannot be shown: ${e.message}`, document.getElementById('main'), 'bad');
  throw e;
});
