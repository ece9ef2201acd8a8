import { isLine, printfFormat, singleQuoted } from '../../report/shell-words.js';
import type { ShownMessage } from './browser/wire.js';
import { isHiddenBearer } from './exchange-redactor.js';
import { urlOf } from './url.js';

interface ShownRequest extends ShownMessage {
  readonly method: string;
  readonly target: string;
}

/** Fields that curl writes itself, and those that describe a coding that was undone. */
const OF_CURL = /^(?:host|content-length|transfer-encoding|content-encoding|connection|expect|trailer|te)$/i;

/**
 * Lines for a shell that send a request again. They read the token from the environment. Nothing of a request can make
 * curl read a file, or the shell run a command.
 */
export function curlCommand(request: ShownRequest, baseUrl: string): string {
  const { method, target, headers, body } = request;
  const parts = ['curl', '-gsS', '-i', '--path-as-is', '-X', singleQuoted(method)];
  if (!target.startsWith('/')) parts.push('--request-target', singleQuoted(target));
  parts.push(singleQuoted(target.startsWith('/') ? urlOf(baseUrl, target) : `${baseUrl}/`));
  for (const [name, value] of headers) if (!OF_CURL.test(name)) parts.push('-H', headerWord(name, value));
  const bytes = Buffer.from(body.base64 ?? body.text ?? '', body.base64 === undefined ? 'utf8' : 'base64');
  const isTyped = headers.some(([name]) => name.toLowerCase() === 'content-type');
  if (bytes.length > 0 && !isTyped) parts.push('-H', "'Content-Type:'");
  const notes = notesOn(request);
  // `--data-raw` reads no file, whatever the body begins with.
  if (bytes.length === 0) return [...notes, parts.join(' ')].join('\n');
  if (isLine(bytes))
    return [...notes, `${parts.join(' ')} --data-raw ${singleQuoted(bytes.toString())}`].join('\n');
  const written = `printf ${singleQuoted(printfFormat(bytes.toString('latin1')))}`;
  return [...notes, `${written} | ${parts.join(' ')} --data-binary @-`].join('\n');
}

function headerWord(name: string, value: string): string {
  if (isHiddenBearer(value)) return `"${name}: Bearer $PLANT_STORE_TOKEN"`;
  return singleQuoted(value === '' ? `${name};` : `${name}: ${value}`);
}

function notesOn({ body, complete, headers }: ShownRequest): string[] {
  const notes: string[] = [];
  if (body.missing !== undefined) notes.push('# Its body is not here.');
  else if (!complete || body.cut === true) notes.push('# Its body is not complete.');
  if (headers.some(([name]) => name.toLowerCase() === 'content-encoding'))
    notes.push('# Its body was encoded. curl sends it without a content coding.');
  return notes;
}
