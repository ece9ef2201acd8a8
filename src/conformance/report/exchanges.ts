import { reportedBody } from '../../report/body.js';
import type { ReportedBody, ReportedExchange } from '../../report/exchange.js';
import type { Redactor, Secret } from '../../report/redaction.js';
import { headerSecrets, requestSecrets } from '../curl.js';
import {
  type Exchange,
  type Fields,
  type ProbeRequest,
  type ProviderResponse,
  requestTarget,
} from '../exchange.js';
import { contentOf } from '../response-body.js';

/**
 * An exchange as data, without secrets.
 *
 * @param url the URL of the operation
 */
export function reportedExchange(
  exchange: Omit<Exchange, 'probe'> & { readonly probe: string },
  url: URL,
  redactor: Redactor,
): ReportedExchange {
  const { probe, role, request, response, failure, startMs, durationMs } = exchange;
  const { message: redact, fields } = redactor;
  return {
    name: redactor.data(probe),
    role,
    request: {
      method: request.otherOperation?.method ?? 'POST',
      url: redact(url.origin + requestTarget(url, request)),
      headers: fields(request.headers),
      body: reportedBody(request.body, redact),
    },
    ...(response !== undefined && {
      response: {
        status: response.status,
        headers: fields(response.headers),
        body: responseBody(response, redact),
        complete: response.complete,
      },
    }),
    ...(failure !== undefined && { failure: { kind: failure.kind, message: redact(failure.message) } }),
    startMs: Math.round(startMs),
    durationMs: Math.round(durationMs),
  };
}

/** Decoded if it was compressed: then people can read it, and the redactor finds secrets in it. */
function responseBody(response: ProviderResponse, redact: (text: string) => string): ReportedBody {
  const { decoded, decodedLength } = contentOf(response);
  const bytes = typeof decoded === 'string' ? response.body : decoded;
  const wholeBytes = typeof decoded === 'string' || !response.complete ? response.received : decodedLength;
  const body = reportedBody(bytes, redact);
  return wholeBytes > bytes.length ? { ...body, wholeBytes } : body;
}

/** A part of a short token that is no longer than this is too common to be hidden. */
const LONGEST_COMMON = 3;

/** The secrets of a check, and what the report shows instead: all tokens, what was made of them, and header values. */
export function secretsOfCheck(
  requests: readonly ProbeRequest[],
  tokens: Iterable<string>,
  headers: Fields,
): Secret[] {
  const whole = new Set(tokens);
  const made = requestSecrets(requests, whole).filter(
    ({ value }) => whole.has(value) || value.length > LONGEST_COMMON,
  );
  return [...headerSecrets(headers), ...made];
}
