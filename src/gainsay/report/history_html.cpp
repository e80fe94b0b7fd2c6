#include "gainsay/report/history_html.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "gainsay/base/text.hpp"

namespace gainsay {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view style = R"css(
:root { --ok: #1a7f37; --bad: #cf222e; --unknown: #9a6700; --ink: #1f2328; --faint: #656d76; --line: #d0d7de;
  --bar: #54aeff; --bar-edge: #0969da; --open: #d8b9ff; --fail: #eaeef2; --part: #ffd33d; --page: #ffffff;
  --card: #f6f8fa; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e6edf3; --faint: #8d96a0; --line: #30363d; --page: #0d1117; --card: #161b22; --fail: #21262d;
    --bar: #1f6feb; --bar-edge: #58a6ff; --open: #6e40c9; --ok: #3fb950; --bad: #f85149; --unknown: #d29922;
    --part: #9e6a03; } }
* { box-sizing: border-box; }
body { font: 14px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--page); margin: 0 auto;
  padding: 1.5rem; max-width: 1500px; }
h1 { font-size: 1.4rem; margin: 0 0 .3rem; }
h2 { font-size: 1.05rem; margin: 0; overflow-wrap: anywhere; }
.faint { color: var(--faint); }
.history { border: 1px solid var(--line); border-radius: 8px; margin: 1rem 0; padding: 1rem; }
.history > header { display: flex; gap: .8rem; align-items: baseline; flex-wrap: wrap; }
.verdict { font-weight: 600; padding: .05rem .55rem; border-radius: 1rem; color: #fff; background: var(--unknown); }
.verdict.ok { background: var(--ok); }
.verdict.violated, .verdict.error { background: var(--bad); }
.offending { border-left: 4px solid var(--bad); padding: .3rem .8rem; margin: .7rem 0; background: var(--card); }
.picture { overflow-x: auto; border: 1px solid var(--line); border-radius: 6px; margin: .6rem 0; }
svg { display: block; font: 12px ui-monospace, monospace; }
svg text { fill: var(--ink); }
svg .lane { stroke: var(--line); }
svg .bar rect { fill: var(--bar); stroke: var(--bar-edge); fill-opacity: .45; cursor: pointer; }
svg .bar.open rect { fill: var(--open); stroke-dasharray: 4 3; }
svg .bar.failed rect { fill: var(--fail); stroke: var(--line); }
svg .bar.contradicts rect { fill: var(--part); fill-opacity: .8; }
svg .bar.offending rect { fill: var(--bad); stroke: var(--bad); fill-opacity: .85; stroke-width: 2; }
svg .bar.offending text { font-weight: 700; fill: #fff; }
svg .bar:hover rect, svg .bar.chosen rect { stroke-width: 2.5; }
svg .labels rect { fill: var(--page); fill-opacity: .9; }
svg .flag { fill: var(--bad); font-weight: 700; }
svg .chain { fill: none; stroke: var(--ok); stroke-width: 1.5; }
svg .point circle { fill: var(--ok); stroke: var(--page); }
svg .point text { font-size: 10px; fill: var(--ok); font-weight: 700; }
.controls { display: flex; gap: .5rem; flex-wrap: wrap; align-items: center; margin: .6rem 0; }
button { font: inherit; color: inherit; background: var(--card); border: 1px solid var(--line); border-radius: 6px;
  padding: .1rem .6rem; cursor: pointer; }
button[aria-pressed=true] { border-color: var(--ok); box-shadow: inset 0 0 0 1px var(--ok); }
.detail { min-height: 3.2em; background: var(--card); border-radius: 6px; padding: .5rem .8rem; white-space: pre-wrap;
  font: 13px/1.45 ui-monospace, monospace; }
pre { background: var(--card); border-radius: 6px; padding: .7rem .9rem; overflow-x: auto; font-size: 13px; }
table { border-collapse: collapse; margin: .5rem 0; }
td { padding: .1rem .8rem .1rem 0; vertical-align: top; }
.legend span { display: inline-block; margin-right: 1rem; }
.legend i { display: inline-block; width: 1.1em; height: .8em; border-radius: 2px; margin-right: .35em;
  vertical-align: -1px; border: 1px solid var(--line); }
)css";

constexpr std::string_view script = R"js(
'use strict';
const histories = JSON.parse(document.getElementById('data').textContent);
const make = (name, attributes, parent) => {
  const node = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [key, value] of Object.entries(attributes || {})) node.setAttribute(key, value);
  if (parent) parent.appendChild(node);
  return node;
};
const html = (name, text, parent, className) => {
  const node = document.createElement(name);
  if (text !== undefined) node.textContent = text;
  if (className) node.className = className;
  if (parent) parent.appendChild(node);
  return node;
};

// Operations of one process that overlap (nobody knows when one of them ended) get rows of their own.
function rowsOf(bars) {
  const lanes = [];
  const byProcess = new Map();
  const order = [...bars.keys()].sort((a, b) => bars[a].begin - bars[b].begin);
  for (const index of order) {
    const bar = bars[index];
    if (!byProcess.has(bar.process)) {
      const lane = { process: bar.process, rows: [] };
      byProcess.set(bar.process, lane);
      lanes.push(lane);
    }
    const lane = byProcess.get(bar.process);
    let row = lane.rows.find(each => each.end <= bar.begin);
    if (!row) lane.rows.push(row = { end: 0, bars: [] });
    row.end = bar.open ? Infinity : bar.end;
    row.bars.push(index);
  }
  const collator = new Intl.Collator(undefined, { numeric: true });
  lanes.sort((a, b) => collator.compare(a.process, b.process));
  return lanes;
}

function draw(history, section) {
  const bars = history.bars;
  if (bars.length === 0) return;
  const lanes = rowsOf(bars);
  const left = 24 + 8 * Math.max(4, ...lanes.map(lane => lane.process.length));
  const last = Math.max(...bars.map(bar => Math.max(bar.end, bar.begin + 1))) + 0.6;
  const longest = Math.max(...bars.filter(bar => !bar.open).map(bar => 7.3 * bar.text.length /
    Math.max(1, bar.end - bar.begin)), 1);
  const unit = Math.max(26, Math.min(longest, 100, 14000 / last));
  const height = 26, gap = 6;
  const x = at => left + 8 + at * unit;
  const rows = lanes.reduce((sum, lane) => sum + lane.rows.length, 0);
  const total = 30 + rows * (height + gap) + 24;
  const width = Math.ceil(x(last) + 40);
  const place = section.querySelector('.place');
  const box = html('div', undefined, place, 'picture');
  const svg = make('svg', { width, height: total, role: 'img', 'aria-label': 'operations by process' }, box);
  const detail = html('div', 'Point at an operation to see what it did; choose an order to see its points.',
    place, 'detail');
  // Names of processes stay in sight while the picture is scrolled.
  const labels = make('g', { class: 'labels' });
  make('rect', { x: 0, y: 0, width: left, height: total }, labels);
  const centre = [];
  const groups = [];
  let y = 30;
  for (const lane of lanes) {
    make('text', { x: 8, y: y + 17 }, labels).textContent = lane.process;
    for (const row of lane.rows) {
      make('line', { class: 'lane', x1: left, x2: width, y1: y + height + gap / 2, y2: y + height + gap / 2 }, svg);
      for (const index of row.bars) {
        const bar = bars[index];
        const group = make('g', { class: 'bar' + ['open', 'failed', 'contradicts', 'offending']
          .filter(name => bar[name]).map(name => ' ' + name).join('') , 'data-number': bar.number }, svg);
        const from = x(bar.begin), to = bar.open ? x(last) : x(Math.max(bar.end, bar.begin + 0.4));
        make('rect', { x: from, y, width: to - from, height, rx: 4 }, group);
        const room = Math.floor((to - from - 8) / 7.3);
        const text = bar.text.length <= room ? bar.text : room > 2 ? bar.text.slice(0, room - 1) + '…' : '';
        make('text', { x: from + 4, y: y + 17 }, group).textContent = text;
        make('title', {}, group).textContent = bar.text;
        if (bar.offending) {
          make('text', { class: 'flag', x: from, y: y - 3 }, svg).textContent = '✗ ' + bar.text;
        }
        centre[index] = y + height / 2;
        groups[index] = group;
      }
      y += height + gap;
    }
  }
  const layer = make('g', { class: 'order' }, svg);
  svg.appendChild(labels);
  box.addEventListener('scroll', () => labels.setAttribute('transform', 'translate(' + box.scrollLeft + ',0)'));
  let chosen = null;
  const describe = index => {
    const bar = bars[index];
    const lines = ['#' + bar.number + '  ' + bar.text,
      'process ' + bar.process + (bar.source ? ', ' + bar.source : '') +
      (bar.open ? ', never returned or outcome unknown' : '') + (bar.failed ? ', failed: never took effect' : '') +
      (bar.offending ? ', CANNOT BE PLACED' : bar.contradicts ? ', part of the contradiction' : '')];
    const order = chosen === null ? null : history.orders[chosen];
    const point = order && order.points.find(each => each.bar === index);
    if (point) lines.push('number ' + point.place + ' of ' + order.length + ' in this order' +
      (point.state ? '; the object is then ' + point.state : ''));
    else if (order) lines.push('not in this order');
    detail.textContent = lines.join('\n');
  };
  bars.forEach((bar, index) => {
    groups[index].addEventListener('mouseenter', () => {
      // Where the chosen order does not hold it, show one that does.
      const holds = order => order.points.some(point => point.bar === index);
      if (chosen === null || !holds(history.orders[chosen])) {
        const better = history.orders.findIndex(holds);
        if (better >= 0) choose(better);
      }
      describe(index);
    });
  });
  const buttons = [];
  function choose(which) {
    chosen = which;
    layer.replaceChildren();
    buttons.forEach((button, index) => button.setAttribute('aria-pressed', String(index === which)));
    if (which === null) return;
    const points = history.orders[which].points;
    make('polyline', { class: 'chain', points: points.map(p => x(p.at) + ',' + centre[p.bar]).join(' ') }, layer);
    for (const point of points) {
      const group = make('g', { class: 'point' }, layer);
      make('circle', { cx: x(point.at), cy: centre[point.bar], r: 4 }, group);
      make('text', { x: x(point.at) + 5, y: centre[point.bar] - 6 }, group).textContent = point.place;
      make('title', {}, group).textContent = point.state ? 'then ' + point.state : '';
    }
    const order = history.orders[which];
    detail.textContent = (order.next.length ? 'after these ' + order.length + ' operations' +
      (order.state ? ' the object is ' + order.state : '') + '\n' + order.next.map(each => 'not ' + each).join('\n')
      : 'a linearization of all ' + order.length + ' operations');
  }
  if (history.orders.length) {
    const controls = html('div', undefined, null, 'controls');
    box.before(controls);
    html('span', history.verdict === 'ok' ? 'Order:' : 'Longest partial orders:', controls, 'faint');
    history.orders.forEach((order, index) => {
      const button = html('button', order.length + (order.length === 1 ? ' operation' : ' operations'), controls);
      button.addEventListener('click', () => choose(chosen === index ? null : index));
      buttons.push(button);
    });
    choose(0);
  }
  const offending = bars.findIndex(bar => bar.offending);
  if (offending >= 0) {
    describe(offending);
    box.scrollLeft = Math.max(0, x(bars[offending].begin) - 500);
  }
}

for (const history of histories) draw(history, document.getElementById(history.id));
)js";

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : printable_utf8(text)) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

