// What is said beside the diagram: the violation in words, and all about the chosen step.
import { element, button, counted } from './dom.js';
import { parseValue, plain, differences, valueTable } from './values.js';
import { noStep } from './trace_model.js';

function section(title, ...content) {
  return element('section', {}, element('h3', {}, title), content);
}

export function timeText(ns) {
  for (const [unit, size] of [['s', 1e9], ['ms', 1e6], ['us', 1e3]])
    if (ns % size === 0 || ns >= size * 10) return Number((ns / size).toFixed(6)) + unit;
  return ns + 'ns';
}

function stepLink(model, index, go, text) {
  return element('a', { href: '#step=' + (index + 1), class: 'step-link', onclick: (event) => {
    event.preventDefault();
    go(index);
  } }, text || 'step ' + (index + 1));
}

const linksMax = 12; // of a chain; the rest is behind a button

// A sentence for each link of the chain of causes; of a long one its first and its last.
function chainList(model, chain, go) {
  const item = (index) => element('li', { value: index + 1 }, stepLink(model, index, go, model.words(model.steps[index])));
  if (chain.length <= linksMax) return element('ol', { class: 'chain-list' }, chain.map(item));
  const middle = chain.slice(1, -linksMax);
  const more = element('li', { class: 'more' }, button(counted(middle.length, 'more cause'),
    () => more.replaceWith(...middle.slice(-500).map(item))));
  return element('ol', { class: 'chain-list' }, item(chain[0]), more, chain.slice(-linksMax).map(item));
}

function livenessWords(model, go) {
  const { violation } = model;
  const out = [];
  if (violation.loop_from !== noStep) {
    const length = model.violated - violation.loop_from + 1;
    out.push(element('p', {}, 'Steps ', stepLink(model, violation.loop_from, go, String(violation.loop_from + 1)),
      ' to ', stepLink(model, model.violated, go, String(model.violated + 1)), ' are a loop of ' +
      counted(length, 'step') + ': the world is the same after it as before it, so it can repeat for ever.'));
    const types = new Map();
    for (let i = violation.loop_from; i <= model.violated; ++i) {
      const words = model.words(model.steps[i]);
      types.set(words, (types.get(words) || 0) + 1);
    }
    const rows = [...types].sort((a, b) => b[1] - a[1]).slice(0, 8);
    out.push(element('p', {}, 'What happens in the loop:'),
      element('ul', { class: 'loop' }, rows.map(([words, count]) =>
        element('li', {}, (count > 1 ? count + ' × ' : '') + words))));
  }
  if (violation.hot_from !== noStep)
    out.push(element('p', {}, 'The monitor has been hot since step ',
      stepLink(model, violation.hot_from, go, String(violation.hot_from + 1)), ', longer than allowed.'));
  const heat = (model.heat || []).filter((each) => each.heat === 2 && each.after <= model.violated + 1);
  const last = heat[heat.length - 1];
  if ((violation.loop_from !== noStep || violation.hot_from !== noStep) && last)
    out.push(element('p', {}, model.monitors[last.monitor] + ' became hot ' +
      (last.after > 0 ? 'after step ' + last.after : 'at the start') + (last.text ? ' and waits for: ' + last.text : '') + '.'));
  return out;
}

export function violationWords(model, go) {
  const { violation } = model;
  if (!violation)
    return element('section', { class: 'verdict ok' }, element('h2', {}, 'No violation'),
      element('p', {}, model.data.end ? 'This execution ended: ' + model.data.end + '.' : 'This execution can continue.'));
  const out = [element('p', { class: 'message' }, violation.message),
    element('p', {}, 'Violated: ', element('b', {}, violation.property),
      violation.actor ? ', at ' + violation.actor : '', '.')];
  if (model.violated >= 0) {
    const step = model.steps[model.violated];
    out.push(element('p', {}, 'Noticed after ', stepLink(model, model.violated, go), ': ' + model.words(step) + '.'));
    out.push(...livenessWords(model, go));
    if (violation.loop_from === noStep) {
      const chain = model.causes(model.violated);
      if (chain.length > 1) out.push(element('p', {}, 'How it came to that step:'), chainList(model, chain, go));
    }
    const states = (model.judged || []).filter((name) => model.stateOf(name, model.violated + 1)).slice(0, 6);
    if (states.length)
      out.push(element('details', {}, element('summary', {}, 'What the property reads, at that moment'),
        element('table', { class: 'value' }, element('tbody', {}, states.map((name) => element('tr', {},
          element('th', { scope: 'row' }, name),
          element('td', {}, plain(parseValue(model.stateOf(name, model.violated + 1))))))))));
    const faults = model.steps.filter((each) => each.fault && each.index <= model.violated);
    if (faults.length)
      out.push(element('p', {}, 'Faults before it: ', faults.slice(0, 12).map((each, place) => [place ? '; ' : '',
        stepLink(model, each.index, go, each.number + ' ' + model.words(each))]),
      faults.length > 12 ? '; and ' + (faults.length - 12) + ' more' : '', '.'));
    const count = model.related.reduce((sum, each) => sum + each, 0);
    if (count < model.steps.length)
      out.push(element('p', { class: 'faint' }, counted(count, 'step') + ' of ' + model.steps.length +
        ' may be related to it. The others are grey; key r hides them.'));
  }
  return element('section', { class: 'verdict bad' }, element('h2', {}, '✗ What went wrong'), out);
}

