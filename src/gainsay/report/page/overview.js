// The whole execution in one strip above the diagram: operations of clients as bars, monitors hot, warm or cold, faults,
// times of cuts, and which part the diagram shows. A click goes there.
import { element, shape, shortened } from './dom.js';

const rowHeight = 15;
const labelsMax = 24; // characters

export class Overview {
  constructor(at, model, diagram, chosen) {
    this.model = model;
    this.diagram = diagram;
    this.svg = shape('svg', { class: 'overview', role: 'img', 'aria-label': this.words() });
    this.root = element('div', { class: 'overview-box' }, this.svg);
    at.append(this.root);
    this.svg.addEventListener('click', (event) => {
      const x = event.clientX - this.svg.getBoundingClientRect().left;
      const step = Math.floor((x - this.left) / this.unit);
      if (step >= 0 && step < model.steps.length) chosen(step);
    });
    diagram.box.addEventListener('scroll', () => this.showWindow());
    new ResizeObserver(() => this.draw()).observe(this.root);
    this.draw();
  }

  words() {
    const faults = this.model.steps.filter((step) => step.fault).length;
    return 'The whole execution: ' + this.model.steps.length + ' steps, ' + faults + ' faults, ' +
      (this.model.operations || []).length + ' operations of clients';
  }

  // Operations of one process that overlap get rows of their own.
  operationRows() {
    const rows = [];
    for (const operation of this.model.operations || []) {
      const end = operation.end < 0 ? Infinity : operation.end;
      let row = rows.find((each) => each.process === operation.process && each.end <= operation.begin);
      if (!row) rows.push(row = { process: operation.process, list: [], end: 0 });
      row.list.push(operation);
      row.end = end;
    }
    rows.sort((a, b) => a.process.localeCompare(b.process, undefined, { numeric: true }));
    return rows;
  }

  draw() {
    const count = Math.max(1, this.model.steps.length);
    const operations = this.operationRows().slice(0, 12);
    const names = [...operations.map((row) => row.process), ...this.model.monitors, 'faults', 'steps'];
    this.left = 16 + 7 * Math.min(labelsMax, Math.max(...names.map((name) => name.length)));
    this.width = Math.max(300, this.root.clientWidth - 8);
    this.unit = (this.width - this.left - 6) / count;
    const rows = [];
    for (const row of operations) rows.push([row.process, (y, out) => this.drawOperations(row, y, out)]);
    this.model.monitors.forEach((name, monitor) =>
      rows.push([name, (y, out) => this.drawHeat(monitor, y, out)]));
    if (this.model.steps.some((step) => step.fault) || this.model.bands.length)
      rows.push(['faults', (y, out) => this.drawFaults(y, out)]);
    rows.push(['steps', (y, out) => this.drawSteps(y, out)]);
    const height = rows.length * rowHeight + 4;
    const out = [];
    rows.forEach(([name, draw], place) => {
      const y = 2 + place * rowHeight;
      out.push(shape('text', { class: 'name', x: this.left - 8, y: y + 11 }, shortened(name, labelsMax)));
      draw(y, out);
    });
    if (this.model.violated >= 0) {
      const x = this.at(this.model.violated + 0.5);
      out.push(shape('line', { class: 'violated', x1: x, x2: x, y1: 0, y2: height }));
    }
    this.window = shape('rect', { class: 'window', y: 1, height: height - 2 });
    this.svg.setAttribute('width', this.width);
    this.svg.setAttribute('height', height);
    this.svg.replaceChildren(...out, this.window);
    this.showWindow();
  }

  at(step) {
    return this.left + step * this.unit;
  }

  drawOperations(row, y, out) {
    // Bars that are too narrow for a text are one path.
    const paths = { done: '', open: '' };
    for (const operation of row.list) {
      const from = this.at(operation.begin);
      const to = Math.max(from + 1.5, operation.end < 0 ? this.width - 4 : this.at(operation.end + 1) - 1);
      const text = operation.text + (operation.end < 0 ? ' never returns' :
        operation.how === 'ok' ? ' → ' + (operation.result || 'done') : ' ' + operation.how);
      const open = operation.end < 0 || operation.how === 'unknown';
      if (to - from < 40) {
        paths[open ? 'open' : 'done'] += `M${from.toFixed(1)},${y + 1}H${to.toFixed(1)}V${y + 12}H${from.toFixed(1)}z`;
        continue;
      }
      out.push(shape('g', { class: 'operation' + (open ? ' open' : '') },
        shape('rect', { x: from, y: y + 1, width: to - from, height: 12, rx: 2 }),
        shape('text', { x: from + 3, y: y + 11 }, shortened(text, Math.floor((to - from - 6) / 6.2))),
        shape('title', {}, text)));
    }
    for (const [kind, d] of Object.entries(paths))
      if (d) out.push(shape('path', { class: 'operation ' + kind, d }));
  }

  drawHeat(monitor, y, out) {
    const list = this.model.heatOf(monitor);
    list.forEach((each, place) => {
      const from = this.at(each.after);
      const to = place + 1 < list.length ? this.at(list[place + 1].after) : this.at(this.model.steps.length);
      const words = ['cold', 'warm', 'hot'][each.heat];
      out.push(shape('rect', { class: 'heat ' + words, x: from, y: y + 2, width: Math.max(0.5, to - from), height: 10 },
        shape('title', {}, this.model.monitors[monitor] + ' is ' + words + (each.text ? ': ' + each.text : ''))));
      if (to - from > 30 && each.heat > 0)
        out.push(shape('text', { class: 'heat-word', x: from + 4, y: y + 11 }, words));
    });
  }

  drawFaults(y, out) {
    for (const band of this.model.bands)
      out.push(shape('rect', { class: 'band', x: this.at(band.from), y: y + 2,
        width: Math.max(1, this.at(band.to) - this.at(band.from)), height: 10 }, shape('title', {}, band.text)));
    let d = '';
    for (const step of this.model.steps)
      if (step.fault) d += `M${this.at(step.index + 0.5).toFixed(1)},${y}v13`;
    if (d) out.push(shape('path', { class: 'fault-ticks', d }));
  }

  // What is related to the violation is dark.
  drawSteps(y, out) {
    let d = '';
    let from = -1;
    const related = this.model.related;
    for (let i = 0; i <= related.length; ++i) {
      if (i < related.length && related[i]) {
        if (from < 0) from = i;
      } else if (from >= 0) {
        d += `M${this.at(from).toFixed(1)},${y + 3}H${this.at(i).toFixed(1)}v8H${this.at(from).toFixed(1)}z`;
        from = -1;
      }
    }
    out.push(shape('rect', { class: 'all', x: this.left, y: y + 3, width: this.width - this.left - 6, height: 8 }));
    if (d) out.push(shape('path', { class: 'related', d }));
  }

  showWindow() {
    const { diagram } = this;
    const first = diagram.rows[Math.floor(diagram.box.scrollTop / diagram.rowHeight)];
    const bottom = Math.ceil((diagram.box.scrollTop + diagram.box.clientHeight) / diagram.rowHeight);
    const last = diagram.rows[Math.min(diagram.rows.length - 1, bottom)];
    if (first === undefined || last === undefined) return;
    this.window.setAttribute('x', this.at(first));
    this.window.setAttribute('width', Math.max(3, this.at(last + 1) - this.at(first)));
  }
}
