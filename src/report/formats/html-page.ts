/** The style of the page, light and dark. The page has it as it is. */
export const style = `
:root {
  color-scheme: light dark;
  --ground: #fafaf7; --surface: #fff; --sunken: #f3f4ef; --line: #dfe2da; --text: #1d211e; --muted: #59615b;
  --link: #1d5c8f; --pass: #1d6b41; --fail: #ae2418; --observed: #1d5c8f; --blocked: #855300;
  --not-applicable: #59615b; --error: #773a9a;
  --sans: system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', 'Noto Sans', sans-serif;
  --mono: ui-monospace, 'SF Mono', 'Cascadia Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #131614; --surface: #1a1e1b; --sunken: #151816; --line: #323933; --text: #e5e9e5; --muted: #a2aaa4;
    --link: #84bdec; --pass: #74cf9a; --fail: #ff9186; --observed: #84bdec; --blocked: #e4b65c;
    --not-applicable: #a2aaa4; --error: #d4a8ef;
  }
}
*, ::before, ::after { box-sizing: border-box; }
[hidden] { display: none !important; }
html { scroll-padding-top: 1rem; }
body { margin: 0 auto; max-width: 62rem; padding: 2.5rem 1.5rem 4rem; background: var(--ground); color: var(--text);
  font: 1rem/1.55 var(--sans); overflow-wrap: anywhere; }
h1, h2, h3, h4, p, ul, dl, figure, pre { margin: 0; }
h1 { font-size: clamp(2rem, 6vw, 2.9rem); line-height: 1.12; letter-spacing: -0.022em; font-weight: 650; }
h2 { font-size: 1.5rem; line-height: 1.25; letter-spacing: -0.012em; margin: 2.25rem 0 1rem; }
h3 { font-size: 1.125rem; line-height: 1.4; }
h4 { font-size: 1rem; }
.part-of { font-size: .8125rem; color: var(--muted); font-weight: 600; margin-bottom: .3rem; }
a { color: var(--link); text-underline-offset: .15em; text-decoration-thickness: 1px; }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; border-radius: 3px; }
code, pre { font-family: var(--mono); font-size: .875em; unicode-bidi: isolate; }
.fine { font-size: .8125rem; color: var(--muted); }
.fine code { font-size: 1em; }

.eyebrow { color: var(--muted); margin-bottom: .6rem; }
.summary.pass h1 { color: var(--pass); }
.summary.fail h1 { color: var(--fail); }
.summary.blocked h1 { color: var(--blocked); }
.lead { font-size: 1.1875rem; margin-top: .75rem; max-width: 44rem; }
.note { margin-top: .75rem; padding-left: .9rem; border-left: 3px solid var(--blocked); }
.bar { display: block; width: 100%; height: .5rem; margin: 1.25rem 0 .6rem; border-radius: .25rem; }
.bar .pass { fill: var(--pass); } .bar .fail { fill: var(--fail); }
.bar .blocked { fill: var(--blocked); } .bar .error { fill: var(--error); }
.bar .not-applicable { fill: var(--not-applicable); }
.counts { display: flex; flex-wrap: wrap; gap: .4rem 1.9rem; padding: 0; list-style: none; }
.counts strong { font-size: 1.375rem; font-variant-numeric: tabular-nums; letter-spacing: -.01em; }
.facts { display: flex; flex-wrap: wrap; gap: .1rem 2rem; margin-top: .9rem; font-size: .875rem; }
.facts div { display: flex; gap: .5rem; }
.facts dt { color: var(--muted); }
.facts dd { margin: 0; }

.verdict { font-size: .875rem; font-weight: 600; white-space: nowrap; }
.verdict .sign { display: inline-block; min-width: .9em; text-align: center; }
.verdict.pass { color: var(--pass); } .verdict.fail { color: var(--fail); }
.verdict.observed { color: var(--observed); } .verdict.blocked { color: var(--blocked); }
.verdict.not-applicable { color: var(--not-applicable); } .verdict.error { color: var(--error); }

.overview { padding-left: 2.2rem; margin-bottom: 2rem; font-size: .9375rem; line-height: 1.5; }
.overview li::marker { color: var(--muted); font-variant-numeric: tabular-nums; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }

.problem { background: var(--surface); border: 1px solid var(--line); border-radius: .6rem; padding: 1rem 1.25rem; }
.problem + .problem { margin-top: .9rem; }
.problem h3 { display: flex; gap: .6rem; margin-bottom: .3rem; }
.problem .number { flex: none; color: var(--fail); font-variant-numeric: tabular-nums; }
.impact { color: var(--muted); font-weight: 400; white-space: nowrap; }
.fix { max-width: 46rem; }
.problem > .fine { margin-top: .3rem; }
.broken + .broken { margin-top: 1rem; padding-top: .8rem; border-top: 1px solid var(--line); }
.broken h4 .verdict { margin-right: .4rem; }
.evidence { margin-top: .5rem; }
.evidence + .evidence { padding-top: .6rem; border-top: 1px dashed var(--line); }
.known { font-size: .875rem; color: var(--blocked); }
.facts-of-evidence div { display: grid; grid-template-columns: 4.75rem minmax(0, 1fr); gap: .75rem; }
.facts-of-evidence dt { color: var(--muted); font-size: .875rem; line-height: 1.77; }
.facts-of-evidence dd { margin: 0; unicode-bidi: isolate; }
.facts-of-evidence .got dd, .facts-of-evidence .found dd { font-weight: 600; }

details { margin-top: .4rem; }
.part { margin: 0; border-top: 1px solid var(--line); padding: .6rem 0; }
section:has(> .part) { margin-top: 1.25rem; }
section:has(> .part) + section:has(> .part) { margin-top: 0; }
.part > summary h2 { display: inline; font-size: 1.0625rem; margin: 0; letter-spacing: 0; color: var(--text); }
.part > summary { padding: .2rem 0; }
.others { padding: 0; margin-top: 1.1rem; list-style: none; font-size: .9375rem; }
.others li + li { margin-top: .4rem; }
footer { margin-top: 1.5rem; }
summary { cursor: pointer; font-size: .875rem; color: var(--muted); padding: .15rem 0; }
summary strong { color: var(--text); }
summary:hover { color: var(--text); }
.further ul { margin: .4rem 0 0; padding-left: 1.2rem; font-size: .875rem; }
.exchange { display: grid; grid-template-columns: 1fr 1fr; gap: 1rem; margin: .5rem 0 .3rem; }
.exchange > div { min-width: 0; }
pre { background: var(--sunken); border: 1px solid var(--line); border-radius: .4rem; padding: .75rem .9rem;
  font-size: .8125rem; line-height: 1.55; white-space: pre-wrap; overflow: auto; max-height: 22rem; }
pre .field { color: var(--muted); }
pre em { color: var(--muted); font-style: normal; }
.curl { margin-top: .8rem; }
.curl figcaption { display: flex; justify-content: space-between; align-items: end; min-height: 1.9rem;
  margin-bottom: .3rem; font-size: .8125rem; font-weight: 600; color: var(--muted); }
button { font: 600 .8125rem/1.3 var(--sans); color: var(--text); background: var(--surface); cursor: pointer;
  border: 1px solid var(--line); border-radius: .4rem; padding: .3rem .7rem; }
button:hover { border-color: var(--muted); }
.curl button { min-width: 5.2rem; }

.filter { display: flex; flex-wrap: wrap; align-items: center; gap: .7rem 1.2rem; margin: .7rem 0 1rem; }
.chips { display: flex; flex-wrap: wrap; gap: .4rem; }
.chips button { font-variant-numeric: tabular-nums; padding: .3rem .75rem; border-radius: 2rem; }
.chips .verdict { font-size: inherit; }
.chips [aria-pressed='true'] { border-color: currentColor; box-shadow: inset 0 0 0 1px currentColor; }
.filter label { font-size: .875rem; color: var(--muted); display: flex; gap: .5rem; align-items: center; }
input { font: inherit; color: var(--text); background: var(--surface); border: 1px solid var(--muted);
  border-radius: .4rem; padding: .3rem .6rem; width: 14rem; max-width: 100%; }
::placeholder { color: var(--muted); opacity: 1; }
.group h3 { margin: 2rem 0 .3rem; }
.cases { padding: 0; list-style: none; }
.case { display: grid; grid-template-columns: 8.2rem 1fr; gap: .8rem; padding: .6rem 0;
  border-top: 1px solid var(--line); }
.case > .verdict { line-height: 1.77; }
.case:target, details:target, .problem:target, :target > .fine { background: var(--sunken); }
.case .detail { font-size: .9375rem; color: var(--muted); }

.further-section ul { padding-left: 1.1rem; margin-top: .6rem; }
.further-section li + li { margin-top: .3rem; }

@media (max-width: 40rem) {
  body { padding: 1.5rem 1rem 3rem; font-size: .9375rem; }
  h3 { font-size: 1rem; }
  .facts-of-evidence dd { font-size: .875rem; line-height: 1.65; }
  .facts { font-size: .8125rem; }
  .problem { padding: .9rem; }
  .exchange, .case { grid-template-columns: minmax(0, 1fr); gap: .1rem; }
  .exchange { gap: .8rem; }
  .facts-of-evidence div { gap: .4rem; }
}
@media print {
  body { max-width: none; padding: 0; }
  pre { max-height: none; }
  .filter, button { display: none !important; }
}
`;

