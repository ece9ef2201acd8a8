import { svg } from './dom.js';
import type { Spans } from './wire.js';
import { countText } from './words.js';

/** A span of time that all bars of a chart share. */
export interface Range {
  readonly from: number;
  readonly spans: number;
}

/** Bars over time. What they say, the table beside them says in numbers. */
export function bars({ from, spanMs, counts }: Spans, range: Range, height: number): SVGElement {
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
export function spanText(spanMs: number): string {
  const seconds = spanMs / 1_000;
  return seconds < 120 ? `${seconds} s` : `${Math.round(seconds / 6) / 10} min`;
}

/** The sum of several counts over the same spans. */
export function sum(all: readonly Spans[]): Spans | undefined {
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
