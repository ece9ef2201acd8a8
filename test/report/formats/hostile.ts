import type { CheckReport } from 'plant-store-contract/conformance';
import { startHandler } from '../../conformance/providers/handler.js';
import type { Provider } from '../../conformance/providers/provider.js';

/** What would run, were it markup. */
export const SCRIPT =
  '"><script>document.title = "ran"</script><img src="x" onerror="document.title = \'ran\'">';

/** Text that means something to each format that a report is written in, and ends in `END`. */
export const HOSTILE = [
  SCRIPT,
  "]]> & &amp; %0A <!-- --> ' `one` ```` | a | b | [link](https://example.com) **bold** \\| $x$ @someone",
  '::error title=forged::forged',
  '##[error]forged',
  '# forged',
  '````',
  '<b>forged</b>',
  '</pre></details></table></failure>',
  'a NUL \0, an escape \u001b[31m, a C1 \u0085, a half \ud800, and \ufffe',
  '\r\nEND',
].join('\n');

/** A provider that answers every request with 200 and a plant whose name is {@link HOSTILE}, or with the text itself. */
export function startHostileProvider(): Promise<Provider> {
  let count = 0;
  return startHandler((request, response) => {
    request.resume().on('end', () => {
      count++;
      response.setHeader('X-Note', SCRIPT);
      response.setHeader('Content-Type', count % 2 === 0 ? 'application/json' : 'text/html; charset=utf-8');
      response.end(count % 2 === 0 ? JSON.stringify({ name: HOSTILE }) : HOSTILE);
    });
  });
}

const TEXTS = new Set([
  'actual',
  'expected',
  'sent',
  'detail',
  'fact',
  'summary',
  'text',
  'title',
  'message',
]);

/** A report in which every text that may come from a provider ends in {@link HOSTILE}. */
export function poisoned(report: CheckReport): CheckReport {
  return JSON.parse(JSON.stringify(report), (key, value: unknown) => {
    if (key === 'notes') return [HOSTILE];
    if (key === 'reproduce') return `${value}${HOSTILE}`;
    return typeof value === 'string' && TEXTS.has(key) ? `${value} ${HOSTILE}` : value;
  });
}
