// Elements and texts. All text that comes from outside goes through `shown` and textContent, never through markup.

const svgSpace = 'http://www.w3.org/2000/svg';

// Characters that a browser would obey instead of showing: controls, marks that turn the direction of writing,
// invisible joiners, separators of lines. They are shown by their numbers.
const hidden = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

export function shown(text) {
  return String(text).replace(hidden, (c) => '⟨U+' + c.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0') + '⟩');
}

function fill(node, attributes, children) {
  for (const [key, value] of Object.entries(attributes || {})) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith('on')) node.addEventListener(key.slice(2), value);
    else node.setAttribute(key, value === true ? '' : typeof value === 'number' ? String(value) : shown(value));
  }
  for (const child of children.flat(Infinity)) {
    if (child === undefined || child === null || child === false) continue;
    node.append(typeof child === 'object' ? child : document.createTextNode(shown(child)));
  }
  return node;
}

export function element(name, attributes, ...children) {
  return fill(document.createElement(name), attributes, children);
}

export function shape(name, attributes, ...children) {
  return fill(document.createElementNS(svgSpace, name), attributes, children);
}

export function button(text, does, attributes) {
  return element('button', { type: 'button', onclick: does, ...attributes }, text);
}

export function counted(count, one, many) {
  return count.toLocaleString('en') + ' ' + (count === 1 ? one : many || one + 's');
}

export function shortened(text, most) {
  const all = shown(text);
  return all.length <= most ? all : most > 1 ? all.slice(0, most - 1) + '…' : '';
}

// The end is what tells names of a group apart.
export function middleShortened(text, most) {
  const all = shown(text);
  if (all.length <= most) return all;
  return all.slice(0, Math.max(1, most - 7)) + '…' + all.slice(-Math.min(6, Math.max(1, most - 2)));
}

export function percent(part) {
  return (100 * part).toFixed(part > 0 && part < 0.001 ? 4 : part > 0.9999 && part < 1 ? 4 : 1) + ' %';
}

// The `count` of `places` of a sorted list that are at most `value`.
export function placesUpTo(list, value, key) {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (key(list[middle]) <= value) low = middle + 1;
    else high = middle;
  }
  return low;
}
