import { jsonText } from '../escape.js';
import type { ReportedBody, ReportedExchange } from '../exchange.js';
import type { Report } from '../frame.js';
import { type HarBody, harEntry, harLog } from '../har.js';

/**
 * Every exchange of a report as a HAR (1.2), in the order in which they were sent. It holds no token. `validate` and the
 * tools of browsers read it. A report without exchanges has no entries.
 */
export function har(report: Report): string {
  const { toolVersion, startedAt, summary, exchanges = [] } = report;
  const start = Date.parse(startedAt);
  const entries = exchanges.map((exchange) => entryOf(exchange, start));
  return `${jsonText({ log: { ...harLog(toolVersion), comment: summary, entries } }, 1)}\n`;
}

function entryOf(exchange: ReportedExchange, start: number): object {
  const { name, role, request, response, failure, startMs, durationMs } = exchange;
  return harEntry({
    startedAt: start + startMs,
    durationMs,
    request: { ...request, body: bodyOf(request.body) },
    response: response && {
      status: response.status,
      headers: response.headers,
      body: responseBody(response),
      sentBytes: -1,
    },
    comment: name,
    own: {
      _role: role,
      // As Chrome writes it.
      ...(failure !== undefined && { _error: failure.message }),
    },
  });
}

function bodyOf({ encoding, text, wholeBytes }: ReportedBody): HarBody {
  const bytes = wholeBytes ?? Buffer.byteLength(text, encoding === 'base64' ? 'base64' : 'utf8');
  return encoding === 'base64' ? { base64: text, bytes } : { text, bytes };
}

/** A reader takes text for bytes that were decoded by the charset of the response, so it is text only if that is UTF-8. */
function responseBody({ headers, body, complete }: NonNullable<ReportedExchange['response']>): HarBody {
  const { bytes, ...content } = bodyOf(body);
  const types = headers.filter(([name]) => name.toLowerCase() === 'content-type').map(([, value]) => value);
  const isUtf8 = !/;\s*charset\s*=\s*"?(?!utf-?8\b)/i.test(types.join());
  const kept =
    content.text === undefined || isUtf8 ? content : { base64: Buffer.from(content.text).toString('base64') };
  // Fewer bytes than its size: so a reader knows that the end is missing.
  return { ...kept, bytes: complete ? bytes : bytes + 1 };
}
