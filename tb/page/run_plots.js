// SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
// Plots over the cycles of a run. All share one range of cycles, which wheel, dragging and double clicks change.
'use strict';

const LEFT = 236, RIGHT = 16;
const frame = {
  plots: [], node: null, wide: 0, whole: null, x: null, zoom: null, pending: false,

  make(parent, cycles) {
    this.node = element('div', undefined, parent);
    this.node.id = 'plots';
    this.wide = Math.max(300, this.node.clientWidth - LEFT - RIGHT);
    this.whole = this.x = d3.scaleLinear([0, Math.max(1, cycles)], [LEFT, LEFT + this.wide]);
    this.zoom = d3.zoom().scaleExtent([1, Math.max(1, cycles / 20)])
      .extent([[LEFT, 0], [LEFT + this.wide, 1]]).translateExtent([[LEFT, 0], [LEFT + this.wide, 1]])
      .filter(given => {
        const event = d3.event || given;
        return !event.button && (event.type !== 'wheel' || event.ctrlKey || event.target.closest('.zooms'));
      })
      .on('zoom', given => {
        this.x = (d3.event || given).transform.rescaleX(this.whole);
        this.draw();
      });
    d3.select(this.node).call(this.zoom);
    this.node.addEventListener('mousemove', event => this.point(event));
    this.node.addEventListener('mouseleave', () => {
      for (const p of this.plots) p.cursor.style.display = 'none';
    });
  },

  // Zooms to these cycles.
  show(from, to) {
    const k = this.wide / (this.whole(to) - this.whole(from));
    d3.select(this.node).call(this.zoom.transform,
      d3.zoomIdentity.translate(LEFT, 0).scale(k).translate(-this.whole(from), 0));
  },
  scaleBy(k) {
    d3.select(this.node).call(this.zoom.scaleBy, k);
  },
  range() {
    return this.x.domain();
  },

  // Draws once before the next frame, however often it is called.
  draw() {
    if (this.pending) return;
    this.pending = true;
    requestAnimationFrame(() => {
      this.pending = false;
      const begun = performance.now();
      for (const p of this.plots) p.draw();
      this.took = performance.now() - begun;
      document.getElementById('range').textContent =
        `cycles ${whole(Math.round(this.range()[0]))} to ${whole(Math.round(this.range()[1]))}`;
    });
  },

  point(event) {
    const x = event.clientX - this.node.getBoundingClientRect().left;
    const inside = x >= LEFT && x <= LEFT + this.wide;
    for (const p of this.plots) {
      p.cursor.style.display = inside ? 'block' : 'none';
      p.cursor.style.left = `${x}px`;
    }
  },

  // Adds a plot of that height: {node, canvas, svg, y (a group for its axis)}. The caller adds draw(), and tell(x, y)
  // and pick(x, y) for the element under the pointer.
  add(high, title, {ticks = false, zooms = false} = {}) {
    const below = ticks ? 36 : 0, node = element('div', undefined, this.node, zooms ? 'plot zooms' : 'plot');
    const p = {node, high, ticks, canvas: element('canvas', undefined, node)};
    node.style.height = `${high + below + 4}px`;
    p.scale = window.devicePixelRatio || 1;
    p.canvas.width = Math.round(this.wide * p.scale);
    p.canvas.height = Math.round(high * p.scale);
    Object.assign(p.canvas.style, {left: `${LEFT}px`, width: `${this.wide}px`, height: `${high}px`});
    p.context = p.canvas.getContext('2d');
    p.svg = d3.select(node).append('svg').attr('width', LEFT + this.wide + RIGHT).attr('height', high + below);
    p.svg.append('rect').attr('x', LEFT - 0.5).attr('y', 0.5).attr('width', this.wide + 1).attr('height', high)
      .attr('fill', 'none').attr('stroke', '#999');
    p.y = p.svg.append('g').attr('transform', `translate(${LEFT},0)`);
    p.titles = [].concat(title).map((text, k) =>
      p.svg.append('text').attr('y', high / 2 + 4 + 15 * (k - ([].concat(title).length - 1) / 2)).text(text)
        .attr('class', k ? 'quiet' : ''));
    if (ticks) {
      p.x = p.svg.append('g').attr('transform', `translate(0,${high + 1})`);
      p.svg.append('text').attr('x', LEFT + this.wide).attr('y', high + 33).attr('text-anchor', 'end').text('cycle');
    }
    p.cursor = element('div', undefined, node, 'cursor');
    node.addEventListener('mousemove', event => {
      const at = node.getBoundingClientRect(), x = event.clientX - at.left, y = event.clientY - at.top;
      const inside = x >= LEFT && x <= LEFT + this.wide && y >= 0 && y < high;
      hint(event, inside && p.tell ? p.tell(x, y) : '');
    });
    node.addEventListener('mouseleave', event => hint(event, ''));
    node.addEventListener('click', event => {
      const at = node.getBoundingClientRect();
      if (p.pick && !event.defaultPrevented && event.target === p.canvas)
        p.pick(event.clientX - at.left, event.clientY - at.top);
    });
    this.plots.push(p);
    return p;
  },

  axis(p) {
    if (p.ticks) p.x.call(d3.axisBottom(this.x).ticks(8).tickFormat(d3.format(',~f')));
  },

  clear(p) {
    const c = p.context;
    c.setTransform(p.scale, 0, 0, p.scale, 0, 0);
    c.clearRect(0, 0, this.wide, p.high);
    return c;
  },

  // Draws an area with one value per column of pixels.
  area(p, values, y, colour) {
    const c = this.clear(p), line = d3.area().x((_, k) => k).y0(p.high).y1(v => y(v)).curve(d3.curveStepAfter);
    c.fillStyle = colour;
    c.beginPath();
    line.context(c)([...values, values[values.length - 1]]);
    c.fill();
  },
};

// Sums, per column of pixels, the weights of intervals of cycles, each times the share of the column that it covers.
class Columns {
  constructor() {
    const [from, to] = frame.range();
    this.n = frame.wide;
    this.from = from;
    this.perCycle = this.n / (to - from);
    this.slope = new Float64Array(this.n + 2);
    this.part = new Float64Array(this.n + 2);
  }

  add(from, to, weight) {
    const a = Math.max(0, (from - this.from) * this.perCycle), b = Math.min(this.n, (to - this.from) * this.perCycle);
    if (b <= a) return;
    const i = Math.floor(a), j = Math.floor(b);
    // Adds whole columns from i on, minus the part of column i before a; from j on the reverse.
    this.slope[i] += weight;
    this.part[i] -= weight * (a - i);
    this.slope[j] -= weight;
    this.part[j] += weight * (b - j);
  }

  // Returns the mean of each column.
  means() {
    const out = new Float64Array(this.n);
    let sum = 0;
    for (let k = 0; k < this.n; k++) {
      sum += this.slope[k];
      out[k] = sum + this.part[k];
    }
    return out;
  }
}
