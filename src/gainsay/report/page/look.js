// What all pages have in common: the frame, dark and light, keys and the list of them, and the voice for screen
// readers.
import { element, button } from './dom.js';

let voice = null;

export function announce(text) {
  if (voice) voice.textContent = text;
}

// Some browsers keep no settings for files; then the choice lasts as long as the page.
function remembered(name) {
  try {
    return localStorage.getItem('gainsay ' + name);
  } catch {
    return null;
  }
}
function remember(name, value) {
  try {
    localStorage.setItem('gainsay ' + name, value);
  } catch {
    return;
  }
}

function isDark() {
  const set = document.documentElement.dataset.theme;
  return set ? set === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
}

export function toggleTheme() {
  const next = isDark() ? 'light' : 'dark';
  document.documentElement.dataset.theme = next;
  remember('theme', next);
  announce(next + ' colours');
  document.dispatchEvent(new Event('theme'));
}

// One row of keys: { keys: ['ArrowDown', 'j'], says: 'next step', does: () => ... }.
const keys = [];

export function addKeys(rows) {
  keys.push(...rows);
}

function isTyping(target) {
  return target.matches('input:not([type=checkbox]), select, textarea') || target.isContentEditable;
}

function pressed(event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === 'Escape' && isTyping(event.target)) {
    event.target.blur();
    return;
  }
  if (isTyping(event.target) || event.target.closest('dialog')) return;
  // Keys that work a control keep to it.
  if ((event.key === 'Enter' || event.key === ' ') && event.target.closest('button, summary, a, input')) return;
  const row = keys.find((each) => each.keys.includes(event.key));
  if (!row) return;
  event.preventDefault();
  row.does(event);
}

const names = { ArrowUp: '↑', ArrowDown: '↓', ArrowLeft: '←', ArrowRight: '→', Escape: 'Esc', ' ': 'Space' };

export function showHelp() {
  const list = keys.map((row) => element('tr', {},
    element('th', { scope: 'row' }, row.keys.map((key) => [element('kbd', {}, names[key] || key), ' '])),
    element('td', {}, row.says)));
  const dialog = element('dialog', { class: 'help', 'aria-label': 'Keys' },
    element('h2', {}, 'Keys'),
    element('table', {}, element('tbody', {}, list)),
    button('Close', () => dialog.close(), { autofocus: true }));
  dialog.addEventListener('close', () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

// The frame of a page. `parts`: title, badge {text, kind}, facts [text], tools [elements].
export function makeFrame(parts) {
  const theme = remembered('theme');
  if (theme) document.documentElement.dataset.theme = theme;
  voice = element('div', { class: 'voice', role: 'status', 'aria-live': 'polite' });
  const header = element('header', { class: 'top' },
    element('div', { class: 'title' },
      parts.badge && element('span', { class: 'badge ' + parts.badge.kind }, parts.badge.text),
      element('h1', {}, parts.title),
      (parts.facts || []).map((fact) => element('span', { class: 'faint' }, fact))),
    element('div', { class: 'tools', role: 'toolbar', 'aria-label': 'Tools' },
      parts.tools || [],
      button('◐', toggleTheme, { title: 'Dark or light (t)', 'aria-label': 'Dark or light' }),
      button('?', showHelp, { title: 'Keys (?)', 'aria-label': 'Show the keys' })));
  const main = element('main', { class: parts.kind });
  document.body.replaceChildren(header, main, voice);
  document.body.className = parts.kind + '-page';
  addKeys([{ keys: ['t'], says: 'dark or light', does: toggleTheme },
    { keys: ['?'], says: 'this list', does: showHelp }]);
  document.addEventListener('keydown', pressed);
  return main;
}
