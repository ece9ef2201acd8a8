import { type JudgeOptions, judgeMessages } from '../../../src/proxy/messages/judge.js';
import { casesOf } from '../../../src/report/frame.js';

export const TOKEN = 'token-of-these-tests';

/** A raw message: a head with CRLF after each line, and a body. */
export function raw(lines: readonly string[], body: string | Uint8Array = ''): Buffer {
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), Buffer.from(body)]);
}

/** A raw response that announces its length. */
export function rawResponse(body: string | Uint8Array, status = '200 OK', ...fields: string[]): Buffer {
  const length = `Content-Length: ${Buffer.from(body).length}`;
  return raw([`HTTP/1.1 ${status}`, 'Content-Type: application/json', length, ...fields], body);
}

/** A raw request that announces its length. */
export function rawRequest(
  body: string | Uint8Array,
  line = 'POST /plants HTTP/1.1',
  ...fields: string[]
): Buffer {
  const length = `Content-Length: ${Buffer.from(body).length}`;
  const authorization = `Authorization: Bearer ${TOKEN}`;
  return raw([line, 'Host: store', authorization, 'Content-Type: application/json', length, ...fields], body);
}

/** A value that is given, or `undefined` to leave a member out. */
type Members = Readonly<Record<string, unknown>>;

/** An entry of a HAR: a creation and its response. */
export function entry({
  request = {},
  response = {},
}: {
  readonly request?: Members;
  readonly response?: Members;
} = {}): Members {
  return {
    _resourceType: 'fetch',
    startedDateTime: '2026-01-31T12:00:00.000Z',
    request: {
      method: 'POST',
      url: 'http://store/plants',
      httpVersion: 'h2',
      headers: [
        { name: ':authority', value: 'store' },
        { name: 'authorization', value: `Bearer ${TOKEN}` },
        { name: 'content-type', value: 'application/json' },
      ],
      bodySize: 22,
      postData: { mimeType: 'application/json', text: '{"name":"Aloe","id":7}' },
      ...request,
    },
    response: {
      status: 200,
      headers: [
        { name: 'content-type', value: 'application/json' },
        { name: 'content-encoding', value: 'gzip' },
        { name: 'content-length', value: '35' },
      ],
      content: { size: 15, compression: -20, mimeType: 'application/json', text: '{"name":"Aloe"}' },
      bodySize: 35,
      ...response,
    },
  };
}

/** A HAR of entries. */
export function har(entries: unknown, log: Members = {}): Buffer {
  return Buffer.from(
    JSON.stringify({ log: { version: '1.2', creator: { name: 'tests' }, entries, ...log } }),
  );
}

/** Judges bytes as the command does. Its messages have what the cases say. */
export function judge(
  bytes: Uint8Array,
  kind: JudgeOptions['kind'] = 'response',
  options: Partial<JudgeOptions> = {},
) {
  const report = judgeMessages(bytes, { file: 'stored', kind, ...options });
  const messages = casesOf(report).map(({ id, verdict, detail, evidence }) => ({
    id,
    verdict,
    reasons: detail?.split('; ') ?? [],
    violations: evidence.map((one) => ({ ...report.violationKinds[one.finding], ...one })),
    keywords: evidence.map(({ finding }) => report.violationKinds[finding]?.keyword),
  }));
  return { ...report, messages };
}

/** The sentence with which bytes are rejected. */
export function rejection(
  bytes: Uint8Array,
  kind?: JudgeOptions['kind'],
  options?: Partial<JudgeOptions>,
): string {
  try {
    judge(bytes, kind, options);
  } catch (problem) {
    return (problem as Error).message;
  }
  throw new Error('it was not rejected');
}
