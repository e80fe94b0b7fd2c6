// The page in which a person plays the scheduler. The server knows the execution; the page shows it and asks for changes.
import { element, button, counted } from './dom.js';
import { makeFrame, addKeys, announce } from './look.js';
import { TraceView, toolsOf, traceKeys, factsOf } from './trace_page.js';

class SteerPage {
  constructor(page) {
    this.moment = page;
    this.busy = false;
    const view = () => this.view;
    this.main = makeFrame({ kind: 'steer', title: 'steer ' + page.trace.scenario, facts: factsOf(page.trace).slice(2),
      tools: toolsOf(view, page.trace.scenario) });
    this.panel = element('nav', { class: 'steering', 'aria-label': 'What can happen next' });
    this.place = element('div', { class: 'steered' });
    this.main.append(this.panel, this.place);
    traceKeys(view);
    addKeys([{ keys: ['u', 'Backspace'], says: 'undo the last step', does: () => this.ask({ action: 'undo' }) },
      { keys: ['g'], says: 'let the strategy continue', does: () => this.goOn() },
      { keys: ['s'], says: 'save the execution as a trace', does: () => this.ask({ action: 'save' }) },
      { keys: ['1', '2', '3', '4', '5', '6', '7', '8', '9'], says: 'take this event',
        does: (event) => this.take(this.moment.possible[Number(event.key) - 1]) }]);
    this.show();
  }

  async ask(request) {
    if (this.busy) return;
    this.busy = true;
    this.panel.setAttribute('aria-busy', 'true');
    try {
      const answer = await fetch('do', { method: 'POST', headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(request) });
      if (!answer.ok) throw new Error('the server refused: ' + answer.status);
      this.moment = await answer.json();
      this.show();
    } catch (error) {
      this.say('No answer from gainsay (' + error.message + '). Is it still running?', true);
    }
    this.panel.removeAttribute('aria-busy');
    this.busy = false;
    if (request.action === 'quit') this.say('gainsay has ended. You can close this page.');
  }

  take(event) {
    if (event) this.ask({ action: 'take', id: event.id, kind: event.kind });
  }

  goOn() {
    this.ask({ action: 'go', strategy: this.strategy.value, seed: Number(this.seed.value) || 0,
      steps: Math.max(1, Number(this.count.value) || 1) });
  }

  say(text, bad) {
    this.message.textContent = text;
    this.message.className = 'message' + (bad ? ' note' : '');
    if (text) announce(text);
  }

  show() {
    const { moment } = this;
    const zoom = this.view ? this.view.diagram.zoom : 1;
    const collapsed = this.view ? this.view.diagram.collapsed : new Set();
    this.place.replaceChildren();
    if (!moment.ended) moment.trace.end = '';
    this.view = new TraceView(this.place, moment.trace, '');
    this.view.diagram.collapsed = collapsed;
    this.view.diagram.zoom = zoom;
    this.view.diagram.change();
    const steps = moment.trace.steps.length;
    if (steps) this.view.select(steps - 1, true, true);
    this.showPanel(steps);
    if (moment.problem) this.say(moment.problem, true);
    else if (moment.saved) this.say('Saved: ' + moment.saved + '. Repeat it with: gainsay replay ' + moment.saved);
    else if (moment.trace.violation) this.say('✗ ' + moment.trace.violation.message, true);
    else if (moment.ended) this.say('The execution has ended: ' + moment.trace.end + '. Nothing is violated.');
    else announce(counted(moment.possible.length, 'event') + ' can happen');
  }

  showPanel(steps) {
    const { moment } = this;
    const words = (event) => (event.kind === 'stop' ? 'stop here, without further faults' :
      this.view.model.words({ kind: event.kind, toName: event.to, fromName: event.from, message: event.message, cut: '' }));
    const focused = document.activeElement === document.body || this.panel.contains(document.activeElement);
    this.message = element('p', { class: 'message', role: 'status' });
    const keep = (node, name, fallback) => {
      node.value = this[name] ? this[name].value : fallback;
      this[name] = node;
      return node;
    };
    this.panel.replaceChildren(
      element('h2', {}, moment.ended ? 'The execution has ended' : 'Step ' + (steps + 1) + ': what happens?'),
      this.message,
      element('ol', { class: 'possible' }, moment.possible.map((event) => element('li', {},
        button(words(event), () => this.take(event), { class: 'take ' + event.kind, 'data-kind': event.kind })))),
      this.questions(steps),
      element('div', { class: 'controls' },
        button('Undo', () => this.ask({ action: 'undo' }), { disabled: steps === 0, title: 'Undo (u)' }),
        button('Redo', () => this.ask({ action: 'jump', steps: steps + 1 }), { disabled: moment.at_hand <= steps }),
        button('To the chosen step', () => this.ask({ action: 'jump', steps: this.view.diagram.selected + 1 }),
          { disabled: steps === 0, title: 'Go to the step that is chosen in the diagram' }),
        button('To the beginning', () => this.ask({ action: 'jump', steps: 0 }), { disabled: steps === 0 })),
      element('div', { class: 'controls' },
        element('label', {}, 'Let ', keep(element('select', { 'aria-label': 'Strategy' },
          moment.strategies.map((name) => element('option', { value: name }, name))), 'strategy', moment.strategies[0]),
        ' go on for '), keep(element('input', { type: 'number', min: 1, 'aria-label': 'Steps' }), 'count', '10'), ' steps, ',
        element('label', {}, 'seed ', keep(element('input', { type: 'number', min: 0, 'aria-label': 'Seed' }), 'seed', '1')),
        button('Go', () => this.goOn(), { disabled: moment.ended, title: 'Let it continue (g)', class: 'go' })),
      element('div', { class: 'controls' },
        button('Save as ' + moment.save_as, () => this.ask({ action: 'save' }), { title: 'Save (s)', class: 'save' }),
        button('End gainsay', () => this.ask({ action: 'quit' }), { class: 'quit' })));
    const first = this.panel.querySelector('.take');
    if (focused && first) first.focus({ preventScroll: true });
  }

  // What the last step's handler asked: every answer is a button.
  questions(steps) {
    const last = this.moment.trace.steps[steps - 1];
    if (!last || !last.h) return '';
    return element('div', { class: 'questions' }, last.h.map(([answer, among, label], question) => among > 0 && element('p', {},
      'Question ' + (question + 1) + ' of step ' + steps + (label ? ' (' + label + ')' : '') + ': ',
      Array.from({ length: Math.min(among, 20) }, (_, value) => button(String(value),
        () => this.ask({ action: 'answer', step: steps - 1, question, value }),
        { 'aria-pressed': String(value === answer), class: 'answer' })))));
  }
}

export function showSteering(page) {
  new SteerPage(page);
}
