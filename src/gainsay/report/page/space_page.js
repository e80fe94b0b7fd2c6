// The page of a state graph: drawn by depth where it is small, and its facts in any case.
import { element, shape, button, counted } from './dom.js';
import { makeFrame, addKeys, announce } from './look.js';
import { valueTable } from './values.js';
import { curve, card, table, coverage } from './campaign_page.js';

class SpaceGraph {
  constructor(page, at) {
    this.page = page;
    this.graph = page.graph;
    this.out = this.graph.nodes.map(() => []);
    this.into = this.graph.nodes.map(() => []);
    this.graph.edges.forEach(([from, to], edge) => {
      this.out[from].push(edge);
      this.into[to].push(edge);
    });
    this.layOut();
    this.svg = shape('svg', { class: 'space-graph', width: this.width, height: this.height, role: 'group',
      'aria-label': 'States by depth' });
    this.box = element('div', { class: 'space-box', tabindex: 0, role: 'group', 'aria-label': 'State graph' }, this.svg);
    this.detail = element('aside', { class: 'space-detail', tabindex: 0, 'aria-label': 'State' });
    at.append(element('div', { class: 'space-columns' }, this.box, this.detail));
    this.draw();
    this.svg.addEventListener('click', (event) => {
      const node = event.target.closest('[data-node]');
      if (node) this.choose(Number(node.dataset.node));
    });
    this.choose(page.violations.length ? page.violations[0].node : page.initial[0]);
  }

  // One column for each depth; in a column, states stand near those that lead to them.
  layOut() {
    const columns = [];
    this.graph.nodes.forEach(([depth], node) => {
      if (!columns[depth]) columns[depth] = [];
      columns[depth].push(node);
    });
    const step = Math.max(...columns.map((column) => column.length)) > 60 ? 9 : 22;
    this.place = [];
    columns.forEach((column, depth) => {
      const mean = (node) => {
        const before = this.into[node].map((edge) => this.place[this.graph.edges[edge][0]]).filter((each) => each);
        return before.length ? before.reduce((sum, each) => sum + each[1], 0) / before.length : 0;
      };
      const sorted = column.map((node) => [mean(node), node]).sort((a, b) => a[0] - b[0] || a[1] - b[1]);
      sorted.forEach(([, node], row) => {
        this.place[node] = [24 + depth * 70, 20 + row * step];
      });
    });
    this.radius = step > 10 ? 6 : 3;
    this.width = 60 + columns.length * 70;
    this.height = 40 + Math.max(...columns.map((column) => column.length)) * step;
  }

  draw() {
    const marked = new Set(this.page.violations.flatMap((each) => each.path || []));
    const bad = new Set(this.page.violations.map((each) => each.node));
    const line = (edge) => {
      const [from, to] = this.graph.edges[edge];
      const [a, b] = [this.place[from], this.place[to]];
      return from === to ? '' : `M${a[0]},${a[1]}L${b[0]},${b[1]}`;
    };
    const all = this.graph.edges.map((_, edge) => (marked.has(edge) ? '' : line(edge))).join('');
    this.near = shape('path', { class: 'edges near' });
    this.svg.append(shape('path', { class: 'edges', d: all }), this.near,
      shape('path', { class: 'edges path', d: [...marked].map(line).join('') }));
    this.dots = this.graph.nodes.map((_, node) => {
      const [x, y] = this.place[node];
      const kind = bad.has(node) ? ' bad' : this.page.initial.includes(node) ? ' initial' : this.out[node].length ? '' : ' end';
      const dot = bad.has(node) ? shape('path', { class: 'state' + kind, 'data-node': node,
        d: `M${x - 6},${y - 6}l12,12m0,-12l-12,12` }) :
        shape('circle', { class: 'state' + kind, cx: x, cy: y, r: this.radius, 'data-node': node });
      this.svg.append(dot);
      return dot;
    });
  }

  edgeList(edges, end) {
    return element('ul', {}, edges.slice(0, 60).map((edge) => {
      const [from, to, event] = this.graph.edges[edge];
      return element('li', {}, button('state ' + (end ? to : from), () => this.choose(end ? to : from)), ' ',
        this.graph.texts[event]);
    }));
  }

  choose(node) {
    if (this.chosen !== undefined) this.dots[this.chosen].classList.remove('chosen');
    this.chosen = node;
    this.dots[node].classList.add('chosen');
    const around = [...this.out[node], ...this.into[node]].map((edge) => {
      const [a, b] = this.graph.edges[edge].slice(0, 2).map((each) => this.place[each]);
      return `M${a[0]},${a[1]}L${b[0]},${b[1]}`;
    });
    this.near.setAttribute('d', around.join(''));
    const [depth, ...values] = this.graph.nodes[node];
    const broken = this.page.violations.filter((each) => each.node === node);
    this.detail.replaceChildren(element('h2', {}, 'State ' + node + ' ', element('span', { class: 'faint' }, 'depth ' + depth)),
      ...broken.map((each) => element('p', { class: 'note' }, '✗ ' + each.property + ': ' + each.message)),
      ...values.map((value, column) => element('section', {}, element('h3', {}, this.graph.columns[column]),
        valueTable(this.graph.texts[value]))),
      element('h3', {}, counted(this.out[node].length, 'event') + ' can happen'), this.edgeList(this.out[node], true),
      element('h3', {}, 'Reached from'), this.edgeList(this.into[node], false));
    if (this.page.scenario)
      this.detail.append(element('pre', { tabindex: 0 }, this.page.program + ' steer ' + this.page.name +
        this.page.options.map(([name, value]) => ' --option ' + name + '=' + value).join('') + ' --state ' + node));
    announce('state ' + node);
  }

