// The space-time diagram: actors are lanes, time runs down, one row per step. Only the rows in sight are in the
// document, so that ten thousand steps open as fast as ten.
import { element, shape, shortened, middleShortened } from './dom.js';

const charWidth = 7.3;
const gutter = 64;
const longestArrow = 300; // rows; a longer one is drawn at its two ends only
const bucket = 64;
const rowsOnPaper = 2000;

export class Diagram {
  // `at`: where to put it; `chosen(index)` is called when a step is clicked.
  constructor(at, model, chosen) {
    this.model = model;
    this.chosen = chosen;
    this.zoom = 1;
    this.selected = -1;
    this.collapsed = new Set();
    this.filter = () => true;
    this.matches = null; // Set of steps that a search found
    this.highlight = false;
    this.marks = new Map(); // step -> class, for comparisons
    this.heads = element('div', { class: 'heads' });
    this.canvas = shape('svg', { class: 'diagram', role: 'presentation' });
    this.room = element('div', { class: 'room', role: 'presentation' }, this.canvas);
    this.box = element('div', { class: 'scroll', tabindex: 0, role: 'listbox', 'aria-label': 'Steps of the execution' },
      this.room);
    this.root = element('div', { class: 'picture' }, this.heads, this.box);
    at.append(this.root);
    this.box.addEventListener('scroll', () => this.soon());
    this.canvas.addEventListener('click', (event) => this.clicked(event));
    new ResizeObserver(() => this.layOut()).observe(this.box);
    this.change();
  }

  // --- which rows there are, and where -------------------------------------------------------------------------

  change() {
    const rows = [];
    this.rowOf = new Int32Array(this.model.steps.length).fill(-1);
    for (const step of this.model.steps) {
      const lane = step.to >= 0 ? step.to : step.from;
      if (this.collapsed.has(lane) || !this.filter(step)) continue;
      this.rowOf[step.index] = rows.length;
      rows.push(step.index);
    }
    this.rows = rows;
    this.findArrows();
    this.layOut();
  }

  // Arrows by the buckets of rows they cross.
  findArrows() {
    this.crossing = new Map();
    for (const index of this.rows) {
      const step = this.model.steps[index];
      const to = this.rowOf[index];
      if (step.parent < 0) continue;
      const from = this.rowOf[step.parent];
      if (from < 0 || to - from > longestArrow) continue;
      for (let b = Math.floor(from / bucket); b <= Math.floor(to / bucket); ++b) {
        if (!this.crossing.has(b)) this.crossing.set(b, []);
        this.crossing.get(b).push(index);
      }
    }
  }

  layOut() {
    const lanes = this.model.lanes;
    this.strips = this.model.monitors.length;
    this.left = gutter + this.strips * 14;
    const wide = Math.max(400, this.box.clientWidth);
    const open = Math.max(1, lanes.length - this.collapsed.size);
    const ideal = Math.min(120, Math.max(34, (wide * 0.52 - this.left) / open));
    this.laneWidth = ideal * Math.max(0.4, Math.min(2, this.zoom));
    this.rowHeight = Math.max(3, Math.round(24 * this.zoom));
    this.x = [];
    let x = this.left + 10;
    lanes.forEach((_, lane) => {
      const width = this.collapsed.has(lane) ? 18 : this.laneWidth;
      this.x.push(x + width / 2);
      x += width;
    });
    this.labelsAt = x + 12;
    this.width = Math.max(wide, this.labelsAt + 260);
    this.height = Math.max(this.rows.length * this.rowHeight + 12, 60);
    this.room.style.width = this.width + 'px';
    this.room.style.height = this.height + 'px';
    this.drawHeads();
    this.draw();
  }

  y(row) {
    return row * this.rowHeight + this.rowHeight / 2 + 4;
  }

  setZoom(zoom) {
    const row = this.selected >= 0 ? this.rowOf[this.selected] : -1;
    const offset = row >= 0 ? this.y(row) - this.box.scrollTop : 0;
    this.zoom = Math.min(2.5, Math.max(0.12, zoom));
    this.layOut();
    if (row >= 0) this.box.scrollTop = this.y(row) - offset;
    this.draw();
  }

