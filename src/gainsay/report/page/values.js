// Printed values as trees: `Node{term: 1, log: [2, 3]}` is what the program writes. What cannot be read stays a text.
import { element } from './dom.js';

// A tree: { text } of a leaf, or { open, close, name, parts: [{ key, value }] }.
export function parseValue(text) {
  let at = 0;
  const skip = () => {
    while (text[at] === ' ') ++at;
  };
  const quoted = () => {
    const from = at++;
    while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
    ++at;
    return text.slice(from, at);
  };
  const word = () => {
    const from = at;
    let depth = 0;
    while (at < text.length) {
      const c = text[at];
      if (c === '"') {
        quoted();
        continue;
      }
      if (depth === 0 && (',{}[]'.includes(c) || (c === ':' && text[at + 1] === ' '))) break;
      if (c === '(') ++depth;
      if (c === ')' && depth > 0) --depth;
      ++at;
    }
    return text.slice(from, at).trimEnd();
  };
  const parts = (close, keyed) => {
    const list = [];
    skip();
    while (at < text.length && text[at] !== close) {
      let part = { key: String(list.length), value: value() };
      skip();
      if (keyed && text[at] === ':') {
        ++at;
        skip();
        part = { key: plain(part.value), value: value() };
      }
      list.push(part);
      skip();
      if (text[at] === ',') ++at;
      else if (text[at] !== close) throw new Error('not a value');
      skip();
    }
    if (at >= text.length) throw new Error('not closed');
    ++at;
    return list;
  };
  const value = () => {
    skip();
    if (text[at] === '[') {
      ++at;
      return { name: '', open: '[', close: ']', parts: parts(']', false) };
    }
    const name = text[at] === '"' ? quoted() : word();
    if (text[at] === '{') {
      ++at;
      return { name, open: '{', close: '}', parts: parts('}', true) };
    }
    if (name === '') throw new Error('nothing');
    return { text: name };
  };
  try {
    const tree = value();
    skip();
    if (at === text.length) return tree;
  } catch {
    return { text };
  }
  return { text };
}

export function plain(tree) {
  if (tree.text !== undefined) return tree.text;
  const keyed = tree.open === '{';
  return tree.name + tree.open + tree.parts.map((p) => (keyed ? p.key + ': ' : '') + plain(p.value)).join(', ') +
    tree.close;
}

// { path: text } of all leaves, in their order.
export function leavesOf(tree) {
  const out = new Map();
  const walk = (node, path) => {
    if (node.text !== undefined) {
      out.set(path, node.text);
    } else {
      if (node.parts.length === 0) out.set(path, node.name + node.open + node.close);
      for (const part of node.parts)
        walk(part.value, node.open === '[' ? path + '[' + part.key + ']' : path === '' ? part.key : path + '.' + part.key);
    }
  };
  walk(tree, '');
  return out;
}

// What differs between two printed values: [{ path, before, after }]; undefined: not there.
export function differences(before, after) {
  const left = leavesOf(parseValue(before));
  const right = leavesOf(parseValue(after));
  const list = [];
  for (const [path, text] of left) {
    if (right.get(path) !== text) list.push({ path, before: text, after: right.get(path) });
  }
  for (const [path, text] of right) {
    if (!left.has(path)) list.push({ path, before: undefined, after: text });
  }
  return list;
}

const leavesMax = 14; // more are folded away, but for what changed

function leafRow(path, change, leaf) {
  return element('tr', { class: change && 'changed' },
    element('th', { scope: 'row' }, path || 'value'),
    element('td', {}, change ? [
      change.before === undefined ? element('span', { class: 'new' }, '+ ') : [element('del', {}, change.before), ' → '],
      change.after === undefined ? 'gone' : element('ins', {}, leaf)] : leaf));
}

// A value as rows, one for each leaf; what changed stands first and says what it was.
export function valueTable(text, changes) {
  const changed = new Map((changes || []).map((each) => [each.path, each]));
  const rows = [...changed.values()].map((each) => leafRow(each.path, each, each.after));
  const rest = [...leavesOf(parseValue(text))].filter(([path]) => !changed.has(path)).map(([path, leaf]) =>
    leafRow(path, undefined, leaf));
  const table = (list) => element('table', { class: 'value' }, element('tbody', {}, list));
  if (rest.length <= leavesMax) return table([...rows, ...rest]);
  return element('div', {}, rows.length > 0 && table(rows), element('details', {},
    element('summary', {}, (rows.length ? 'and ' : '') + rest.length + ' fields' + (rows.length ? ' as before' : '')),
    table(rest)));
}
