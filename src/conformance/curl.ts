import type { ProbeRequest } from './exchange.js';

/** What stands for the token in every text that leaves the checker. */
export const TOKEN_VARIABLE = '$PLANT_STORE_TOKEN';

/**
 * A line for a POSIX shell that sends a request again. The token is read from the environment, and an id is
 * replaced by the time in seconds, so that the line can be run more than once.
 */
export function curlLine(url: URL, { headers, body, query = '', id }: ProbeRequest, token: string): string {
  const parts = ['curl', '-sS', '-i', '-X', 'POST', shellWord(url.href + query, token)];
  for (const [name, value] of headers)
    parts.push('-H', shellWord(value === '' ? `${name};` : `${name}: ${value}`, token));
  const text = Buffer.from(body).toString();
  if (body.length === 0) parts.push('-H', "'Content-Length: 0'");
  else parts.push('--data-binary', dataWord(text, id, token));
  return parts.join(' ');
}

/** In single quotes, or in double quotes where the token has to be filled in. */
function shellWord(text: string, token: string): string {
  if (!text.includes(token)) return singleQuoted(text);
  const [first = '', ...rest] = text.split(token).map((part) => part.replace(/[\\"$`]/g, '\\$&'));
  return `"${[first, ...rest].join(TOKEN_VARIABLE)}"`;
}

function dataWord(text: string, id: number | bigint | undefined, token: string): string {
  if (id === undefined || !text.includes(String(id))) return shellWord(text, token);
  return text
    .split(String(id))
    .map((part) => (part === '' ? '' : shellWord(part, token)))
    .join('"$(date +%s)"');
}

function singleQuoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