Json bar_json(const HistoryBar& bar) {
  return {{"number", bar.number},       {"process", bar.process},
          {"text", bar.text},           {"source", bar.source},
          {"begin", bar.begin},         {"end", bar.end},
          {"open", bar.open},           {"failed", bar.failed},
          {"offending", bar.offending}, {"contradicts", bar.contradicts}};
}

Json order_json(const HistoryOrder& order) {
  Json points = Json::array();
  for (const HistoryOrder::Point& point : order.points)
    points.push_back({{"bar", point.bar}, {"place", point.place}, {"at", point.at}, {"state", point.state}});
  return {
      {"length", order.length}, {"state", order.state}, {"next", order.next}, {"points", std::move(points)}};
}

std::string section(const HistoryReport& report, const std::string& id, bool picture) {
  std::string out =
      fmt::format("<section class=\"history\" id=\"{}\">\n<header><span class=\"verdict {}\">{}</span>", id,
                  report.word(), report.word());
  out += fmt::format("<h2>{}</h2><span class=\"faint\">", escaped(report.file));
  if (!report.error.empty()) {
    return out + fmt::format("</span></header>\n<p class=\"offending\">{}</p>\n</section>\n",
                             escaped(report.error));
  }
  out += fmt::format("{} {}, {} operations, {} steps, {:.3f} s</span></header>\n",
                     escaped(report.consistency), escaped(report.model), with_commas(report.operations),
                     with_commas(report.steps), report.elapsed_s);
  if (!report.offending.empty())
    out += fmt::format("<p class=\"offending\"><b>{}</b> cannot be placed.<br>{}</p>\n",
                       escaped(report.offending), escaped(report.reason));
  if (report.offending.empty() && !report.reason.empty())
    out += fmt::format("<p class=\"offending\">{}</p>\n", escaped(report.reason));
  for (const std::string& note : report.notes)
    out += fmt::format("<p class=\"faint\">{}</p>\n", escaped(note));
  if (!report.left_out.empty()) out += fmt::format("<p class=\"faint\">{}</p>\n", escaped(report.left_out));
  if (!picture && !report.bars.empty()) out += "<p class=\"faint\">No picture: too many files.</p>\n";
  out += "<div class=\"place\"></div>\n";
  if (!report.explanation.empty()) {
    out += "<details open><summary>Explanation</summary><pre>";
    for (const std::string& line : report.explanation) out += escaped(line) + "\n";
    out += "</pre></details>\n";
  }
  return out + "</section>\n";
}

}  // namespace

