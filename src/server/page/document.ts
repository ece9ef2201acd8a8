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
