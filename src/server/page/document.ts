/** The page. What it shows is put in by its script, as text. */
export const document = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>plant-store</title>
<link rel="icon" href="/page/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/page/style.css">
<script type="module" src="/page/main.js"></script>
</head>
<body>
<header class="top">
<h1><svg class="leaf" viewBox="0 0 16 16" aria-hidden="true"><path d="M13.8 2.2C7 1.600 2.600 4.500 2.600 9.300c0 1 .2 1.900.6 2.700L8.500 7 4.300 13.300l1.100 1C6.200 14.700 7 14.900 8 14.900c5 0 6.600-5.900 5.800-12.700z"/></svg><span id="kind">plant-store</span></h1>
<p class="where" id="where"></p>
<p class="live"><span id="state" class="state" role="status">connecting</span><span id="shown"></span><span id="rate"></span></p>
</header>
<main>
<div class="tabs" role="tablist" aria-label="Views" id="tabs" hidden></div>
<form id="token" class="token" hidden>
<h2>Token</h2>
<p>This control interface needs its token. It is kept in this tab only, until you reload it.</p>
<input type="text" name="username" autocomplete="username" value="plant-store" hidden>
<label>Control token <input type="password" name="token" autocomplete="current-password" required></label>
<button type="submit" class="main">Connect</button>
<p class="alert" id="token-problem" role="alert"></p>
</form>

<section id="panel-requests" role="tabpanel" aria-labelledby="tab-requests" hidden>
<form class="bar" id="filter" role="search" aria-label="Filter the requests">
<input type="search" id="search" aria-label="Search" placeholder="Search path, body, problem" autocomplete="off" spellcheck="false" maxlength="200">
<div class="chips" id="verdicts" role="group" aria-label="Verdict"></div>
<label class="choice">Status <select id="status">
<option value="">any</option><option value="2">2xx</option><option value="3">3xx</option><option value="4">4xx</option><option value="5">5xx</option><option value="0">none</option>
</select></label>
<div class="actions">
<button type="button" id="pause" aria-pressed="false">Pause</button>
<button type="button" id="export">Export HAR</button>
<button type="button" id="forget">Clear</button>
</div>
</form>
<div class="split" id="split">
<div class="list" id="list" role="grid" tabindex="0" aria-label="Requests, newest first" aria-describedby="keys">
<div class="row head" role="row" aria-rowindex="1">
<span role="columnheader" class="time">Time</span><span role="columnheader" class="what">Request</span><span role="columnheader" class="status">Status</span><span role="columnheader" class="verdict">Verdict</span><span role="columnheader" class="took">Took</span>
</div>
<div class="rows" id="rows" role="presentation"></div>
<p class="empty" id="empty" role="presentation"></p>
</div>
<button type="button" class="fresh" id="fresh" hidden></button>
<button type="button" class="fresh paused" id="paused" hidden></button>
<section class="detail" id="detail" aria-label="Request and response" hidden></section>
</div>
<p id="keys" class="unseen">Use the arrow keys to choose a request, Enter to read it, Escape to close it, slash to search, and P to pause.</p>
</section>

<section id="panel-plants" role="tabpanel" aria-labelledby="tab-plants" class="plain" hidden></section>
<section id="panel-failures" role="tabpanel" aria-labelledby="tab-failures" class="plain" hidden></section>
<section id="panel-faults" role="tabpanel" aria-labelledby="tab-faults" class="plain" hidden></section>
<section id="panel-violations" role="tabpanel" aria-labelledby="tab-violations" class="plain" hidden></section>
<p id="notice" class="notice" role="status"></p>
</main>
<noscript><p class="plain">This page needs JavaScript.</p></noscript>
</body>
</html>
`;

export const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><path fill="#1d6b41" d="M13.8 2.2C7 1.600 2.600 4.500 2.600 9.300c0 1 .2 1.900.6 2.700L8.500 7 4.300 13.300l1.100 1C6.200 14.700 7 14.900 8 14.900c5 0 6.600-5.900 5.800-12.700z"/></svg>`;