std::string history_page(const std::vector<HistoryReport>& reports, const HistoryPageOptions& options) {
  // What is wrong first.
  std::vector<std::size_t> order(reports.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  const auto rank = [&](std::size_t i) {
    return !reports[i].error.empty()                 ? 1
           : reports[i].verdict == Verdict::violated ? 0
           : reports[i].verdict == Verdict::unknown  ? 2
                                                     : 3;
  };
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return rank(a) < rank(b); });
  Json data = Json::array();
  std::string sections;
  for (std::size_t place = 0; place < order.size(); ++place) {
    const HistoryReport& report = reports[order[place]];
    const std::string id = fmt::format("history-{}", place);
    const bool picture = place < options.pictures_max;
    sections += section(report, id, picture);
    if (!picture || !report.error.empty()) continue;
    Json object = {
        {"id", id}, {"verdict", report.word()}, {"bars", Json::array()}, {"orders", Json::array()}};
    for (const HistoryBar& bar : report.bars) object["bars"].push_back(bar_json(bar));
    for (const HistoryOrder& each : report.orders) object["orders"].push_back(order_json(each));
    data.push_back(std::move(object));
  }
  // "</script>" inside the data would end it: "<" is written as an escape.
  std::string block = data.dump(-1, ' ', true, Json::error_handler_t::replace);
  for (std::size_t at = block.find('<'); at != std::string::npos; at = block.find('<', at))
    block.replace(at, 1, "\\u003c");
  std::string page = "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n";
  page += "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n";
  page += fmt::format("<title>{}</title>\n<style>{}</style>\n</head>\n<body>\n<h1>{}</h1>\n",
                      escaped(options.title), style, escaped(options.title));
  page += fmt::format("<p>{}</p>\n", escaped(summary_line(reports)));
  page +=
      "<p class=\"legend faint\"><span><i style=\"background:var(--bad)\"></i>cannot be placed</span>"
      "<span><i style=\"background:var(--part)\"></i>part of the contradiction</span>"
      "<span><i style=\"background:var(--bar)\"></i>returned</span>"
      "<span><i style=\"background:var(--open)\"></i>outcome unknown</span>"
      "<span><i style=\"background:var(--fail)\"></i>failed</span></p>\n";
  page += sections;
  page += fmt::format(
      "<script type=\"application/json\" id=\"data\">{}</script>\n<script>{}</script>\n</body>\n</html>\n",
      block, script);
  return page;
}

}  // namespace gainsay
