// The page of a campaign: violations by cause, when new behaviours were found, the parts of strategies, what clean runs
// mean, coverage of machines, and warnings.
import { element, shape, counted, percent } from './dom.js';
import { makeFrame } from './look.js';

const plotWidth = 560;
const plotHeight = 180;

// Points [[x, y]] as a line, with its axes in words and its numbers in a table behind it.
export function curve(points, words) {
  const most = points.reduce(([x, y], [a, b]) => [Math.max(x, a), Math.max(y, b)], [1e-9, 1e-9]);
  const left = 56;
  const at = ([x, y]) => [left + x / most[0] * (plotWidth - left - 10), plotHeight - 24 - y / most[1] * (plotHeight - 40)];
  const text = (value) => (value >= 10 || Number.isInteger(value) ? Math.round(value).toLocaleString('en') :
    value.toFixed(2));
  const few = points.filter((_, i) => i % Math.max(1, Math.floor(points.length / 10)) === 0 || i === points.length - 1);
  return element('figure', {}, element('figcaption', {}, words.title),
    shape('svg', { class: 'curve', width: plotWidth, height: plotHeight, role: 'img',
      'aria-label': words.title + ': ' + words.says },
      shape('line', { class: 'axis', x1: left, x2: plotWidth - 10, y1: plotHeight - 24, y2: plotHeight - 24 }),
      shape('line', { class: 'axis', x1: left, x2: left, y1: 10, y2: plotHeight - 24 }),
      shape('polyline', { class: 'line', points: points.map((point) => at(point).map((v) => v.toFixed(1)).join(',')).join(' ') }),
      shape('text', { x: left - 6, y: 20, 'text-anchor': 'end' }, text(most[1])),
      shape('text', { x: left - 6, y: plotHeight - 26, 'text-anchor': 'end' }, '0'),
      shape('text', { x: plotWidth - 10, y: plotHeight - 6, 'text-anchor': 'end' }, text(most[0]) + ' ' + words.x)),
    element('details', {}, element('summary', {}, 'Numbers'), element('table', { class: 'numbers' },
      element('thead', {}, element('tr', {}, element('th', { scope: 'col' }, words.x), element('th', { scope: 'col' }, words.y))),
      element('tbody', {}, few.map(([x, y]) => element('tr', {}, element('td', {}, text(x)), element('td', {}, text(y))))))));
}

export function table(names, rows) {
  return element('table', { class: 'numbers' },
    element('thead', {}, element('tr', {}, names.map((name) => element('th', { scope: 'col' }, name)))),
    element('tbody', {}, rows.map((row) => element('tr', {}, row.map((cell, place) =>
      (place === 0 ? element('th', { scope: 'row' }, cell) : element('td', {}, cell)))))));
}

export function card(title, ...content) {
  return element('section', { class: 'card' }, element('h2', {}, title), content);
}

function violationCards(result, pages) {
  if (result.violations.length === 0) return card('Violations', element('p', {}, 'None was found.'));
  return card(counted(result.violations.length, 'violation') + ', grouped by cause', result.violations.map((each, place) =>
    element('article', { class: 'cause' },
      element('h3', {}, each.property),
      element('p', { class: 'says' }, each.message),
      element('p', {}, counted(each.runs, 'run') + ' of ' + result.runs.toLocaleString('en') + ' showed it (' +
        percent(each.runs / Math.max(1, result.runs)) + '), the first was run ' + each.first_run + ', in ' +
        counted(each.steps, 'step') + '. '),
      pages[place] && element('p', {}, element('a', { href: pages[place] }, 'Look at the execution')),
      each.replay && element('pre', { tabindex: 0 }, each.replay))));
}

function meaning(result) {
  const { guarantee } = result;
  const out = [element('p', {}, guarantee.sentence || (result.complete ? 'The search left nothing out.' :
    'Clean runs are evidence, not proof: no probability bound holds.'))];
  if (guarantee.statement && guarantee.statement !== 'none known')
    out.push(element('p', {}, 'Per run: ' + guarantee.statement + '.'));
  for (const each of guarantee.assumptions || []) out.push(element('p', { class: 'faint' }, 'Assumed: ' + each));
  for (const each of guarantee.void || []) out.push(element('p', { class: 'note' }, each));
  if (guarantee.per_run) {
    const runs = Math.max(result.runs, Math.ceil(3 / guarantee.per_run));
    const points = Array.from({ length: 101 }, (_, i) => [runs * i / 100,
      100 * (1 - Math.pow(1 - guarantee.per_run, runs * i / 100))]);
    out.push(curve(points, { title: 'Confidence after clean runs, in percent', x: 'runs', y: 'percent',
      says: percent(guarantee.confidence || 0) + ' after ' + result.runs + ' runs' }));
  }
  return card('What it means', out);
}

function behaviours(page) {
  const { result } = page;
  const points = [[0, 0], ...page.samples.map(([runs, distinct]) => [runs, distinct])];
  const unseen = result.unseen_probability;
  return card('Different behaviours',
    element('p', {}, (result.distinct_is_lower_bound ? 'At least ' : '') + result.distinct_traces.toLocaleString('en') +
      ' in ' + counted(result.runs, 'run') + '.' + (unseen === null || unseen === undefined ? '' :
      ' The next run shows a new one with probability about ' + percent(unseen) + ' (Good and Turing).')),
    points.length > 1 && curve(points, { title: 'Behaviours found so far', x: 'runs', y: 'behaviours',
      says: result.distinct_traces + ' after ' + result.runs + ' runs' }));
}

export function coverage(result) {
  const part = (items) => items.seen + ' of ' + items.total;
  return card('Coverage of machines', table(['machine', 'states', 'transitions', 'events'], result.coverage.map((each) =>
    [each.machine, part(each.states), part(each.transitions), part(each.events)])),
  result.coverage.map((each) => [...each.states.never, ...each.transitions.never, ...each.events.never].map((name) =>
    element('p', { class: 'faint' }, 'Never: ' + each.machine + ': ' + name))));
}

export function showCampaign(page) {
  const { result } = page;
  const bad = result.violations.length > 0;
  const main = makeFrame({ kind: 'campaign', title: 'hunt ' + result.scenario,
    badge: { text: bad ? '✗ violated' : result.verdict, kind: bad ? 'bad' : result.verdict === 'ok' ? 'ok' : '' },
    facts: ['strategy ' + result.strategy + ', seed ' + result.seed,
      Object.entries(result.options).map(([k, v]) => k + '=' + v).join(' ')] });
  const warnings = [...result.warnings, ...result.unreached_goals.map((goal) => 'never reached: ' + goal)];
  main.append(
    element('p', {}, counted(result.runs, 'run') + ', ' + counted(result.steps, 'step') + ', ' +
      result.elapsed_s.toFixed(2) + ' s.'),
    ...warnings.map((each) => element('p', { class: 'note' }, each)),
    violationCards(result, page.pages), meaning(result), behaviours(page));
  if (result.shares.length)
    main.append(card('Strategies', table(['strategy', 'runs', 'buggy', 'first buggy run'], result.shares.map((each) =>
      [each.strategy, each.runs.toLocaleString('en'), each.buggy_runs.toLocaleString('en'),
        each.first_bug_run === null ? 'none' : String(each.first_bug_run)]))));
  if (result.coverage.length) main.append(coverage(result));
}
