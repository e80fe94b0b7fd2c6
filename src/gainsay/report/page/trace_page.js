// The page of one trace: the diagram, what is said beside it, and the tools and keys for both.
import { element, button, counted } from './dom.js';
import { makeFrame, addKeys, announce } from './look.js';
import { TraceModel, typeOf } from './trace_model.js';
import { Diagram } from './diagram.js';
import { Overview } from './overview.js';
import { violationWords, stepDetails } from './details.js';
import { saveSvg, savePng } from './export.js';

export function factsOf(data) {
  const facts = [counted(data.steps.length, 'step') + ', ' + counted(data.actors.length, 'actor')];
  if (data.strategy) facts.push('strategy ' + data.strategy + ', seed ' + data.seed + ', run ' + data.run);
  const options = (data.options || []).map(([name, value]) => name + '=' + value).join(' ');
  if (options) facts.push(options);
  return facts;
}

function options(select, words, counts) {
  select.append(element('option', { value: '' }, words));
  for (const [name, count] of [...counts].sort())
    if (name) select.append(element('option', { value: name }, name + ' (' + count + ')'));
}

// One trace with its diagram and its details. `chosen` hears of every new choice.
export class TraceView {
  constructor(at, data, prefix, chosen) {
    this.model = new TraceModel(data);
    this.prefix = prefix;
    this.heard = chosen || (() => undefined);
    this.onlyRelated = false;
    this.found = [];
    this.left = element('div', { class: 'left' });
    this.side = element('aside', { class: 'side', 'aria-label': 'Explanation', tabindex: 0 });
    at.append(this.left, this.side);
    this.filters = this.makeFilters();
    const overviewPlace = element('div');
    this.left.append(this.filters, overviewPlace);
    this.go = (index, center) => this.select(index, center);
    this.diagram = new Diagram(this.left, this.model, this.go);
    this.diagram.name = prefix;
    this.overview = new Overview(overviewPlace, this.model, this.diagram, (index) => this.select(index, true));
    this.words = element('div', { class: 'words-place' }, violationWords(this.model, (index) => this.select(index, true)));
    this.details = element('div', { class: 'details-place' });
    this.notes = (data.notes || []).map((note) => element('p', { class: 'note' }, note));
    this.side.append(...this.notes, this.words, this.details);
    this.select(-1, false, true);
  }

  makeFilters() {
    const kinds = new Map();
    const types = new Map();
    const actors = new Map();
    const add = (map, key) => map.set(key, (map.get(key) || 0) + 1);
    for (const step of this.model.steps) {
      add(kinds, step.kind);
      add(actors, step.toName);
      if (step.kind === 'deliver' || step.kind === 'timer') add(types, typeOf(step.message));
    }
    const changed = () => this.refilter();
    this.search = element('input', { type: 'search', placeholder: 'Search  /', 'aria-label': 'Search in steps',
      oninput: () => this.refilter() });
    this.search.addEventListener('keydown', (event) => {
      if (event.key === 'Enter') this.nextMatch(event.shiftKey ? -1 : 1);
    });
    this.onlyFound = element('input', { type: 'checkbox', onchange: changed });
    this.actor = element('select', { 'aria-label': 'Only steps of an actor', onchange: changed });
    this.kind = element('select', { 'aria-label': 'Only steps of a kind', onchange: changed });
    this.type = element('select', { 'aria-label': 'Only messages of a type', onchange: changed });
    options(this.actor, 'All actors', actors);
    options(this.kind, 'All kinds', kinds);
    options(this.type, 'All messages', types);
    this.related = button('Hide unrelated', () => this.toggleRelated(), { 'aria-pressed': 'false',
      title: 'Hide steps that are not related to the violation (r)', disabled: this.model.related.every((each) => each) });
    this.count = element('span', { class: 'faint count' });
    return element('div', { class: 'filters', role: 'group', 'aria-label': 'Search and filters' }, this.search,
      element('label', {}, this.onlyFound, ' only these'), this.actor, this.kind, this.type, this.related, this.count);
  }

  refilter() {
    const wanted = this.search.value.trim().toLowerCase();
    const found = wanted ? this.model.steps.filter((step) => this.model.searchText(step).includes(wanted)) : [];
    this.found = found.map((step) => step.index);
    const matches = wanted ? new Set(this.found) : null;
    this.diagram.matches = matches;
    this.diagram.filter = (step) => (!this.onlyRelated || this.model.related[step.index] === 1) &&
      (!matches || !this.onlyFound.checked || matches.has(step.index)) &&
      (!this.actor.value || step.toName === this.actor.value || step.fromName === this.actor.value) &&
      (!this.kind.value || step.kind === this.kind.value) &&
      (!this.type.value || typeOf(step.message) === this.type.value);
    this.diagram.change();
    this.overview.showWindow();
    const shownCount = this.diagram.rows.length;
    this.count.textContent = (wanted ? counted(found.length, 'match', 'matches') + '; ' : '') +
      (shownCount < this.model.steps.length ? shownCount + ' of ' + counted(this.model.steps.length, 'step') + ' shown' : '');
    if (this.diagram.selected >= 0) this.diagram.select(this.diagram.selected);
  }

  toggleRelated() {
    if (this.related.disabled) return;
    this.onlyRelated = !this.onlyRelated;
    this.related.setAttribute('aria-pressed', String(this.onlyRelated));
    this.refilter();
    announce(this.diagram.rows.length + ' steps shown');
  }

  nextMatch(by) {
    if (this.found.length === 0) return;
    const at = this.diagram.selected;
    const next = by > 0 ? this.found.find((index) => index > at) : this.found.findLast((index) => index < at);
    this.select(next !== undefined ? next : by > 0 ? this.found[0] : this.found[this.found.length - 1], true);
  }

