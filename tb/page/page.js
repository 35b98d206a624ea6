// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// Shared by the pages of heddle: their data, numbers as text, sortable tables, the text next to the pointer.
'use strict';

// Seven colours that are distinguishable with red-green colour blindness (Okabe and Ito).
const COLOURS = ['#0072b2', '#e69f00', '#009e73', '#cc79a7', '#56b4e9', '#d55e00', '#f0e442'];

const data = JSON.parse(document.getElementById('data').textContent);

const element = (name, text, parent, kind) => {
  const made = document.createElement(name);
  if (text !== undefined) made.textContent = text;
  if (kind) made.className = kind;
  if (parent) parent.append(made);
  return made;
};

// Unpacks a column (engine/pack.h): base64, deflate, differences in seven bits per byte.
async function unpack(text, rows) {
  const binary = atob(text), bytes = new Uint8Array(binary.length), values = new Float64Array(rows);
  for (let k = 0; k < binary.length; k++) bytes[k] = binary.charCodeAt(k);
  const whole = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'));
  const from = new Uint8Array(await new Response(whole).arrayBuffer());
  let at = 0, last = 0;
  for (let row = 0; row < rows; row++) {
    let byte = from[at++], by = byte & 0x7f;
    for (let scale = 128; byte >= 0x80; scale *= 128) {
      byte = from[at++];
      by += (byte & 0x7f) * scale;
    }
    last += by % 2 ? -(by + 1) / 2 : by / 2;
    values[row] = last;
  }
  return values;
}

// Unpacks a table {columns, rows}: returns its columns by name, and rows.
async function unpackTable(table) {
  const names = Object.keys(table.columns);
  const columns = await Promise.all(names.map(name => unpack(table.columns[name], table.rows)));
  return Object.assign({rows: table.rows}, ...names.map((name, k) => ({[name]: columns[k]})));
}

const whole = d3.format(',');
function number(value) {
  if (value === null || value === undefined) return '-';
  if (typeof value !== 'number') return String(value);
  if (Number.isInteger(value)) return whole(value);
  return Math.abs(value) >= 10 ? d3.format(',.1f')(value) : d3.format('.4~g')(value);
}
const percent = d3.format('.1%');

// Shows lines of text next to the pointer; hides it for an empty text.
const tip = element('div', '', document.body);
tip.id = 'tip';
function hint(event, text) {
  tip.style.display = text ? 'block' : 'none';
  if (!text) return;
  tip.textContent = text;
  const right = event.clientX + tip.offsetWidth + 20 > innerWidth;
  const below = event.clientY + tip.offsetHeight + 20 > innerHeight;
  tip.style.left = `${Math.max(0, event.clientX + (right ? -tip.offsetWidth - 12 : 14))}px`;
  tip.style.top = `${Math.max(0, event.clientY + (below ? -tip.offsetHeight - 10 : 14))}px`;
}

// Makes a table that a click on a head sorts. columns: [{key, head, text(value)?}]; shows at most `most` rows, with a
// note if there are more; opened(row): called for a click on a row. The first click on a head sorts numbers in
// descending order, words in ascending order.
function sortable(parent, columns, rows, {most = 100, by, opened} = {}) {
  if (!rows.length) return element('p', 'none', parent);
  const place = element('div', undefined, parent, 'wide'), table = element('table', undefined, place);
  const head = element('tr', undefined, element('thead', undefined, table)), body = element('tbody', undefined, table);
  const isNumber = columns.map(c => rows.some(row => typeof row[c.key] === 'number'));
  const note = element('p', '', parent);
  function show(k, order) {
    const {key} = columns[k], sign = order === 'up' ? 1 : -1, none = v => v === null || v === undefined;
    const sorted = [...rows].sort((a, b) => none(a[key]) || none(b[key]) ? none(a[key]) - none(b[key])
      : sign * (isNumber[k] ? a[key] - b[key] : d3.ascending(String(a[key]), String(b[key]))));
    body.textContent = '';
    for (const row of sorted.slice(0, most)) {
      const line = element('tr', undefined, body);
      columns.forEach((c, j) => {
        const cell = element('td', (c.text || number)(row[c.key], row), line, isNumber[j] ? 'n' : '');
        if (c.kind) cell.className += ` ${c.kind(row)}`;
      });
      if (opened) line.onclick = () => opened(row);
    }
    [...head.children].forEach((th, j) => j === k ? th.dataset.order = order : delete th.dataset.order);
    note.textContent = rows.length > most ? `The first ${whole(most)} of ${whole(rows.length)} in this order.` : '';
  }
  columns.forEach((c, k) => {
    const th = element('th', c.head, head, isNumber[k] ? 'n' : '');
    th.dataset.by = c.key;
    th.onclick = () => show(k, th.dataset.order ? (th.dataset.order === 'up' ? 'down' : 'up')
      : isNumber[k] ? 'down' : 'up');
  });
  if (by) show(columns.findIndex(c => c.key === by), 'down');
  else show(0, 'up');
  return table;
}

// Shows values in large type: [[label, value, true if bad], ..].
function facts(parent, list) {
  const place = element('div', undefined, parent, 'facts');
  for (const [what, value, bad] of list) {
    const one = element('div', undefined, place);
    element('b', value, one, bad ? 'bad' : '');
    element('span', what, one);
  }
}

// Adds a legend entry: a patch of colour, or a CSS gradient.
function key(parent, colour, text, scale) {
  const one = element('span', undefined, parent, 'key');
  element('i', undefined, one, scale ? 'scale' : '').style.background = colour;
  element('span', text, one);
}

// Adds the licence of the library at the end of the page.
function licence() {
  const place = element('details', undefined, document.body);
  element('summary', 'This page contains D3 (https://d3js.org); its licence', place);
  element('pre', document.getElementById('licence').textContent.trim(), place);
}