  toggleLane(lane) {
    if (this.collapsed.has(lane)) this.collapsed.delete(lane);
    else this.collapsed.add(lane);
    this.change();
  }

  drawHeads() {
    const longest = Math.max(0, ...this.model.lanes.map((name) => name.length));
    const slanted = this.laneWidth < 66 || longest * charWidth > this.laneWidth - 8;
    const heads = this.model.lanes.map((name, lane) => {
      const closed = this.collapsed.has(lane);
      const room = slanted ? 18 : Math.floor((this.laneWidth - 8) / charWidth);
      const head = element('button', { type: 'button', class: 'head' + (slanted || closed ? ' slanted' : ''),
        'aria-pressed': String(closed), title: name + (closed ? ': show its steps' : ': hide its steps'),
        'aria-label': name + (closed ? ', hidden; show its steps' : ', hide its steps'),
        onclick: () => {
          this.toggleLane(lane);
          this.heads.querySelectorAll('button')[lane].focus();
        } }, middleShortened(name, room));
      head.style.left = this.x[lane] + 'px';
      return head;
    });
    const strips = this.model.monitors.map((name, place) => {
      const head = element('span', { class: 'head strip-head', title: 'monitor: ' + name }, 'M' + (place + 1));
      head.style.left = gutter + place * 14 + 7 + 'px';
      return head;
    });
    this.heads.replaceChildren(...strips, ...heads);
    this.heads.classList.toggle('high', slanted || this.collapsed.size > 0);
    this.heads.style.transform = 'translateX(' + -this.box.scrollLeft + 'px)';
  }

  // --- selection -------------------------------------------------------------------------------------------------

  clicked(event) {
    const place = event.clientY - this.canvas.getBoundingClientRect().top + this.top;
    const row = Math.floor((place - 4) / this.rowHeight);
    if (row >= 0 && row < this.rows.length) this.chosen(this.rows[row]);
  }

  select(index, center) {
    this.selected = index;
    this.pastOf = index >= 0 ? this.model.past([index]) : null;
    this.futureOf = index >= 0 ? this.model.future(index) : null;
    this.chain = new Set(index >= 0 ? this.model.causes(index) : []);
    const row = index >= 0 ? this.rowOf[index] : -1;
    if (row >= 0) {
      const y = this.y(row);
      const seen = this.box.clientHeight;
      if (center || y < this.box.scrollTop + 30 || y > this.box.scrollTop + seen - 30)
        this.box.scrollTop = center ? y - seen / 2 :
          y < this.box.scrollTop + 30 ? y - 60 : y - seen + 60;
      this.box.setAttribute('aria-activedescendant', this.rowName(index));
    } else {
      this.box.removeAttribute('aria-activedescendant');
    }
    this.draw();
  }

  rowName(index) {
    return (this.name || '') + 'row-' + (index + 1);
  }

  // The visible step that is `by` rows further, or the nearest.
  neighbour(index, by) {
    if (this.rows.length === 0) return -1;
    let row = index >= 0 ? this.rowOf[index] : -1;
    if (row < 0) {
      row = this.rows.findIndex((each) => each > index);
      if (row < 0) row = this.rows.length;
      if (by > 0) --row;
    }
    return this.rows[Math.min(this.rows.length - 1, Math.max(0, row + by))];
  }

  // --- drawing ----------------------------------------------------------------------------------------------------

  soon() {
    this.heads.style.transform = 'translateX(' + -this.box.scrollLeft + 'px)';
    if (this.due) return;
    this.due = true;
    requestAnimationFrame(() => {
      this.due = false;
      this.draw();
    });
  }

  draw() {
    const seen = Math.max(200, this.box.clientHeight);
    const first = this.printing ? 0 : Math.max(0, Math.floor(this.box.scrollTop / this.rowHeight) - 12);
    const end = this.printing ? rowsOnPaper : Math.ceil((this.box.scrollTop + seen) / this.rowHeight) + 12;
    const last = Math.min(this.rows.length, end);
    this.top = Math.max(0, first * this.rowHeight - 4);
    const height = Math.min(this.height, last * this.rowHeight + 12) - this.top;
    this.canvas.setAttribute('width', this.width);
    this.canvas.setAttribute('height', Math.max(height, 40));
    this.canvas.setAttribute('viewBox', '0 ' + this.top + ' ' + this.width + ' ' + Math.max(height, 40));
    this.canvas.style.top = this.top + 'px';
    this.canvas.replaceChildren(...this.picture(first, last));
  }

