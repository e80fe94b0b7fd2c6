// A trace as the page works with it: steps, lanes, causes, states and what was possible. No drawing here.
//
// The data has each text once (`strings`), and of states only those after which something had changed.
import { placesUpTo } from './dom.js';

export const noStep = 4294967295;
const faults = new Set(['drop', 'duplicate', 'corrupt', 'crash', 'restart', 'partition', 'heal', 'isolate', 'recreate',
  'fail_write', 'tear_write', 'lose_write', 'jump_clock']);

export function typeOf(message) {
  const end = message.search(/[{(]/);
  return end < 0 ? message : message.slice(0, end);
}

export class TraceModel {
  constructor(data) {
    this.data = data;
    this.file = data.file;
    this.sight = data.sight || null;
    const strings = data.strings;
    const texts = (list) => (list || []).map((index) => strings[index]);
    this.monitors = (this.sight && this.sight.monitors) || [];
    this.actors = data.actors;
    this.lanes = data.actors.filter((name) => !this.monitors.includes(name));
    const laneOf = new Map(this.lanes.map((name, index) => [name, index]));
    const lane = (index) => (index === undefined ? -1 : laneOf.has(strings[index]) ? laneOf.get(strings[index]) : -1);
    this.steps = data.steps.map((row, index) => ({
      index,
      number: index + 1,
      id: row.i,
      kind: row.k,
      fault: faults.has(row.k),
      to: lane(row.t),
      from: lane(row.f),
      toName: row.t === undefined ? '' : strings[row.t],
      fromName: row.f === undefined ? '' : strings[row.f],
      message: row.m === undefined ? '' : strings[row.m],
      cut: row.c === undefined ? '' : strings[row.c],
      parent: row.p === undefined ? -1 : row.p,
      choices: row.h || [],
      time: row.n || 0,
      changes: texts(row.d),
      sent: texts(row.s),
      notes: texts(row.o),
      disk: texts(row.w),
      children: [],
      before: -1, // the step before it at the same actor
      after: -1,
      created: [],
    }));
    this.readOrder();
    if (this.sight) this.readSight(strings);
    this.readBands();
    this.violation = data.violation || null;
    this.violated = this.violation ? Math.min(this.violation.step, this.steps.length - 1) : -1;
    if (this.violation && this.violation.step === noStep) this.violated = -1;
    this.related = this.findRelated();
  }

  readOrder() {
    const last = new Map();
    this.byId = new Map();
    for (const step of this.steps) {
      if (step.parent >= step.index) step.parent = -1;
      if (step.parent >= 0) this.steps[step.parent].children.push(step.index);
      this.byId.set(step.id, step.index);
      if (step.to < 0) continue;
      if (last.has(step.to)) {
        step.before = last.get(step.to);
        this.steps[step.before].after = step.index;
      }
      last.set(step.to, step.index);
    }
    this.lastOf = last;
  }

  readSight(strings) {
    const byActor = (rows) => {
      const map = new Map();
      for (const [after, actor, text] of rows || []) {
        if (!map.has(actor)) map.set(actor, []);
        map.get(actor).push({ after, text: strings[text] });
      }
      return map;
    };
    this.states = byActor(this.sight.states);
    this.disks = byActor(this.sight.disks);
    this.offers = (this.sight.offers || []).map(([kind, to, from, message, id, first, last]) => ({ id, kind, first, last,
      text: this.words({ kind, toName: strings[to], fromName: strings[from], message: strings[message], cut: '' }) }));
    for (const [step, kind, to, text, taken] of this.sight.created || [])
      this.steps[step].created.push({ kind, to: this.lanes.indexOf(strings[to]), text: strings[text], taken });
    this.heat = (this.sight.heat || []).map(([after, monitor, heat, text]) =>
      ({ after, monitor, heat, text: strings[text] }));
    this.operations = (this.sight.operations || []).map(([process, text, result, begin, end, how]) => ({
      process: strings[process], text: strings[text], result: strings[result], begin,
      end: end === noStep ? -1 : end, how }));
    this.judged = (this.sight.judged || []).map((index) => strings[index]);
  }

  // Times in which the network was cut, or an actor was down: [{ from, to, text, lanes, kind }], in steps.
  readBands() {
    this.bands = [];
    let cut = null;
    const down = new Map();
    const close = (band, to) => {
      band.to = to;
      this.bands.push(band);
    };
    for (const step of this.steps) {
      if (step.kind === 'partition' || step.kind === 'heal' || step.kind === 'isolate') {
        if (cut) close(cut, step.index);
        cut = null;
        const length = /for (\d+) steps?/.exec(step.message);
        if (step.kind !== 'heal')
          cut = { from: step.index, to: -1, kind: 'cut', lane: step.kind === 'isolate' ? step.to : -1,
            text: (step.kind === 'isolate' ? 'isolated: ' + step.toName + ' ' : 'partition ') + step.message,
            most: step.kind === 'isolate' && length ? step.index + Number(length[1]) : Infinity };
      }
      if (cut && step.index > cut.most) {
        close(cut, step.index);
        cut = null;
      }
      if (step.kind === 'crash' && step.to >= 0)
        down.set(step.to, { from: step.index, to: -1, kind: 'down', lane: step.to, text: step.toName + ' is down' });
      if ((step.kind === 'restart' || step.kind === 'recreate') && down.has(step.to)) {
        close(down.get(step.to), step.index);
        down.delete(step.to);
      }
    }
    if (cut) close(cut, Math.min(cut.most, this.steps.length));
    for (const band of down.values()) close(band, this.steps.length);
    this.bands.sort((a, b) => a.from - b.from);
  }

  // All that happens before the steps, and the steps themselves.
  past(of) {
    const seen = new Uint8Array(this.steps.length);
    const open = [...of];
    while (open.length) {
      const index = open.pop();
      if (index < 0 || seen[index]) continue;
      seen[index] = 1;
      open.push(this.steps[index].parent, this.steps[index].before);
    }
    return seen;
  }

  future(of) {
    const seen = new Uint8Array(this.steps.length);
    const open = [of];
    while (open.length) {
      const index = open.pop();
      if (index < 0 || seen[index]) continue;
      seen[index] = 1;
      open.push(this.steps[index].after, ...this.steps[index].children);
    }
    return seen;
  }

  // What may have to do with the violation: all that happens before it. A property that reads several actors has all
  // that happened to them before it; a loop has its own steps; a cut of the network concerns everybody.
  findRelated() {
    if (!this.violation || this.violated < 0) return new Uint8Array(this.steps.length).fill(1);
    const from = [this.violated];
    const { loop_from: loopFrom, hot_from: hotFrom } = this.violation;
    const begin = loopFrom !== noStep ? loopFrom : hotFrom !== noStep ? hotFrom : -1;
    if (begin >= 0) for (let i = begin; i <= this.violated; ++i) from.push(i);
    const judged = this.judged || [];
    const wide = !this.violation.local;
    for (let lane = 0; lane < this.lanes.length; ++lane) {
      if (!wide || (judged.length && !judged.includes(this.lanes[lane]))) continue;
      let last = this.lastOf.has(lane) ? this.lastOf.get(lane) : -1;
      while (last > this.violated) last = this.steps[last].before;
      from.push(last);
    }
    for (const step of this.steps) {
      if (step.index > this.violated) break;
      if (step.kind === 'partition' || step.kind === 'heal' || step.kind === 'isolate') from.push(step.index);
    }
    return this.past(from);
  }

  causes(index) {
    const chain = [];
    for (let at = index; at >= 0; at = this.steps[at].parent) chain.push(at);
    return chain.reverse();
  }

  // The state of an actor after so many steps; null: not known.
  stateOf(name, after) {
    return this.lookUp(this.states, name, after);
  }
  diskOf(name, after) {
    return this.lookUp(this.disks, name, after);
  }
  lookUp(map, name, after) {
    const list = map && map.get(this.actors.indexOf(name));
    if (!list) return null;
    const place = placesUpTo(list, after, (each) => each.after);
    return place === 0 ? null : list[place - 1].text;
  }

  offersAt(index) {
    return (this.offers || []).filter((each) => each.first <= index && index <= each.last);
  }

  heatOf(monitor) {
    return (this.heat || []).filter((each) => each.monitor === monitor);
  }

  isDown(lane, index) {
    return this.bands.some((band) => band.kind === 'down' && band.lane === lane && band.from < index &&
      index < band.to);
  }

  // "Get from client.0 to counter".
  words(step) {
    const message = step.message;
    switch (step.kind) {
      case 'start': return step.toName + ' starts';
      case 'deliver':
        return step.fromName === '' || step.fromName === 'outside' ?
          step.toName + ' gets ' + message + ' from outside' :
          step.toName + ' gets ' + message + (step.fromName === step.toName ? ' from itself' : ' from ' + step.fromName);
      case 'timer': return step.toName + ': timer ' + message + ' fires';
      case 'task': return step.toName + ': task ' + message + ' goes on';
      case 'drop': return message + ' to ' + step.toName + ' is dropped';
      case 'duplicate': return message + ' to ' + step.toName + ' is duplicated';
      case 'corrupt': return message + ' to ' + step.toName + ' is corrupted';
      case 'crash': return step.toName + ' crashes';
      case 'restart': return step.toName + ' restarts';
      case 'recreate': return step.toName + ' starts again with an empty disk';
      case 'partition': return 'the network is cut: ' + message;
      case 'heal': return 'the cut is healed: ' + message;
      case 'isolate': return step.toName + ' is isolated ' + message;
      case 'lost': return message + ' to ' + step.toName + ' is lost' + (step.cut ? ': ' + step.cut : '');
      case 'fail_write': return 'the next write of ' + step.toName + ' will fail';
      case 'tear_write': return 'the next write of ' + step.toName + ' will be torn';
      case 'lose_write': return 'the next write of ' + step.toName + ' will be lost in a crash';
      case 'jump_clock': return 'the clock of ' + step.toName + ' jumps ' + message;
      default: return step.kind + ' ' + message + (step.toName ? ' at ' + step.toName : '');
    }
  }

  searchText(step) {
    if (step.search === undefined)
      step.search = [step.number, this.words(step), step.kind, ...step.changes, ...step.sent, ...step.notes,
        ...step.disk].join('\n').toLowerCase();
    return step.search;
  }
}
