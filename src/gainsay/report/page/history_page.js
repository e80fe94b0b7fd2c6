// The page of recorded histories: operations as bars, one lane for each process, the offending one marked and named; a
// linearization is a chain of points through them.
import { element, shape, button, counted, shortened } from './dom.js';
import { makeFrame } from './look.js';

// Operations of one process that overlap (nobody knows when one of them ended) get rows of their own.
function processLanes(bars) {
  const lanes = [];
  const byProcess = new Map();
  const order = [...bars.keys()].sort((a, b) => bars[a].begin - bars[b].begin);
  for (const index of order) {
    const bar = bars[index];
    if (!byProcess.has(bar.process)) {
      const lane = { process: bar.process, rows: [] };
      byProcess.set(bar.process, lane);
      lanes.push(lane);
    }
    const lane = byProcess.get(bar.process);
    let row = lane.rows.find((each) => each.end <= bar.begin);
    if (!row) lane.rows.push(row = { end: 0, bars: [] });
    row.end = bar.open ? Infinity : bar.end;
    row.bars.push(index);
  }
  const collator = new Intl.Collator(undefined, { numeric: true });
  lanes.sort((a, b) => collator.compare(a.process, b.process));
  return lanes;
}

function barClass(bar) {
  return 'bar' + ['open', 'failed', 'contradicts', 'offending'].filter((name) => bar[name]).map((name) => ' ' + name).join('');
}

function barWords(bar) {
  return '#' + bar.number + '  ' + bar.text + '\nprocess ' + bar.process + (bar.source ? ', ' + bar.source : '') +
    (bar.open ? ', never returned or outcome unknown' : '') + (bar.failed ? ', failed: never took effect' : '') +
    (bar.offending ? ', CANNOT BE PLACED' : bar.contradicts ? ', part of the contradiction' : '');
}

class HistoryPicture {
  constructor(history, at) {
    this.history = history;
    this.bars = history.bars;
    this.chosen = null;
    this.buttons = [];
    this.box = element('div', { class: 'bars', tabindex: 0, role: 'group', 'aria-label': 'Operations by process' });
    this.detail = element('div', { class: 'detail', role: 'status' },
      'Choose an operation to see what it did; choose an order to see its points.');
    if (history.orders.length) at.append(this.controls());
    at.append(this.box, this.detail);
    this.draw();
    if (history.orders.length) this.choose(0);
    const offending = this.bars.findIndex((bar) => bar.offending);
    if (offending >= 0) {
      this.describe(offending);
      this.box.scrollLeft = Math.max(0, this.x(this.bars[offending].begin) - 500);
    }
  }

  controls() {
    const { orders, verdict } = this.history;
    this.buttons = orders.map((order, index) => button(counted(order.length, 'operation'),
      () => this.choose(this.chosen === index ? null : index)));
    return element('div', { class: 'controls' },
      element('span', { class: 'faint' }, verdict === 'ok' ? 'Order:' : 'Longest partial orders:'), this.buttons);
  }

  x(at) {
    return this.left + 8 + at * this.unit;
  }

  draw() {
    const { bars } = this;
    const lanes = processLanes(bars);
    this.left = 24 + 8 * Math.max(4, ...lanes.map((lane) => lane.process.length));
    const last = Math.max(...bars.map((bar) => Math.max(bar.end, bar.begin + 1))) + 0.6;
    const longest = Math.max(...bars.filter((bar) => !bar.open).map((bar) =>
      7.3 * bar.text.length / Math.max(1, bar.end - bar.begin)), 1);
    this.unit = Math.max(26, Math.min(longest, 100, 14000 / last));
    const [height, gap] = [26, 6];
    const total = 30 + lanes.reduce((sum, lane) => sum + lane.rows.length, 0) * (height + gap) + 24;
    const width = Math.ceil(this.x(last) + 40);
    const svg = shape('svg', { class: 'history-picture', width, height: total, role: 'presentation' });
    // Names of processes stay in sight while the picture is scrolled.
    const labels = shape('g', { class: 'labels' }, shape('rect', { x: 0, y: 0, width: this.left, height: total }));
    this.middle = [];
    let y = 30;
    for (const lane of lanes) {
      labels.append(shape('text', { x: 8, y: y + 17 }, lane.process));
      for (const row of lane.rows) {
        const under = y + height + gap / 2;
        svg.append(shape('line', { class: 'lane', x1: this.left, x2: width, y1: under, y2: under }));
        for (const index of row.bars) {
          this.drawBar(svg, index, y, height, last);
          this.middle[index] = y + height / 2;
        }
        y += height + gap;
      }
    }
    this.layer = shape('g', { class: 'order' });
    svg.append(this.layer, labels);
    this.box.addEventListener('scroll', () => labels.setAttribute('transform', 'translate(' + this.box.scrollLeft + ',0)'));
    this.box.append(svg);
  }