  select(index, center, quiet) {
    if (index >= this.model.steps.length) return;
    this.diagram.select(index, center);
    this.details.replaceChildren(stepDetails(this.model, index, (to) => this.select(to, true)));
    if (index >= 0) announce('step ' + (index + 1) + ': ' + this.model.words(this.model.steps[index]));
    if (!quiet) this.heard(index);
  }

  move(by) {
    const next = this.diagram.neighbour(this.diagram.selected, by);
    if (next >= 0) this.select(next);
  }
  moveAtActor(by) {
    const at = this.diagram.selected;
    if (at < 0) return this.move(1);
    let next = at;
    do next = by > 0 ? this.model.steps[next].after : this.model.steps[next].before;
    while (next >= 0 && this.diagram.rowOf[next] < 0);
    return next >= 0 && this.select(next);
  }
  toCause() {
    const at = this.diagram.selected;
    if (at >= 0 && this.model.steps[at].parent >= 0) this.select(this.model.steps[at].parent);
  }
  toViolation() {
    if (this.model.violated >= 0) this.select(this.model.violated, true);
  }
  toEnd(end) {
    const { rows } = this.diagram;
    if (rows.length) this.select(rows[end ? rows.length - 1 : 0]);
  }
  toggleHighlight() {
    this.diagram.highlight = !this.diagram.highlight;
    this.diagram.draw();
    announce(this.diagram.highlight ? 'only what happens before or after the chosen step is bright' : 'all steps are bright');
  }
}

// Tools and keys of whichever view is in use: `view()` says.
export function toolsOf(view, name) {
  return [
    button('−', () => view().diagram.setZoom(view().diagram.zoom / 1.3), { 'aria-label': 'Smaller', title: 'Smaller (-)' }),
    button('+', () => view().diagram.setZoom(view().diagram.zoom * 1.3), { 'aria-label': 'Larger', title: 'Larger (+)' }),
    button('SVG', () => saveSvg(view().diagram, name), { title: 'Save the diagram as SVG' }),
    button('PNG', () => savePng(view().diagram, name), { title: 'Save the diagram as PNG' }),
    button('Print', () => window.print(), { title: 'Print' }),
  ];
}

export function traceKeys(view) {
  const zoom = (by) => view().diagram.setZoom(by === 0 ? 1 : view().diagram.zoom * by);
  addKeys([
    { keys: ['ArrowDown', 'j'], says: 'next step', does: () => view().move(1) },
    { keys: ['ArrowUp', 'k'], says: 'step before', does: () => view().move(-1) },
    { keys: ['ArrowRight'], says: 'next step of the same actor', does: () => view().moveAtActor(1) },
    { keys: ['ArrowLeft'], says: 'previous step of the same actor', does: () => view().moveAtActor(-1) },
    { keys: ['PageDown'], says: 'twenty steps forward', does: () => view().move(20) },
    { keys: ['PageUp'], says: 'twenty steps back', does: () => view().move(-20) },
    { keys: ['Home'], says: 'first step', does: () => view().toEnd(false) },
    { keys: ['End'], says: 'last step', does: () => view().toEnd(true) },
    { keys: ['c'], says: 'the step that caused this one', does: () => view().toCause() },
    { keys: ['v'], says: 'where the violation was detected', does: () => view().toViolation() },
    { keys: ['r'], says: 'hide or show steps that are not related to the violation', does: () => view().toggleRelated() },
    { keys: ['h'], says: 'dim what happens neither before nor after the chosen step', does: () => view().toggleHighlight() },
    { keys: ['/'], says: 'search', does: () => view().search.focus() },
    { keys: ['n'], says: 'next match', does: () => view().nextMatch(1) },
    { keys: ['N'], says: 'match before', does: () => view().nextMatch(-1) },
    { keys: ['+', '='], says: 'larger', does: () => zoom(1.3) },
    { keys: ['-'], says: 'smaller', does: () => zoom(1 / 1.3) },
    { keys: ['0'], says: 'usual size', does: () => zoom(0) },
    { keys: ['Escape'], says: 'choose nothing', does: () => view().select(-1) },
  ]);
}

// On paper all rows are there, as far as that is sensible.
export function printable(views) {
  let drawn = [];
  window.addEventListener('beforeprint', () => {
    drawn = views.map((view) => {
      const { diagram } = view;
      diagram.printing = true;
      diagram.draw();
      return () => {
        diagram.printing = false;
        diagram.draw();
      };
    });
  });
  window.addEventListener('afterprint', () => drawn.forEach((back) => back()));
}

// #step=12 is a step of the page; it follows the choice.
export function followLinks(view) {
  const read = () => {
    const match = /^#step=(\d+)$/.exec(location.hash);
    if (match && Number(match[1]) - 1 !== view.diagram.selected) view.select(Number(match[1]) - 1, true, true);
    return match !== null;
  };
  window.addEventListener('hashchange', read);
  return read();
}

export function showTrace(page) {
  const data = page.traces[0];
  let view = null;
  const main = makeFrame({ kind: 'trace', title: data.scenario,
    badge: data.violation ? { text: '✗ violated', kind: 'bad' } : { text: 'no violation', kind: 'ok' },
    facts: factsOf(data), tools: toolsOf(() => view, data.scenario) });
  view = new TraceView(main, data, '', (index) =>
    history.replaceState(null, '', index < 0 ? location.pathname + location.search : '#step=' + (index + 1)));
  traceKeys(() => view);
  printable([view]);
  if (!followLinks(view) && view.model.violated >= 0) view.select(view.model.violated, true, true);
  view.diagram.box.focus({ preventScroll: true });
}
