// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// The page of a sweep: a number of the reports over an axis, a line per combination of the other axes, and all points.
'use strict';

const {axes, options, rows, numbers} = data;
const varied = Object.keys(axes).filter(name => axes[name].length > 1);
const isNumeric = name => axes[name].every(v => v !== '' && isFinite(v));
const passed = rows.filter(row => row.verdict === 'PASS');
const state = {number: data.metric, axis: null, hidden: new Set()};
const SHAPES = [d3.symbolCircle, d3.symbolSquare, d3.symbolTriangle, d3.symbolDiamond, d3.symbolCross, d3.symbolStar,
  d3.symbolWye];
const shown = (value, name) => name === 'occupancy' && typeof value === 'number' ? percent(value) : number(value);
const unit = name => name === 'occupancy' ? ', mean of the SMXs' : /^wait_/.test(name.split('.').pop()) ? ', cycles' : '';
const told = row => [...Object.keys(axes).map(name => `${name} ${row[name]}`),
  ...numbers.filter(n => typeof row[n] === 'number').map(n => `${n}: ${shown(row[n], n)}`)].join('\n');

// Numeric axes first, then those with the most values, as --plot does.
const best = () => [...varied].sort((a, b) => isNumeric(b) - isNumeric(a) || axes[b].length - axes[a].length)[0];

function chart(parent) {
  const wide = 900, high = 400, box = {left: 100, right: 20, top: 12, bottom: 52};
  const node = element('div', undefined, parent, 'plot');
  node.style.cssText = `height: ${high}px; cursor: default`;
  const svg = d3.select(node).append('svg').attr('width', wide).attr('height', high).attr('id', 'chart')
    .style('pointer-events', 'all');
  const keys = element('div', undefined, parent, 'bar');
  keys.id = 'keys';

  function draw() {
    const others = varied.filter(name => name !== state.axis), numeric = isNumeric(state.axis);
    const points = passed.filter(row => typeof row[state.number] === 'number');
    const named = row => others.map(name => row[name]).join(' ');
    const lines = [...new Set(points.map(named))].map(key => ({key, values: points.filter(row => named(row) === key)}));
    const listed = numeric ? [...axes[state.axis]].sort((a, b) => a - b) : axes[state.axis];
    const spread = numeric && listed[0] > 0 && listed[listed.length - 1] / listed[0] >= 8;
    const range = [box.left + 20, wide - box.right - 20];
    const x = !numeric ? d3.scalePoint(listed, range).padding(0.3)
      : (spread ? d3.scaleLog() : d3.scaleLinear()).domain([+listed[0], +listed[listed.length - 1]]).range(range);
    const at = row => x(numeric ? +row[state.axis] : row[state.axis]);
    const y = d3.scaleLinear([0, d3.max(points, row => row[state.number]) || 1], [high - box.bottom, box.top]).nice();
    svg.selectAll('*').remove();
    svg.append('g').attr('transform', `translate(0,${high - box.bottom})`)
      .call((numeric ? d3.axisBottom(x).tickValues(listed.map(Number)) : d3.axisBottom(x))
        .tickFormat(numeric ? d3.format(',~f') : d => String(d).slice(-24)));
    svg.append('g').attr('transform', `translate(${box.left},0)`)
      .call(d3.axisLeft(y).ticks(7).tickFormat(state.number === 'occupancy' ? d3.format('.0%') : d3.format(',')))
      .call(g => g.selectAll('.tick line').clone().attr('x2', wide - box.left - box.right).attr('stroke-opacity', 0.25));
    svg.append('text').attr('x', (box.left + wide - box.right) / 2).attr('y', high - 10).attr('text-anchor', 'middle')
      .text(state.axis + (spread ? ' (logarithmic)' : ''));
    svg.append('text').attr('transform', `translate(16,${(high - box.bottom) / 2}) rotate(-90)`)
      .attr('text-anchor', 'middle').text(state.number + unit(state.number));
    keys.textContent = '';
    lines.forEach((line, k) => {
      const colour = COLOURS[k % 6], dash = ['', '6 3', '2 3'][Math.floor(k / 6) % 3], name = line.key || state.number;
      const label = element('label', undefined, keys, 'key'), tick = element('input', undefined, label);
      tick.type = 'checkbox';
      tick.checked = !state.hidden.has(line.key);
      tick.onchange = () => {
        tick.checked ? state.hidden.delete(line.key) : state.hidden.add(line.key);
        draw();
      };
      element('i', undefined, label).style.background = colour;
      element('span', name, label);
      if (state.hidden.has(line.key)) return;
      const values = [...line.values].sort((a, b) => at(a) - at(b));
      if (numeric) svg.append('path').attr('fill', 'none').attr('stroke', colour).attr('stroke-width', 2)
        .attr('stroke-dasharray', dash).attr('d', d3.line().x(at).y(row => y(row[state.number]))(values));
      svg.append('g').selectAll('path').data(values).enter().append('path').attr('class', 'point')
        .attr('d', d3.symbol().type(SHAPES[k % SHAPES.length]).size(70)).attr('fill', colour).attr('stroke', '#fff')
        .attr('transform', row => `translate(${at(row)},${y(row[state.number])})`)
        .each(function (row) {
          this.addEventListener('mousemove', event => hint(event, told(row)));
          this.addEventListener('mouseleave', event => hint(event, ''));
        });
    });
    document.body.dataset.ready = 'yes';
  }
  return draw;
}

function choice(place, id, text, names, done) {
  const label = element('label', text + ' ', place), select = element('select', undefined, label);
  select.id = id;
  for (const name of names) element('option', name, select).value = name;
  select.onchange = () => done(select.value);
  return select;
}

function main() {
  const head = document.getElementById('head'), place = document.getElementById('main');
  const fixed = Object.keys(axes).filter(name => axes[name].length === 1).map(name => `${name} ${axes[name][0]}`);
  document.title = `heddle sweep: ${varied.map(name => `${axes[name].length} of ${name}`).join(', ') || 'one point'}`;
  element('h1', document.title, head);
  element('p', [...fixed, ...options].join(' '), head);
  const failed = rows.length - passed.length, least = name => d3.min(passed, row => row[name]);
  facts(head, [['points', `${rows.length} of ${data.points}`], ['failed', String(failed), failed > 0],
    ...[...new Set(['cycles', data.metric])].filter(n => least(n) !== undefined)
      .map(n => [`least ${n}`, shown(least(n), n)])]);
  state.axis = best();
  if (state.axis && passed.length) {
    element('h2', 'Over an axis', place);
    const bar = element('div', undefined, place, 'bar');
    const draw = chart(place);
    choice(bar, 'number', 'number', numbers, v => {
      state.number = v;
      draw();
    }).value = state.number;
    choice(bar, 'axis', 'over', varied, v => {
      state.axis = v;
      state.hidden.clear();
      draw();
    }).value = state.axis;
    draw();
  }
  element('h2', 'Points', place);
  // Values of a numeric axis are converted to numbers, so that they sort as numbers.
  const all = rows.map(row => ({...row, ...Object.fromEntries(Object.keys(axes).filter(isNumeric)
    .map(name => [name, +row[name]]))}));
  const columns = [...varied, 'verdict', ...numbers, 'reason'].filter(k => all.some(row => row[k] !== null && row[k] !== ''));
  sortable(place, columns.map(k => ({key: k, head: k, text: v => shown(v, k),
    kind: row => k === 'verdict' && row.verdict !== 'PASS' ? 'bad' : ''})), all, {most: 1000}).id = 'points';
  licence();
  document.body.dataset.ready = 'yes';
}

main();