/**
 * The script of the page. It filters the cases, copies commands, and opens what a link leads to. The page can be read
 * without it, so it shows what needs it. The page has it as it is: it must not contain `</script>`.
 */
export const script = `
(() => {
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];

  const form = document.querySelector('[data-filter]');
  const find = form?.querySelector('[data-find]');
  const chips = all('[data-show]');
  const rows = all('[data-verdict]');

  function filter() {
    const wanted = chips
      .filter((chip) => chip.getAttribute('aria-pressed') === 'true')
      .map((chip) => chip.dataset.show);
    const text = find.value.trim().toLowerCase();
    let shown = 0;
    for (const row of rows) {
      const hasVerdict = wanted.length === 0 || wanted.includes(row.dataset.verdict);
      row.hidden = !(hasVerdict && row.textContent.toLowerCase().includes(text));
      if (!row.hidden) shown++;
    }
    for (const group of all('[data-group]')) group.hidden = !group.querySelector('[data-verdict]:not([hidden])');
    form.querySelector('[data-shown]').textContent =
      (shown === rows.length ? '' : shown + ' of ') + rows.length + ' ' + form.dataset.kind + (rows.length === 1 ? '' : 's');
  }

  for (const chip of chips) {
    chip.addEventListener('click', () => {
      chip.setAttribute('aria-pressed', String(chip.getAttribute('aria-pressed') !== 'true'));
      filter();
    });
  }
  if (form) {
    find.addEventListener('input', filter);
    form.addEventListener('submit', (event) => event.preventDefault());
    form.hidden = false;
    filter();
  }

  async function copy(pre) {
    try {
      await navigator.clipboard.writeText(pre.textContent);
      return true;
    } catch {
      getSelection().selectAllChildren(pre);
      return document.execCommand('copy');
    }
  }

  for (const button of all('[data-copy]')) {
    const word = button.querySelector('[data-word]');
    button.hidden = false;
    button.addEventListener('click', async () => {
      word.textContent = (await copy(button.closest('figure').querySelector('pre'))) ? 'Copied' : 'Selected';
      setTimeout(() => { word.textContent = 'Copy'; }, 2000);
    });
  }

  function reveal() {
    const target = document.getElementById(location.hash.slice(1));
    if (target === null) return;
    if (target.closest('[hidden]')) {
      for (const chip of chips) chip.setAttribute('aria-pressed', 'false');
      find.value = '';
      filter();
    }
    for (let node = target; node !== null; node = node.parentElement) {
      if (node.tagName === 'DETAILS') node.open = true;
    }
    target.scrollIntoView();
  }
  // A fold cannot be opened on paper.
  addEventListener('beforeprint', () => { for (const fold of all('.problem details')) fold.open = true; });
  addEventListener('hashchange', reveal);
  reveal();
})();
`;
