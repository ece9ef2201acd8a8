import { operation } from '../../spec/operation.js';
import { type ProbeRequest, requestTarget } from '../exchange.js';
import { fieldsOf, type Target } from '../sending/send.js';

/** A request as one HTTP/1.1 message. A chunked body is one chunk. */
export function requestBytes(target: Target, request: ProbeRequest): Buffer {
  const { body, chunked, elsewhere } = request;
  const method = elsewhere?.method ?? operation.method;
  let head = `${method} ${requestTarget(target.url, request)} HTTP/1.1\r\n`;
  for (const [name, value] of fieldsOf(target, request)) head += `${name}: ${value}\r\n`;
  head += 'Connection: keep-alive\r\n\r\n';
  // Field values are bytes, one for each character (RFC 9110, section 5.5).
  const headBytes = Buffer.from(head, 'latin1');
  if (chunked !== true) return Buffer.concat([headBytes, body]);
  const size = Buffer.from(`${body.length.toString(16)}\r\n`);
  const chunk = body.length === 0 ? [] : [size, body, Buffer.from('\r\n')];
  return Buffer.concat([headBytes, ...chunk, Buffer.from('0\r\n\r\n')]);
}