/** The style of the page, light and dark. Its colours are those of the HTML report. */
export const style = `
:root {
  color-scheme: light dark;
  --ground: #fafaf7; --surface: #fff; --sunken: #f3f4ef; --line: #dfe2da; --text: #1d211e; --muted: #59615b;
  --link: #1d5c8f; --pass: #1d6b41; --fail: #ae2418; --warn: #855300; --chosen: #e4eef6; --row: 28px;
  --sans: system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', 'Noto Sans', sans-serif;
  --mono: ui-monospace, 'SF Mono', 'Cascadia Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #131614; --surface: #1a1e1b; --sunken: #151816; --line: #323933; --text: #e5e9e5; --muted: #a2aaa4;
    --link: #84bdec; --pass: #74cf9a; --fail: #ff9186; --warn: #e4b65c; --chosen: #20303c;
  }
}
*, ::before, ::after { box-sizing: border-box; }
[hidden] { display: none !important; }
html, body { height: 100%; }
body { margin: 0; display: flex; flex-direction: column; background: var(--ground); color: var(--text);
  font: .875rem/1.45 var(--sans); overflow: hidden; }
h1, h2, h3, p, ul, pre, figure { margin: 0; }
ul { padding: 0; list-style: none; }
h1 { font-size: .9375rem; font-weight: 650; display: flex; align-items: center; gap: .45rem; }
h2 { font-size: 1.0625rem; font-weight: 650; letter-spacing: -.005em; }
h3 { font-size: .8125rem; font-weight: 600; color: var(--muted); }
.leaf { width: 1.05rem; height: 1.05rem; fill: var(--pass); }
:focus-visible { outline: 2px solid var(--link); outline-offset: -2px; border-radius: .25rem; }
code, pre, .what, .time, .status, td.id { font-family: var(--mono); font-size: .8125rem; unicode-bidi: isolate; }
.fine { font-size: .8125rem; color: var(--muted); }
.alert { color: var(--fail); }
.alert:empty { display: none; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }

.top { display: flex; align-items: center; gap: .25rem 1.1rem; padding: .6rem 1rem .1rem; flex-wrap: wrap; }
.where { font-family: var(--mono); font-size: .8125rem; color: var(--muted); overflow-wrap: anywhere; }
.live { margin-left: auto; display: flex; gap: .9rem; font-size: .8125rem; color: var(--muted); font-variant-numeric: tabular-nums; }
.state::before { content: ''; display: inline-block; width: .5rem; height: .5rem; margin-right: .4rem; border-radius: 50%;
  background: var(--warn); }
.state.on::before { background: var(--pass); }

.tabs { display: flex; gap: .25rem; padding: 0 .6rem; border-bottom: 1px solid var(--line); flex: none; }
.tabs button { border: 0; border-radius: 0; background: none; padding: .5rem .65rem; color: var(--muted); font-weight: 500;
  border-bottom: 2px solid transparent; margin-bottom: -1px; }
.tabs .count { color: var(--warn); font-variant-numeric: tabular-nums; }
.tabs button:hover { color: var(--text); }
.tabs [aria-selected='true'] { color: var(--text); font-weight: 600; border-bottom-color: var(--pass); }
main { flex: 1; min-height: 0; display: flex; flex-direction: column; }
main > section { flex: 1; min-height: 0; display: flex; flex-direction: column; }
main > .plain { overflow: auto; padding: .25rem 1rem 2rem; display: block; }

button, select, input { font: 500 .8125rem/1.3 var(--sans); color: var(--text); background: var(--surface);
  border: 1px solid var(--line); border-radius: .35rem; padding: .3rem .6rem; max-width: 100%; }
button { cursor: pointer; white-space: nowrap; }
button:hover, select:hover { border-color: var(--muted); }
button.main { background: var(--link); border-color: var(--link); color: var(--ground); font-weight: 600; padding-inline: 1rem; }
button.main:hover { border-color: var(--text); }
button[aria-pressed='true'] { border-color: currentColor; box-shadow: inset 0 0 0 1px currentColor; }
input, select { border-color: var(--muted); }
input[type='search'] { min-width: 0; width: 14rem; flex: 0 1 auto; }
input[type='checkbox'] { accent-color: var(--pass); margin: 0 .35rem 0 0; width: 1rem; height: 1rem; vertical-align: -.15rem; }
::placeholder { color: var(--muted); opacity: 1; }
.bar { display: flex; flex-wrap: wrap; align-items: center; gap: .45rem .75rem; padding: .55rem 1rem; flex: none; }
.plain .bar { padding-inline: 0; }
.actions { display: flex; gap: .4rem; margin-left: auto; }
.choice { font-size: .8125rem; color: var(--muted); }
.chips { display: flex; flex-wrap: wrap; align-items: center; gap: .35rem; }
.chip { border-radius: 1rem; padding: .22rem .65rem; font-variant-numeric: tabular-nums; }
.chip .count { color: var(--muted); margin-left: .15rem; }
.conforms .sign, .mark.conforms { color: var(--pass); }
.response .sign, .accepted .sign, .mark:is(.response, .accepted) { color: var(--fail); }
.request .sign, .mark.request { color: var(--warn); }
.asked-for .sign, .mark.asked-for { color: var(--link); }
.not-judged .sign, .mark.not-judged { color: var(--muted); }

.split { flex: 1; min-height: 0; display: grid; grid-template-rows: minmax(0, 1fr); position: relative;
  border-top: 1px solid var(--line); }
.split.open { grid-template-rows: minmax(6rem, 2fr) minmax(0, 3fr); }
.list { overflow: auto; background: var(--surface); position: relative; scrollbar-gutter: stable; contain: strict;
  overflow-anchor: none; }
.row { display: grid; grid-template-columns: 6.6rem minmax(10rem, 1fr) 3rem minmax(8rem, 1fr); gap: 0 .9rem;
  align-items: center; height: var(--row); padding: 0 1rem; }
.took { display: none; text-align: right; font-size: .8125rem; font-variant-numeric: tabular-nums; }
.timed .row { grid-template-columns: 6.6rem minmax(10rem, 1fr) 3rem minmax(8rem, 1fr) 5rem; }
.timed .took { display: block; }
.rows { position: relative; }
.rows .row { position: absolute; inset: 0 0 auto; cursor: default; border-bottom: 1px solid var(--sunken); }
.rows .row:hover { background: var(--sunken); }
.rows .row[aria-selected='true'] { background: var(--chosen); box-shadow: inset 3px 0 var(--link); }
.row > * { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.row.head { position: sticky; top: 0; z-index: 1; background: var(--surface); border-bottom: 1px solid var(--line);
  font-size: .75rem; font-weight: 600; color: var(--muted); }
.row.head > * { font: inherit; }
.time, .took, .what .sent { color: var(--muted); }
.sign { display: inline-block; min-width: .9em; text-align: center; font-weight: 700; }
.verdict { font-size: .8125rem; }
.rows :is(.response, .accepted) .verdict { color: var(--fail); }
.rows .request .verdict { color: var(--warn); }
.rows .conforms .verdict, .rows .not-judged .verdict { color: var(--muted); }
.rows .asked-for .verdict { color: var(--link); }
.status.s4 { color: var(--warn); } .row:not(.asked-for) > :is(.s5, .s0) { color: var(--fail); }
.empty { padding: 2.5rem 1rem; text-align: center; color: var(--muted); }
.fresh { position: absolute; top: 2.3rem; left: 50%; transform: translateX(-50%); z-index: 2; border-radius: 1rem;
  border-color: var(--link); color: var(--link); box-shadow: 0 1px 5px rgb(0 0 0 / .18); }
.fresh.paused { top: auto; bottom: .8rem; border-color: var(--warn); color: var(--warn); }

.detail { overflow: auto; border-top: 2px solid var(--line); padding: .75rem 1rem 1.5rem; }
.detail-head { display: flex; flex-wrap: wrap; align-items: baseline; gap: .1rem 1rem; margin-bottom: .6rem; }
.detail-head h2 { font: 600 .9375rem/1.4 var(--mono); overflow-wrap: anywhere; }
.detail-head h2:focus { outline: none; }
.problems { margin-bottom: .6rem; border-left: 3px solid var(--fail); padding-left: .8rem; }
.problems:not(:has(.response)) { border-color: var(--warn); }
.problems.asked-for { border-color: var(--link); }
.problems li + li { margin-top: .3rem; }
.problems .fine { display: block; overflow-wrap: anywhere; }
.problems .prism strong { font-weight: 500; color: var(--muted); }
.sides { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); gap: 1rem; margin-top: .6rem; }
.message h3 { margin-bottom: .3rem; }
.message h3 code { color: var(--text); font-weight: 400; margin-left: .4rem; overflow-wrap: anywhere; }
.message pre + pre, .message pre + .fine, .message .fine + pre { margin-top: .35rem; }
pre { background: var(--sunken); border: 1px solid var(--line); border-radius: .35rem; padding: .5rem .7rem; line-height: 1.5;
  white-space: pre-wrap; overflow-wrap: anywhere; max-height: 22rem; overflow: auto; }
pre .name { color: var(--muted); }
.curl { margin-bottom: .6rem; }

.token { max-width: 28rem; margin: 12vh auto 0; padding: 1.4rem; display: grid; gap: .8rem; background: var(--surface);
  border: 1px solid var(--line); border-radius: .6rem; }
.token input { width: 100%; margin-top: .25rem; }
.token button { justify-self: start; }

.scroll { overflow: auto; border: 1px solid var(--line); border-radius: .45rem; background: var(--surface); }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; padding: .32rem .8rem; border-bottom: 1px solid var(--sunken); vertical-align: baseline;
  overflow-wrap: anywhere; }
thead > tr > * { font-size: .75rem; font-weight: 600; color: var(--muted); border-bottom-color: var(--line); }
td.id { white-space: nowrap; font-variant-numeric: tabular-nums; }
tr.response td.id { color: var(--fail); font-weight: 600; } tr.request td.id { color: var(--warn); font-weight: 600; }
tr.prism td { color: var(--muted); }
.two { display: grid; grid-template-columns: minmax(0, 34rem) minmax(0, 1fr); gap: 1.2rem 3rem; margin-top: .4rem; }
.failure-form { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: .6rem .9rem; align-items: end;
  margin-top: 1rem; padding: 1rem; background: var(--surface); border: 1px solid var(--line); border-radius: .5rem; }
.failure-form label { font-size: .8125rem; color: var(--muted); }
.failure-form label > * { display: block; width: 100%; margin-top: .2rem; }
.failure-form button { justify-self: start; }
.failure-form .alert { grid-column: 1 / -1; }
.failures { margin-top: .4rem; }
.failures li { display: flex; gap: .5rem; align-items: baseline; justify-content: space-between; padding: .35rem 0; border-bottom: 1px solid var(--line); font-family: var(--mono); font-size: .8125rem;
  overflow-wrap: anywhere; }
.faults { margin-top: .6rem; columns: 30rem; column-gap: 2.5rem; }
.faults li { padding: .4rem 0; border-bottom: 1px solid var(--line); break-inside: avoid; }
.faults label { display: flex; gap: .35rem; cursor: pointer; }
.faults input { flex: none; margin-top: .12rem; }
.faults code { overflow-wrap: anywhere; }
.faults p { padding-left: 1.7rem; overflow-wrap: anywhere; }
.faults code { font-weight: 600; }
.charts { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(22rem, 100%), 1fr)); gap: 1rem 2rem; margin: .4rem 0 1.1rem; }
.chart figcaption { font-size: .8125rem; color: var(--muted); margin-bottom: .3rem; font-variant-numeric: tabular-nums; }
.chart .bars { height: 4rem; border-bottom: 1px solid var(--line); }
.bars { display: block; width: 100%; height: 1.3rem; fill: var(--muted); }
.chart.fail .bars, tr.response .bars { fill: var(--fail); }
tr.request .bars { fill: var(--warn); }
.over-time { width: 26%; min-width: 8rem; }
.axis { display: flex; justify-content: space-between; font-variant-numeric: tabular-nums; }
.plain h3 { margin: 1.2rem 0 .3rem; }
.two h3 { margin-top: 0; }

.notice { position: fixed; bottom: 1rem; left: 50%; transform: translateX(-50%); background: var(--text); color: var(--ground);
  padding: .4rem .9rem; border-radius: .4rem; visibility: hidden; max-width: 90vw; z-index: 5; }
.notice.on { visibility: visible; }

@media (max-width: 48rem) {
  :root { --row: 50px; }
  .top, .bar { padding-inline: .75rem; }
  .live { margin-left: 0; flex-wrap: wrap; gap: 0 .9rem; }
  #verdicts { flex: 1 0 100%; gap: .3rem; }
  input[type='search'] { width: 100%; flex: 1 0 100%; }
  input, select { font-size: 1rem; }
  button, select { min-height: 2.1rem; }
  .chip { min-height: 1.8rem; padding-inline: .5rem; font-size: .75rem; }
  .tabs { padding: 0 .25rem; overflow-x: auto; }
  .rows .row { grid-template: 'what status' auto 'verdict time' auto / minmax(0, 1fr) auto; align-content: center;
    gap: .05rem .75rem; padding-inline: .75rem; }
  .row.head { display: none; }
  .rows .what { grid-area: what; } .rows .status { grid-area: status; text-align: right; }
  .rows .verdict { grid-area: verdict; } .rows .time { grid-area: time; font-size: .75rem; }
  .split.open { grid-template-rows: minmax(0, 1fr); }
  .detail { position: absolute; inset: 0; background: var(--ground); border-top: 0; z-index: 3; padding-inline: .75rem; }
  .detail-head .actions { position: sticky; margin-left: 0; width: 100%; padding: .4rem 0 0; }
  .sides, .two, .failure-form { grid-template-columns: minmax(0, 1fr); }
  .two > :last-child { order: -1; }
  main > .plain { padding-inline: .75rem; }
  .actions { margin-left: 0; }
  .fresh { top: .6rem; }
  .timed .took { display: none; }
  .kinds, .kinds tbody { display: block; }
  .kinds thead { display: none; }
  .kinds tr { display: grid; grid-template-columns: auto minmax(0, 1fr) auto; gap: .1rem .8rem; padding: .5rem .8rem;
    border-bottom: 1px solid var(--line); }
  .kinds td { border: 0; padding: 0; }
  .kinds td:nth-child(3) { grid-row: 2; grid-column: 1 / -1; }
  .kinds .over-time { grid-row: 3; grid-column: 1 / -1; width: auto; }
  .kinds td:last-child { grid-row: 1; grid-column: 3; }
}
@media (prefers-reduced-motion: no-preference) { .notice { transition: visibility .2s; } }
`;
