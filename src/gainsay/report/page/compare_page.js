// Two traces side by side: where they part, and what only one of them has. Events are the same if their identity is
// the same: kind, id and receiver.
import { element, counted } from './dom.js';
import { makeFrame } from './look.js';
import { TraceView, toolsOf, traceKeys, printable } from './trace_page.js';

const sameEvent = (a, b) => a.id === b.id && a.kind === b.kind && a.toName === b.toName;
const sameStep = (a, b) => sameEvent(a, b) && a.message === b.message &&
  JSON.stringify(a.choices) === JSON.stringify(b.choices) && JSON.stringify(a.changes) === JSON.stringify(b.changes);

// How many steps at the beginning are equal.
export function partingOf(a, b) {
  let at = 0;
  while (at < a.steps.length && at < b.steps.length && sameStep(a.steps[at], b.steps[at])) ++at;
  return at;
}

function partingWords(a, b, at) {
  const say = (model) => (at < model.steps.length ? model.words(model.steps[at]) : 'it ends');
  if (at === a.steps.length && at === b.steps.length) return ['The two executions are the same.'];
  const lines = [at === 0 ? 'They diverge at the first step.' :
    'The first ' + counted(at, 'step') + (at === 1 ? ' is' : ' are') + ' the same. They diverge at step ' + (at + 1) + '.',
  'Left: ' + say(a) + '.', 'Right: ' + say(b) + '.'];
  const first = a.steps[at];
  const second = b.steps[at];
  if (first && second && sameEvent(first, second))
    lines.push('It is the same event with ' + (JSON.stringify(first.choices) !== JSON.stringify(second.choices) ?
      'other choices.' : first.message !== second.message ? 'another payload.' : 'other effects.'));
  return lines;
}

export function showComparison(page) {
  const views = [];
  let current = 0;
  const view = () => views[current];
  const [a, b] = page.traces;
  const main = makeFrame({ kind: 'compare', title: a.scenario === b.scenario ? a.scenario : a.scenario + ' and ' + b.scenario,
    facts: ['two executions side by side'], tools: toolsOf(view, a.scenario) });
  const parting = element('section', { class: 'parting', 'aria-label': 'Where they diverge' });
  const columns = element('div', { class: 'columns' });
  main.append(parting, columns);
  [a, b].forEach((data, place) => {
    const column = element('div', { class: 'column' });
    columns.append(column);
    column.append(element('h2', {}, (place === 0 ? 'Left: ' : 'Right: ') + data.file + ' ',
      element('span', { class: 'badge ' + (data.violation ? 'bad' : 'ok') }, data.violation ? '✗ violated' : 'no violation')));
    const body = element('div', { class: 'trace' });
    column.append(body);
    views.push(new TraceView(body, data, place === 0 ? 'a-' : 'b-', (index) => follow(place, index)));
    column.addEventListener('focusin', () => {
      current = place;
    });
    column.addEventListener('pointerdown', () => {
      current = place;
    });
  });
  const models = views.map((each) => each.model);
  const at = partingOf(models[0], models[1]);
  parting.append(...partingWords(models[0], models[1], at).map((line) => element('p', {}, line)));
  views.forEach((each, place) => {
    const other = models[1 - place];
    for (const step of each.model.steps)
      if (!other.byId.has(step.id)) each.diagram.marks.set(step.index, 'only-here');
      else if (step.index >= at) each.diagram.marks.set(step.index, 'elsewhere');
    each.diagram.draw();
  });
  // The same event in the other one.
  function follow(place, index) {
    if (views.length < 2 || index < 0) return;
    const other = views[1 - place];
    const there = other.model.byId.get(views[place].model.steps[index].id);
    if (there !== undefined) other.select(there, false, true);
  }
  traceKeys(view);
  printable(views);
  views.forEach((each) => each.select(Math.min(at, each.model.steps.length - 1), true, true));
}
