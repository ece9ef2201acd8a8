import { call } from './connection.js';
import { button, byId, element, setText, svg } from './dom.js';
import type { Violations as Found, Kind, Reason, Spans } from './wire.js';
import { counted, countText, timeText, visibleInLine } from './words.js';

/** The violations of a proxy by kind, each with its count over time. */
export class ViolationsView {
  private readonly count = element('p', { class: 'fine', role: 'status' });
  private readonly charts = element('div', { class: 'charts' });
  private readonly rows = element('tbody');
  private readonly reasons = element('div');
  private before = '';

  /** @param onFind shows the requests with such a violation */
  constructor(private readonly onFind: (kind: Kind) => void) {
    const titles = ['count', 'where', 'what', 'over time', ''].map((title) =>
      title === '' ? element('td') : element('th', { scope: 'col' }, title),
    );
    byId('panel-violations').append(
      element('header', { class: 'bar' }, element('h2', {}, 'Violations'), this.count),
      this.charts,
      element(
        'div',
        { class: 'scroll', tabindex: 0, role: 'group', 'aria-label': 'Violations by kind' },
        element('table', { class: 'kinds' }, element('thead', {}, element('tr', {}, ...titles)), this.rows),
      ),
      this.reasons,
    );
  }

  async refresh(): Promise<void> {
    const text = await (await call('GET', '/violations')).text();
    if (text === this.before) return;
    this.before = text;
    this.show(JSON.parse(text) as Found);
  }

  private show({ exchanges, kinds, others, withoutResponse, rejected }: Found): void {
    const counting = kinds.filter(({ judge }) => judge === 'interface');
    const total = counting.reduce((count, kind) => count + kind.count, others);
    const more = others > 0 ? `, and ${countText(others)} of further kinds` : '';
    setText(this.count, `${counted(total, 'violation')} of ${counted(counting.length, 'kind')}${more}`);
    const range = rangeOf([exchanges, ...kinds.map(({ overTime }) => overTime)]);
    const all = sum(counting.map(({ overTime }) => overTime)) ?? { ...exchanges, counts: [] };
    this.charts.replaceChildren(
      chart('Requests', exchanges, range, ''),
      chart('Violations', all, range, 'fail'),
    );
    this.rows.replaceChildren(...kinds.map((kind) => this.row(kind, range)));
    this.reasons.replaceChildren(
      ...reasonsList('Requests without a response', withoutResponse),
      ...reasonsList('Rejected requests', rejected),
    );
  }

  private row(kind: Kind, range: Range): HTMLElement {
    const { side, judge, where, message, count, overTime } = kind;
    const whose = judge === 'prism' ? 'Prism: ' : '';
    const place = `${side} ${visibleInLine(where)}`;
    const find = button('Show', () => this.onFind(kind), { 'aria-label': `Show the requests with ${place}` });
    return element(
      'tr',
      { class: judge === 'prism' ? 'prism' : side },
      element('td', { class: 'id' }, countText(count)),
      element('td', {}, whose + place),
      element('td', {}, visibleInLine(message)),
      element('td', { class: 'over-time' }, bars(overTime, range, 20)),
      element('td', {}, judge === 'interface' && find),
    );
  }
}

function chart(title: string, spans: Spans, range: Range, kind: string): HTMLElement {
  const most = Math.max(0, ...spans.counts);
  return element(
    'figure',
    { class: `chart ${kind}` },
    element('figcaption', {}, `${title}: at most ${countText(most)} in ${spanText(spans.spanMs)}`),
    bars(spans, range, 60),
    element(
      'p',
      { class: 'fine axis' },
      element('span', {}, timeText(range.from)),
      element('span', {}, timeText(range.from + range.spans * spans.spanMs)),
    ),
  );
}

function rangeOf(all: readonly Spans[]): Range {
  const filled = all.filter(({ counts }) => counts.length > 0);
  const { spanMs = 1_000 } = filled[0] ?? {};
  const from = Math.min(...filled.map((one) => one.from));
  if (!Number.isFinite(from)) return { from: Date.now(), spans: 1 };
  const to = Math.max(...filled.map((one) => one.from + one.counts.length * spanMs));
  return { from, spans: Math.max(Math.round((to - from) / spanMs), 30) };
}

function reasonsList(title: string, reasons: readonly Reason[]): HTMLElement[] {
  if (reasons.length === 0) return [];
  const items = reasons.map(({ reason, count }) =>
    element('li', {}, `${countText(count)} × ${visibleInLine(reason)}`),
  );
  return [element('h3', {}, title), element('ul', { class: 'reasons' }, ...items)];
}

/** A span of time that all bars of a chart share. */
export interface Range {
  readonly from: number;
  readonly spans: number;
}

/** Bars over time. What they say, the table beside them says in numbers. */
function bars({ from, spanMs, counts }: Spans, range: Range, height: number): SVGElement {
  const most = Math.max(1, ...counts);
  const before = Math.round((from - range.from) / spanMs);
  const rects = counts.flatMap((count, at) => {
    if (count === 0) return [];
    const high = Math.max((count / most) * height, 1);
    return [svg('rect', { x: before + at + 0.1, y: height - high, width: 0.8, height: high })];
  });
  return svg(
    'svg',
    {
      class: 'bars',
      viewBox: `0 0 ${range.spans} ${height}`,
      preserveAspectRatio: 'none',
      role: 'img',
      'aria-label': `at most ${countText(most)} in ${spanText(spanMs)}`,
    },
    ...rects,
  );
}

/** `1 s`, `2 min` */
function spanText(spanMs: number): string {
  const seconds = spanMs / 1_000;
  return seconds < 120 ? `${seconds} s` : `${Math.round(seconds / 6) / 10} min`;
}

/** The sum of several counts over the same spans. */
function sum(all: readonly Spans[]): Spans | undefined {
  const [first] = all;
  if (first === undefined) return undefined;
  const { spanMs } = first;
  const from = Math.min(...all.map((one) => one.from));
  const counts: number[] = [];
  for (const one of all)
    for (const [at, count] of one.counts.entries()) {
      const place = Math.round((one.from - from) / spanMs) + at;
      while (counts.length <= place) counts.push(0);
      counts[place] = (counts[place] ?? 0) + count;
    }
  return { from, spanMs, counts };
}
