import { type HeaderFields, headerValues } from '../validation/message.js';

/**
 * A text that a client has made of a JSON string, as that string: a server that encodes its body twice sends
 * `"{\"name\":\"Aloe\"}"`, and a client that parses gives `{"name":"Aloe"}`, which is no longer to be told from a body
 * but by its length. It has to be that of the string to the byte: axios unpacks a body, and keeps the length of the
 * packed one alone.
 *
 * @returns `undefined` where it is the text of the body, or nobody can tell
 */
export function asJsonString(text: string, headers: HeaderFields): string | undefined {
  const [length, ...others] = headerValues(headers, 'content-length').map(Number);
  if (length === undefined || others.length > 0 || mayBePacked(headers)) return undefined;
  // A byte-order mark is not in the text any more.
  if (length <= Buffer.byteLength(text) + 3) return undefined;
  const plain = JSON.stringify(text);
  const forms = [plain, plain.replaceAll('\\"', '\\u0022')].flatMap((form) => [form, inAscii(form)]);
  // Some servers end a body with a line feed.
  const isOne = forms.some((form) => [0, 1].includes(length - Buffer.byteLength(form)));
  return isOne ? plain : undefined;
}

function mayBePacked(headers: HeaderFields): boolean {
  if (headerValues(headers, 'content-encoding').length > 0) return true;
  return headerValues(headers, 'vary').some((value) => /accept-encoding|\*/i.test(value));
}

function inAscii(text: string): string {
  return text.replaceAll(/[\u0080-\uffff]/g, '\\u0000');
}
