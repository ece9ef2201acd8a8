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
body { margin: 0 auto; max-width: 62rem; padding: 2.5rem 1.5rem 4rem; background: var(--ground); color: var(--text);
  font: 1rem/1.55 var(--sans); overflow-wrap: anywhere; }
h1, h2, h3, h4, p, ul, dl { margin: 0; }
h1 { font-size: clamp(2rem, 6vw, 2.9rem); line-height: 1.12; letter-spacing: -0.022em; font-weight: 650; }
h2 { font-size: 1.5rem; line-height: 1.25; letter-spacing: -0.012em; margin: 2.25rem 0 1rem; }
h3 { font-size: 1.125rem; line-height: 1.4; }
h4 { font-size: 1rem; margin-top: .8rem; }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; border-radius: 3px; }
code, pre { font-family: var(--mono); font-size: .875em; unicode-bidi: isolate; }
.fine { font-size: .8125rem; color: var(--muted); }
.known { font-size: .875rem; color: var(--blocked); }

.eyebrow { color: var(--muted); margin-bottom: .6rem; }
.summary.pass h1 { color: var(--pass); }
.summary.fail h1 { color: var(--fail); }
.summary.blocked h1 { color: var(--blocked); }
.lead { font-size: 1.1875rem; margin-top: .75rem; max-width: 44rem; }
.note { margin-top: .75rem; padding-left: .9rem; border-left: 3px solid var(--blocked); }
.counts { display: flex; flex-wrap: wrap; gap: .4rem 1.9rem; padding: 0; margin-top: 1.25rem; list-style: none; }
.counts strong { font-size: 1.375rem; font-variant-numeric: tabular-nums; letter-spacing: -.01em; }
.facts { display: flex; flex-wrap: wrap; gap: .1rem 2rem; margin-top: .9rem; font-size: .875rem; }
.facts div { display: flex; gap: .5rem; }
.facts dt { color: var(--muted); }
.facts dd { margin: 0; }
.verdict { font-size: .875rem; font-weight: 600; white-space: nowrap; }
.verdict .sign { display: inline-block; min-width: .9em; text-align: center; }
.verdict.pass { color: var(--pass); } .verdict.fail { color: var(--fail); }
.verdict.observed { color: var(--observed); } .verdict.blocked, .verdict.warn { color: var(--blocked); }
.verdict.not-applicable { color: var(--not-applicable); } .verdict.error { color: var(--error); }

.problem { background: var(--surface); border: 1px solid var(--line); border-radius: .6rem; padding: 1rem 1.25rem; }
.problem + .problem { margin-top: .9rem; }
.problem h3 { display: flex; gap: .6rem; margin-bottom: .3rem; }
.problem .number { flex: none; color: var(--fail); font-variant-numeric: tabular-nums; }
.impact { color: var(--muted); font-weight: 400; white-space: nowrap; }
.said { max-width: 46rem; }
.problem > .fine { margin-top: .3rem; }
.evidence { margin-top: .5rem; }
.evidence div { display: grid; grid-template-columns: 4.75rem minmax(0, 1fr); gap: .75rem; }
.evidence dt { color: var(--muted); font-size: .875rem; line-height: 1.77; }
.evidence dd { margin: 0; unicode-bidi: isolate; }
.evidence .got dd, .evidence .found dd { font-weight: 600; }

.bullets { padding-left: 1.2rem; margin: .4rem 0 0; font-size: .9375rem; }
.signs { padding: 0; margin-top: 1.1rem; list-style: none; font-size: .9375rem; }
.signs li + li { margin-top: .4rem; }
details { margin-top: .4rem; }
summary { cursor: pointer; font-size: .875rem; color: var(--muted); padding: .15rem 0; }
summary:hover { color: var(--text); }
.part { margin: 0; border-top: 1px solid var(--line); padding: .6rem 0; }
:not(.part) + .part { margin-top: 1.25rem; }
.part > summary { padding: .2rem 0; }
.part > summary h2 { display: inline; font-size: 1.0625rem; margin: 0; letter-spacing: 0; color: var(--text); }
.part > h3 { margin: 2rem 0 .3rem; }
footer { margin-top: 1.5rem; }

pre { background: var(--sunken); border: 1px solid var(--line); border-radius: .4rem; padding: .75rem .9rem;
  font-size: .8125rem; line-height: 1.55; white-space: pre-wrap; overflow: auto; max-height: 22rem;
  margin-top: .8rem; user-select: all; }

.cases { padding: 0; list-style: none; }
.case { display: grid; grid-template-columns: 8.2rem 1fr; gap: .8rem; padding: .6rem 0;
  border-top: 1px solid var(--line); }
.case > .verdict { line-height: 1.77; }
.case .more { font-size: .9375rem; color: var(--muted); }
:target { background: var(--sunken); }

@media (max-width: 40rem) {
  body { padding: 1.5rem 1rem 3rem; font-size: .9375rem; }
  h3 { font-size: 1rem; }
  .evidence dd { font-size: .875rem; line-height: 1.65; }
  .evidence div { gap: .4rem; }
  .facts { font-size: .8125rem; }
  .problem { padding: .9rem; }
  .case { grid-template-columns: minmax(0, 1fr); gap: .1rem; }
}
@media print {
  body { max-width: none; padding: 0; }
  pre { max-height: none; }
}
`;