  // All shapes of the rows [first, last).
  picture(first, last) {
    const out = [arrowHeads()];
    const above = this.y(first) - this.rowHeight / 2 - 4;
    const below = this.y(Math.max(first, last - 1)) + this.rowHeight / 2 + 4;
    this.drawBands(out, first, last);
    this.model.lanes.forEach((_, lane) => {
      if (!this.collapsed.has(lane))
        out.push(shape('line', { class: 'lane', x1: this.x[lane], x2: this.x[lane], y1: above, y2: below }));
    });
    this.drawDown(out, first, last);
    this.drawHeat(out, first, last);
    for (let row = first; row < last; ++row) {
      const kinds = this.classOf(this.model.steps[this.rows[row]]);
      if (/selected|violated|match|only-here/.test(kinds))
        out.push(shape('rect', { class: 'under ' + kinds, x: 0, y: this.y(row) - this.rowHeight / 2, width: this.width,
          height: this.rowHeight }));
    }
    const arrows = new Set();
    for (let b = Math.floor(first / bucket); b <= Math.floor(Math.max(first, last - 1) / bucket); ++b)
      for (const index of this.crossing.get(b) || []) arrows.add(index);
    const layer = shape('g', { class: 'arrows', 'aria-hidden': 'true' });
    for (const index of arrows) this.drawArrow(layer, this.model.steps[index]);
    for (let row = first; row < last; ++row) {
      const step = this.model.steps[this.rows[row]];
      if (!arrows.has(step.index)) this.drawArrow(layer, step);
      this.drawUntaken(layer, step, row);
    }
    out.push(layer);
    for (let row = first; row < last; ++row) out.push(this.row(row));
    return out;
  }

  rowAt(index) { // of the first visible step that is not before this one
    for (let i = index; i < this.rowOf.length; ++i) if (this.rowOf[i] >= 0) return this.rowOf[i];
    return this.rows.length;
  }

  drawBands(out, first, last) {
    for (const band of this.model.bands) {
      if (band.kind !== 'cut') continue;
      const from = this.rowAt(band.from);
      const to = this.rowAt(band.to);
      if (to < first || from >= last) continue;
      const x = band.lane >= 0 ? this.x[band.lane] - this.laneWidth / 2 : this.left;
      const width = band.lane >= 0 ? this.laneWidth : this.labelsAt - 8 - this.left;
      const y = this.y(from);
      out.push(shape('rect', { class: 'band', x, width, y, height: Math.max(4, this.y(to) - y) },
        shape('title', {}, band.text)));
    }
  }

  drawDown(out, first, last) {
    for (const band of this.model.bands) {
      if (band.kind !== 'down' || this.collapsed.has(band.lane)) continue;
      const from = this.rowAt(band.from);
      const to = this.rowAt(band.to);
      if (to < first || from >= last) continue;
      const x = this.x[band.lane];
      out.push(shape('line', { class: 'down', x1: x, x2: x, y1: this.y(from), y2: this.y(to) },
        shape('title', {}, band.text)));
    }
  }

  drawHeat(out, first, last) {
    this.model.monitors.forEach((name, monitor) => {
      const list = this.model.heatOf(monitor);
      list.forEach((each, place) => {
        const from = each.after === 0 ? 0 : this.rowAt(each.after - 1);
        const to = place + 1 < list.length ? this.rowAt(list[place + 1].after - 1) : this.rows.length;
        if (to < first || from > last) return;
        const y = each.after === 0 ? 0 : this.y(from);
        const end = place + 1 < list.length ? this.y(to) : this.height;
        const words = ['cold', 'warm', 'hot'][each.heat];
        out.push(shape('rect', { class: 'heat ' + words, x: gutter + monitor * 14 + 2, width: 10, y,
          height: Math.max(1, end - y) },
        shape('title', {}, name + ' is ' + words + (each.text ? ': ' + each.text : ''))));
        // A letter, for those who do not see the colours.
        const top = Math.max(y, this.y(first));
        if (each.heat > 0 && end - top > 14)
          out.push(shape('text', { class: 'heat-letter', x: gutter + monitor * 14 + 7, y: top + 12 },
            each.heat === 2 ? 'H' : 'W'));
      });
    });
  }