function stateSection(model, step) {
  if (!step.toName || !model.states) {
    if (step.changes.length === 0) return null;
    return section('Changes at ' + step.toName, element('ul', {}, step.changes.map((each) => element('li', {}, each))));
  }
  const before = model.stateOf(step.toName, step.index);
  const after = model.stateOf(step.toName, step.index + 1);
  const out = [];
  if (after !== null) {
    const changes = before === null ? [] : differences(before, after);
    out.push(section(step.toName + ' after it' + (changes.length ? '' : ' (nothing changed)'),
      valueTable(after, changes)));
    if (changes.length)
      out.push(element('details', {}, element('summary', {}, step.toName + ' before it'), valueTable(before)));
  }
  const wasOnDisk = model.diskOf(step.toName, step.index);
  const onDisk = model.diskOf(step.toName, step.index + 1);
  if (onDisk !== null || wasOnDisk !== null)
    out.push(section('On the disk of ' + step.toName,
      onDisk === '' || onDisk === null ? element('p', {}, 'nothing' + (wasOnDisk ? ' any more; it was ' + wasOnDisk : '')) :
        valueTable(onDisk, wasOnDisk && wasOnDisk !== onDisk ? differences(wasOnDisk, onDisk) : [])));
  return out;
}

function createdSection(model, step, go) {
  const list = step.created.length ? step.created.map((each) => element('li', {}, each.text, ' ',
    each.taken >= 0 ? stepLink(model, each.taken, go, '→ ' + stepWords(model, each.taken)) :
      element('span', { class: 'faint' }, !model.data.end ? 'pending' :
        each.kind === 'deliver' ? 'never arrives here' : 'never happens here'))) :
    step.sent.map((each) => element('li', {}, each));
  return list.length ? section('Causes', element('ul', {}, list)) : null;
}

function stepWords(model, index) {
  const step = model.steps[index];
  return (step.kind === 'deliver' ? 'arrives in step ' : step.kind === 'lost' || step.kind === 'drop' ? 'is lost in step ' :
    'step ') + step.number;
}

function offersSection(model, step) {
  if (!model.offers) return null;
  const list = model.offersAt(step.index).filter((each) => each.id !== step.id);
  if (list.length === 0) return section('Nothing else could have happened here');
  return element('details', { open: list.length <= 8 },
    element('summary', {}, counted(list.length, 'other event') + ' could have happened here'),
    element('ul', { class: 'offers' }, list.slice(0, 200).map((each) => element('li', { class: each.kind }, each.text))));
}

// All about one step. `go(index)` chooses another one.
export function stepDetails(model, index, go) {
  if (index < 0)
    return element('section', { class: 'step' }, element('p', { class: 'faint' },
      'Choose a step: click it, or use the arrow keys.'));
  const step = model.steps[index];
  const chain = model.causes(index);
  const payload = step.message && /[{[]/.test(step.message) ? valueTable(step.message) : null;
  return element('section', { class: 'step', 'data-step': step.number },
    element('h2', {}, 'Step ' + step.number + ' ', element('span', { class: 'faint' }, step.kind),
      model.data.timed && element('span', { class: 'faint' }, ' at ' + timeText(step.time))),
    element('p', { class: 'words' }, model.words(step)),
    payload && section('Payload', payload),
    step.choices.length > 0 && section('Choices', element('ul', {}, step.choices.map((each) =>
      element('li', {}, each[2] ? each[2] : 'answer ' + each[0] + ' of ' + each[1])))),
    step.notes.length > 0 && section('Notes', element('ul', {}, step.notes.map((each) => element('li', {}, each)))),
    step.disk.length > 0 && section('Disk', element('ul', {}, step.disk.map((each) => element('li', {}, each)))),
    stateSection(model, step),
    createdSection(model, step, go),
    chain.length > 1 && section('Why it happened', chainList(model, chain, go)),
    offersSection(model, step),
    element('p', { class: 'faint' }, button('Copy the link to this step', () => {
      const link = location.href.split('#')[0] + '#step=' + step.number;
      if (navigator.clipboard) navigator.clipboard.writeText(link);
    })));
}
