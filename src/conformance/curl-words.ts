import { headerValues } from '../http/fields.js';
import type { Secret } from '../output/redaction.js';
import { operation } from '../spec/operation.js';
import { type Fields, type ProbeRequest, requestTarget } from './exchange.js';
import type { Target } from './sending/send.js';

/** Replaces the token in every text that leaves the checker. */
export const TOKEN_VARIABLE = '$PLANT_STORE_TOKEN';

/** Where the lines send the requests. */
export type CurlTarget = Target & {
  /** Every token that the requests may carry. */
  readonly tokens: Iterable<string>;
};

/** A word of a curl command: as it is, a text that a shell must quote, or one that ends with an environment variable. */
export type CurlWord =
  | string
  | { readonly text: string }
  | { readonly before: string; readonly variable: string };

/** The words of a curl command before those for the body. Whoever sends a body adds `--data-binary`. */
export function curlWords(
  request: ProbeRequest,
  { url, headers, insecure, ca, cert, proxy }: CurlTarget,
): CurlWord[] {
  const { body, elsewhere, chunked, shell, withoutUserAgent } = request;
  const words: CurlWord[] = ['-gsS', '-i', '-X', elsewhere?.method ?? operation.method];
  const addHeader = (word: CurlWord): void => void words.push('-H', word);
  if (insecure) words.push('--insecure');
  if (ca !== undefined) words.push('--cacert', { before: '', variable: 'PLANT_STORE_CA' });
  if (cert !== undefined)
    words.push(
      ...['--cert', { before: '', variable: 'PLANT_STORE_CERT' }],
      ...['--key', { before: '', variable: 'PLANT_STORE_KEY' }],
    );
  // With a tunnel, the bytes of a request are those of the check.
  if (proxy !== undefined)
    words.push('--proxytunnel', '--proxy', { before: '', variable: 'PLANT_STORE_PROXY' });
  words.push({ text: url.origin + requestTarget(url, request) });
  for (const [name, value] of request.headers)
    addHeader({ text: value === '' ? `${name};` : `${name}: ${value}` });
  for (const [at, [name]] of headers.entries())
    addHeader({ before: `${name}: `, variable: headerVariable(at).slice(1) });
  if (withoutUserAgent && headerValues(headers, 'user-agent').length === 0)
    addHeader({ text: 'User-Agent:' });
  if (elsewhere !== undefined) return words;
  // Otherwise curl declares the body to be a form.
  if (headerValues(request.headers, 'content-type').length === 0) addHeader({ text: 'Content-Type:' });
  if (chunked === true) addHeader({ text: 'Transfer-Encoding: chunked' });
  // Otherwise curl waits for a 100 before it sends a large body.
  if (shell?.body !== undefined) addHeader({ text: 'Expect:' });
  else if (body.length === 0) addHeader({ text: 'Content-Length: 0' });
  return words;
}

/** The tokens, and what the requests derive from them. The longest comes first, since it may contain another. */
export function requestSecrets(
  requests: readonly ProbeRequest[],
  tokens: Iterable<string>,
): readonly Required<Secret>[] {
  const derived = requests.flatMap(({ secrets = [] }) => secrets);
  const whole = [...tokens].map((value) => ({ value, shown: TOKEN_VARIABLE }));
  return [...derived, ...whole].sort((a, b) => b.value.length - a.value.length);
}

/** The values of the further headers. They are often keys, so they are as secret as the token. */
export function headerSecrets(headers: Fields): readonly Required<Secret>[] {
  return headers.map(([, value], at) => ({ value, shown: headerVariable(at) }));
}

function headerVariable(at: number): string {
  return `$PLANT_STORE_HEADER_${at + 1}`;
}