  move(edges, end) {
    if (edges.length) this.choose(this.graph.edges[edges[0]][end]);
  }
}

function violationNotes(page) {
  return page.violations.map((each) => element('p', { class: 'note' }, '✗ ' + each.property + ': ' + each.message + ' (' +
    (each.node === undefined ? '' : 'state ' + each.node + ', ') + 'after ' + counted(each.steps, 'step') +
    (each.loop_from === null || each.loop_from === undefined ? '' :
      ', and for ever from step ' + (each.loop_from + 1) + ' on') + ')' +
    (each.trace_file ? '. Look at it: ' + page.program + ' show ' + each.trace_file : '')));
}

// How the search grew: the states of each depth, how many more than those before, and how many next steps they have.
function growth(page) {
  const states = page.by_depth.map((count, depth) => [depth, count]);
  const out = [curve(states, { title: 'States by depth', x: 'steps from the beginning', y: 'states',
    says: page.states + ' states' })];
  if (page.levels) {
    let sum = 0;
    out.push(curve(states.map(([depth, count]) => [depth, sum += count]), { title: 'States so far',
      x: 'steps from the beginning', y: 'states', says: page.states + ' states at the end' }));
    const ways = page.levels.map(([count, edges], depth) => [depth, edges / Math.max(1, count)]);
    // The last level of a search that was stopped has not been gone on from.
    if (page.incomplete && ways.length > 1 && ways[ways.length - 1][1] === 0) ways.pop();
    out.push(curve(ways, { title: 'Branching: average number of next steps', x: 'steps from the beginning',
      y: 'next steps', says: (page.edges_count / Math.max(1, page.states)).toFixed(2) + ' on average' }));
    const rows = page.levels.map(([count, edges], depth) => [String(depth), count.toLocaleString('en'),
      depth ? '× ' + (count / Math.max(1, page.levels[depth - 1][0])).toFixed(2) : '', edges.toLocaleString('en')]);
    out.push(element('details', {}, element('summary', {}, 'Level by level'),
      table(['depth', 'states', 'growth', 'steps out of them'], rows)));
  }
  return card('Depth and growth', out);
}

// Of a large space events are counted in a part.
function countedIn(page) {
  return page.counted && element('p', { class: 'faint' }, 'Counted in ' + (page.counted.all ? 'all ' : 'the first ') +
    counted(page.counted.states, 'state') + '.');
}

// Which handlers ran, and which kinds of messages arrived anywhere.
function handlerCards(page) {
  const { handlers, kinds } = page.called;
  const types = new Map();
  for (const [, message, count] of handlers) types.set(message, (types.get(message) || 0) + count);
  const seen = handlers.filter(([, , count]) => count > 0).length;
  const arrived = [...types.values()].filter((count) => count > 0).length;
  return [card('Handlers: ' + seen + ' of ' + handlers.length + ' were called', countedIn(page),
    table(['actor', 'message', 'edges'], handlers.map(([actor, message, count]) =>
      [actor, message, count ? count.toLocaleString('en') : 'never'])),
    element('p', {}, arrived + ' of ' + types.size + ' message types were delivered.')),
  card('Kinds of events', table(['kind', 'edges'], Object.entries(kinds).map(([kind, count]) =>
    [kind, count.toLocaleString('en')])))];
}

export function showSpace(page) {
  const bad = page.violations.length > 0;
  const main = makeFrame({ kind: 'space', title: (page.explored ? 'explore ' : 'states of ') + page.name,
    badge: { text: bad ? '✗ violated' : page.incomplete ? 'incomplete' : 'no violation',
      kind: bad ? 'bad' : page.incomplete ? '' : 'ok' },
    facts: [counted(page.states, 'state') + ', ' + counted(page.edges_count, page.explored ? 'transition' : 'edge') + ', depth ' +
      (page.by_depth.length - 1), page.options.map(([name, value]) => name + '=' + value).join(' ')] });
  if (page.incomplete)
    main.append(element('p', { class: 'note' }, (page.explored ? 'The search is incomplete: ' : 'The graph is incomplete: ') +
      page.incomplete));
  if (page.explored) {
    for (const each of [...page.explored.warnings, ...page.explored.unreached_goals.map((goal) => 'never reached: ' + goal)])
      main.append(element('p', { class: 'note' }, each));
    for (const each of page.explored.live) main.append(element('p', {}, '✓ No fair execution violates: ' + each));
  }
  main.append(...violationNotes(page));
  if (page.graph) {
    const graph = new SpaceGraph(page, main);
    addKeys([{ keys: ['ArrowRight'], says: 'to the first next state',
      does: () => graph.move(graph.out[graph.chosen], 1) },
      { keys: ['ArrowLeft'], says: 'to a previous state', does: () => graph.move(graph.into[graph.chosen], 0) }]);
  } else {
    main.append(element('p', { class: 'faint' }, page.no_graph ? 'No graph is drawn: ' + page.no_graph :
      'Too many states to draw; only statistics are shown.'));
  }
  main.append(growth(page));
  if (page.by_degree)
    main.append(card('Branching', countedIn(page), table(['events that can happen', 'states'],
      page.by_degree.map((count, degree) => [String(degree), count.toLocaleString('en')]).filter(([, count]) => count !== '0'))),
    card('Most frequent events, of ' + page.events_count.toLocaleString('en'), countedIn(page), table(['event', 'edges'],
      page.frequent.map(([event, count]) => [event, count.toLocaleString('en')]))));
  if (page.called) main.append(...handlerCards(page));
  if (page.explored && page.explored.coverage.length) main.append(coverage(page.explored));
}