  classOf(step) {
    const names = [];
    if (!this.model.related[step.index]) names.push('unrelated');
    if (this.selected >= 0) {
      if (this.selected === step.index) names.push('selected');
      else if (this.pastOf[step.index]) names.push('past');
      else if (this.futureOf[step.index]) names.push('future');
      else if (this.highlight) names.push('concurrent');
      if (this.chain.has(step.index)) names.push('chain');
    }
    if (this.matches && this.matches.has(step.index)) names.push('match');
    if (this.marks.has(step.index)) names.push(this.marks.get(step.index));
    if (step.index === this.model.violated) names.push('violated');
    if (step.fault) names.push('fault');
    return names.join(' ');
  }

  drawArrow(out, step) {
    const messages = ['deliver', 'lost', 'drop', 'duplicate', 'corrupt', 'timer', 'task'];
    if (!messages.includes(step.kind) || step.to < 0 || this.collapsed.has(step.to)) return;
    const y = this.y(this.rowOf[step.index]);
    const to = this.x[step.to];
    const gone = step.kind === 'drop' || step.kind === 'lost';
    const kind = 'arrow ' + step.kind + ' ' + this.classOf(step);
    const parentRow = step.parent >= 0 ? this.rowOf[step.parent] : -1;
    const far = parentRow >= 0 && this.rowOf[step.index] - parentRow > longestArrow;
    if (step.kind === 'timer' || step.kind === 'task' || step.from === step.to) {
      if (parentRow < 0 || far) return;
      const from = this.y(parentRow);
      const bow = Math.min(this.laneWidth * 0.3, 8 + (y - from) / 6);
      out.append(shape('path', { class: kind + ' own', fill: 'none',
        d: `M${to + 5},${from} C${to + bow},${from} ${to + bow},${y} ${to + 6},${y}`, 'marker-end': 'url(#tip)' }));
      return;
    }
    if (step.from < 0 || this.collapsed.has(step.from)) {
      const begin = step.from < 0 ? Math.max(this.left, to - this.laneWidth * 0.45) : this.x[step.from];
      out.append(shape('line', { class: kind, x1: begin, y1: y, x2: to - 7, y2: y, 'marker-end': 'url(#tip)' }));
      return;
    }
    const from = this.x[step.from];
    const side = Math.sign(to - from);
    const begin = parentRow >= 0 && !far ? this.y(parentRow) : y - this.rowHeight * 0.7;
    const end = gone ? from + (to - from) * 0.62 : to - side * 7;
    const endY = gone ? begin + (y - begin) * 0.62 : y;
    out.append(shape('line', { class: kind + (parentRow < 0 || far ? ' far' : ''), x1: from, y1: begin, x2: end,
      y2: endY, 'marker-end': gone ? 'url(#cross)' : 'url(#tip)' }));
    if (gone) out.append(shape('line', { class: kind + ' rest', x1: end, y1: endY, x2: to - side * 7, y2: y }));
  }

  // What the step sent and nobody ever took: a stub towards its receiver.
  drawUntaken(out, step, row) {
    if (step.to < 0 || this.collapsed.has(step.to)) return;
    for (const each of step.created) {
      if (each.taken >= 0 || each.kind !== 'deliver' || each.to < 0) continue;
      const side = Math.sign(this.x[each.to] - this.x[step.to]) || 1;
      const x = this.x[step.to];
      out.append(shape('line', { class: 'arrow untaken', x1: x + side * 6, y1: this.y(row), x2: x + side * 22,
        y2: this.y(row) + this.rowHeight * 0.4, 'marker-end': 'url(#open)' },
      shape('title', {}, 'never arrives: ' + each.text)));
    }
  }

