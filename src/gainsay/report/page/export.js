// Pictures out of the page: the diagram as it is filtered and zoomed, with its colours, as SVG or PNG.
import { element, shape, shown } from './dom.js';
import { announce } from './look.js';

const copied = ['fill', 'stroke', 'stroke-width', 'stroke-dasharray', 'opacity', 'fill-opacity', 'font-size',
  'font-family', 'font-weight', 'text-anchor', 'text-decoration'];
const rowsMax = 4000;

// A picture that needs no style sheet: computed styles become attributes.
function withStyles(svg) {
  document.body.append(svg);
  const known = new Map();
  for (const node of svg.querySelectorAll('*')) {
    const key = node.tagName + ' ' + (node.getAttribute('class') || '') + ' ' +
      (node.parentNode.getAttribute('class') || '');
    if (!known.has(key)) {
      const style = getComputedStyle(node);
      known.set(key, copied.map((name) => [name, style.getPropertyValue(name)]).filter(([, value]) => value));
    }
    for (const [name, value] of known.get(key)) node.setAttribute(name, value);
  }
  for (const node of [svg, ...svg.querySelectorAll('*')])
    for (const name of [...node.attributes].map((each) => each.name))
      if (name.startsWith('aria-') || name.startsWith('data-') || name === 'role') node.removeAttribute(name);
  svg.remove();
  return svg;
}

export function svgText(diagram) {
  const first = diagram.rows.length <= rowsMax ? 0 : Math.floor(diagram.box.scrollTop / diagram.rowHeight);
  const last = Math.min(diagram.rows.length, first + rowsMax);
  const top = first * diagram.rowHeight - 40;
  const height = (last - first) * diagram.rowHeight + 60;
  const heads = diagram.model.lanes.map((name, lane) => shape('text', { class: 'export-head', x: diagram.x[lane],
    y: top + 26, 'text-anchor': 'middle' }, name));
  const page = getComputedStyle(document.body).backgroundColor;
  const svg = shape('svg', { class: 'diagram', xmlns: 'http://www.w3.org/2000/svg', width: diagram.width, height,
    viewBox: `0 ${top} ${diagram.width} ${height}` },
  shape('rect', { x: 0, y: top, width: diagram.width, height, class: 'page-back' }),
  ...diagram.picture(first, last), ...heads);
  withStyles(svg).querySelector('.page-back').setAttribute('fill', page);
  return new XMLSerializer().serializeToString(svg);
}

function save(blob, name) {
  const address = URL.createObjectURL(blob);
  const link = element('a', { href: address, download: shown(name) });
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10000);
  announce('saved ' + name);
}

export function saveSvg(diagram, name) {
  save(new Blob([svgText(diagram)], { type: 'image/svg+xml' }), name + '.svg');
}

// Browsers draw at most some ten thousand pixels in one direction: a longer picture is made smaller.
export async function pngBlob(diagram) {
  const picture = new Image();
  const text = svgText(diagram);
  const size = /width="([\d.]+)" height="([\d.]+)"/.exec(text);
  picture.src = 'data:image/svg+xml;charset=utf-8,' + encodeURIComponent(text);
  await picture.decode();
  const [width, height] = [Number(size[1]), Number(size[2])];
  const scale = Math.min(2, 16000 / Math.max(width, height));
  const canvas = element('canvas', { width: Math.round(width * scale), height: Math.round(height * scale) });
  const pen = canvas.getContext('2d');
  pen.scale(scale, scale);
  pen.drawImage(picture, 0, 0, width, height);
  return new Promise((done) => canvas.toBlob(done, 'image/png'));
}

export async function savePng(diagram, name) {
  save(await pngBlob(diagram), name + '.png');
}