  drawBar(svg, index, y, height, last) {
    const bar = this.bars[index];
    const from = this.x(bar.begin);
    const to = bar.open ? this.x(last) : this.x(Math.max(bar.end, bar.begin + 0.4));
    const look = () => this.lookAt(index);
    svg.append(shape('g', { class: barClass(bar), 'data-number': bar.number, tabindex: 0, role: 'button',
      'aria-label': bar.text + ', process ' + bar.process, onmouseenter: look, onfocus: look, onclick: look },
    shape('rect', { x: from, y, width: to - from, height, rx: 4 }),
    shape('text', { x: from + 4, y: y + 17 }, shortened(bar.text, Math.floor((to - from - 8) / 7.3))),
    shape('title', {}, bar.text)));
    if (bar.offending) svg.append(shape('text', { class: 'flag', x: from, y: y - 3 }, '✗ ' + bar.text));
  }

  // Where the chosen order does not hold it, shows one that does.
  lookAt(index) {
    const holds = (order) => order.points.some((point) => point.bar === index);
    if (this.chosen === null || !holds(this.history.orders[this.chosen])) {
      const better = this.history.orders.findIndex(holds);
      if (better >= 0) this.choose(better);
    }
    this.describe(index);
  }

  describe(index) {
    const order = this.chosen === null ? null : this.history.orders[this.chosen];
    const point = order && order.points.find((each) => each.bar === index);
    const place = point ? '\nnumber ' + point.place + ' of ' + order.length + ' in this order' +
      (point.state ? '; the object is then ' + point.state : '') : order ? '\nnot in this order' : '';
    this.detail.textContent = '';
    this.detail.append(barWords(this.bars[index]) + place);
  }

  choose(which) {
    this.chosen = which;
    this.layer.replaceChildren();
    this.buttons.forEach((each, index) => each.setAttribute('aria-pressed', String(index === which)));
    if (which === null) return;
    const order = this.history.orders[which];
    this.layer.append(shape('polyline', { class: 'linearization',
      points: order.points.map((point) => this.x(point.at) + ',' + this.middle[point.bar]).join(' ') }));
    for (const point of order.points)
      this.layer.append(shape('g', { class: 'point' },
        shape('circle', { cx: this.x(point.at), cy: this.middle[point.bar], r: 4 }),
        shape('text', { x: this.x(point.at) + 5, y: this.middle[point.bar] - 6 }, point.place),
        shape('title', {}, point.state ? 'then ' + point.state : '')));
    this.detail.textContent = order.next.length ? 'after these ' + counted(order.length, 'operation') +
      (order.state ? ' the object is ' + order.state : '') + '\n' + order.next.map((each) => 'not ' + each).join('\n') :
      'a linearization of all ' + counted(order.length, 'operation');
  }
}

function historySection(history) {
  const kind = history.verdict === 'ok' ? 'ok' : history.verdict === 'unknown' ? '' : 'bad';
  const section = element('section', { class: 'history card', id: history.id },
    element('header', {}, element('span', { class: 'badge ' + kind }, history.verdict), ' ', element('h2', {}, history.file),
      !history.error && element('span', { class: 'faint' }, history.facts)),
    history.error && element('p', { class: 'offence' }, history.error),
    history.offending && element('p', { class: 'offence' }, element('b', {}, history.offending), ' cannot be placed.',
      element('br'), history.reason),
    !history.offending && history.reason && element('p', { class: 'offence' }, history.reason),
    (history.notes || []).map((note) => element('p', { class: 'faint' }, note)));
  const place = element('div');
  section.append(place);
  if (history.explanation && history.explanation.length)
    section.append(element('details', { open: true }, element('summary', {}, 'Explanation'),
      element('pre', { tabindex: 0 }, history.explanation.join('\n'))));
  return [section, place];
}

export function showHistories(page) {
  const main = makeFrame({ kind: 'histories', title: page.title, facts: [page.summary] });
  const legend = [['offending', 'cannot be placed'], ['contradicts', 'part of the contradiction'], ['returned', 'returned'],
    ['open', 'outcome unknown'], ['failed', 'failed']];
  main.append(element('p', { class: 'legend faint' }, legend.map(([name, words]) =>
    element('span', {}, shape('svg', { width: 18, height: 12, class: 'history-picture', 'aria-hidden': 'true' },
      shape('g', { class: 'bar ' + name }, shape('rect', { x: 1, y: 1, width: 16, height: 10, rx: 2 }))), ' ' + words + ' '))));
  for (const history of page.histories) {
    const [section, place] = historySection(history);
    main.append(section);
    if (history.bars && history.bars.length) new HistoryPicture(history, place);
  }
}
