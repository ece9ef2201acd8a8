import { curlCommand, headerWord, singleQuoted, TOKEN_VARIABLE } from '../../report/curl.js';
import type { ShownMessage } from './browser/wire.js';
import { HIDDEN_BEARER } from './exchange-redactor.js';
import { urlOf } from './url.js';

interface ShownRequest extends ShownMessage {
  readonly method: string;
  readonly target: string;
}

const HIDDEN_TOKEN = [{ value: HIDDEN_BEARER, shown: `Bearer ${TOKEN_VARIABLE}` }];

/** Fields that curl writes itself, and those that describe a coding that was undone. */
const OF_CURL = /^(?:host|content-length|transfer-encoding|content-encoding|connection|expect|trailer|te)$/i;

/** Lines for a shell that send a request again. They read the token from the environment. */
export function curlLines(request: ShownRequest, baseUrl: string): string {
  const { method, target, headers, body } = request;
  const isPath = target.startsWith('/');
  const sent = headers.filter(([name]) => !OF_CURL.test(name));
  const withToken = sent.filter(([, value]) => value === HIDDEN_BEARER);
  const command = curlCommand({
    method,
    url: isPath ? urlOf(baseUrl, target) : `${baseUrl}/`,
    headers: sent.filter((field) => !withToken.includes(field)),
    body: Buffer.from(body.base64 ?? body.text ?? '', body.base64 === undefined ? 'utf8' : 'base64'),
    flags: isPath ? [] : ['--request-target', singleQuoted(target)],
    furtherWords: withToken.flatMap((field) => ['-H', headerWord(field, HIDDEN_TOKEN)]),
  });
  return [...notesOn(request), command].join('\n');
}

function notesOn({ body, complete, headers }: ShownRequest): string[] {
  const notes: string[] = [];
  if (body.missing !== undefined) notes.push('# Its body is not here.');
  else if (!complete || body.cut === true) notes.push('# Its body is not complete.');
  if (headers.some(([name]) => name.toLowerCase() === 'content-encoding'))
    notes.push('# Its body was encoded. curl sends it without a content coding.');
  return notes;
}