  row(row) {
    const index = this.rows[row];
    const step = this.model.steps[index];
    const y = this.y(row);
    const tall = this.rowHeight >= 12;
    const out = shape('g', { class: 'row ' + this.classOf(step), role: 'option', id: this.rowName(index),
      'data-step': step.number, 'aria-selected': String(this.selected === index),
      'aria-label': 'step ' + step.number + ': ' + this.model.words(step) +
        (index === this.model.violated ? '; here the violation was detected' : '') });
    out.append(shape('rect', { class: 'back', x: 0, y: y - this.rowHeight / 2, width: this.width,
      height: this.rowHeight }));
    if (tall) out.append(shape('text', { class: 'number', x: 44, y: y + 4 }, step.number));
    if (index === this.model.violated) out.append(shape('text', { class: 'flag', x: 48, y: y + 5 }, '✗'));
    if (step.to >= 0 && !this.collapsed.has(step.to)) out.append(this.marker(step, this.x[step.to], y));
    else if (step.to < 0) out.append(this.marker(step, this.left + 4, y));
    if (tall) this.label(out, step, y);
    return out;
  }

  label(out, step, y) {
    const room = Math.max(20, Math.floor((this.width - this.labelsAt - 12) / charWidth));
    const first = step.kind === 'deliver' ? step.message : step.kind === 'start' ? 'starts' :
      step.kind === 'timer' ? 'timer ' + step.message : step.kind === 'task' ? 'task ' + step.message :
        this.model.words(step);
    const chosen = step.choices.map((each) => '  ' + (each[2] || 'chose ' + each[0] + ' of ' + each[1])).join('');
    const head = shortened(first + chosen, room);
    const text = shape('text', { class: 'label', x: this.labelsAt, y: y + 4 }, head);
    const left = room - head.length - 3;
    if (left > 8 && step.changes.length)
      text.append(shape('tspan', { class: 'change', dx: 14 }, shortened(step.changes.join(', '), left)));
    out.append(text);
  }

  // Every kind has a form of its own: colour is never alone.
  marker(step, x, y) {
    const size = Math.max(1.5, Math.min(6, this.rowHeight * 0.3));
    const name = { class: 'mark ' + step.kind };
    const path = (d) => shape('path', { ...name, d });
    const s = size;
    switch (step.kind) {
      case 'start': return path(`M${x},${y - s * 1.2} l${s * 1.2},${s * 1.2} l${-s * 1.2},${s * 1.2} l${-s * 1.2},${-s * 1.2}z`);
      case 'timer': return shape('g', name, shape('circle', { cx: x, cy: y, r: s }),
        shape('path', { class: 'hand', d: `M${x},${y - s * 0.7} V${y} H${x + s * 0.6}` }));
      case 'task': return path(`M${x - s},${y - s} h${2 * s} v${2 * s} h${-2 * s}z`);
      case 'crash': case 'drop': case 'lost':
        return path(`M${x - s},${y - s} L${x + s},${y + s} M${x + s},${y - s} L${x - s},${y + s}`);
      case 'restart': case 'recreate': return path(`M${x - s},${y + s} L${x},${y - s * 1.2} L${x + s},${y + s}z`);
      case 'partition': case 'heal': case 'isolate':
        return path(`M${x - s},${y - s} L${x + s},${y - s} L${x - s},${y + s} L${x + s},${y + s}z`);
      case 'deliver': return shape('circle', { ...name, cx: x, cy: y, r: s });
      default: return path(`M${x},${y - s} L${x + s},${y} L${x},${y + s} L${x - s},${y}z M${x - s * 0.5},${y} h${s}`);
    }
  }
}

export function arrowHeads() {
  const head = (id, d, kind) => shape('marker', { id, viewBox: '0 0 8 8', refX: 7, refY: 4, markerWidth: 7,
    markerHeight: 7, orient: 'auto-start-reverse', markerUnits: 'userSpaceOnUse' }, shape('path', { d, class: kind }));
  return shape('defs', {}, head('tip', 'M0,0.5 L8,4 L0,7.5 z', 'tip'), head('open', 'M1,1 L7,4 L1,7', 'open-tip'),
    head('cross', 'M1,1 L7,7 M7,1 L1,7', 'open-tip'));
}
