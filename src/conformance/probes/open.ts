import { gzipSync } from 'node:zlib';
import { singleRequestProbes } from '../probe.js';
import { creation, creationWith, properHeaders, requestWith, withBody, withMediaType } from './requests.js';

/** Requests that the interface neither allows nor forbids. They are sent with the invalid ones. */
const open = singleRequestProbes('open', 'invalid', 'plain-plant');

const mediaTypes = [
  open('no-media-type', 'a plain plant without a Content-Type', (values) =>
    withMediaType(creation(values), undefined),
  ),
  open('text-plain', 'a plain plant as text/plain', (values) =>
    withMediaType(creation(values), 'text/plain'),
  ),
  open('json-suffix', 'a plain plant as application/vnd.api+json', (values) =>
    withMediaType(creation(values), 'application/vnd.api+json'),
  ),
  open('other-charset', 'a plain plant in UTF-16, with charset=utf-16le', (values) => {
    const { id, ...request } = withMediaType(creation(values), 'application/json; charset=utf-16le');
    return withBody(request, Buffer.from(Buffer.from(request.body).toString(), 'utf16le'));
  }),
];

const json = [
  open('unknown-field', 'a plain plant with an unknown field', (values) => {
    const request = creation(values);
    return withBody(request, Buffer.from(request.body).toString().replace(/\}$/, ',"colour":"green"}'));
  }),
  open('repeated-key', 'a plant with the key "name" twice', (values) =>
    requestWith(values, '{"name":"Agave","name":"NAME","id":ID}'),
  ),
  open('byte-order-mark', 'a plain plant after a byte-order mark', (values) => {
    const request = creation(values);
    return withBody(request, Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), request.body]));
  }),
  open('lone-surrogate', 'a plant whose name has half a surrogate pair', (values) =>
    creationWith(values, { name: '"NAME\\ud800"' }),
  ),
  open('malformed-utf-8', 'a plant whose name has a byte that is not UTF-8', (values) => {
    const request = creationWith(values, { name: '"NAME\xe9"' });
    return withBody(request, Buffer.from(Buffer.from(request.body).toString(), 'latin1'));
  }),
  open('not-a-number', 'a plain plant with NaN in an unknown field', (values) =>
    creationWith(values, { colour: 'NaN' }),
  ),
];

/** Above the default limit of nginx and most frameworks, which is 1 MiB or less. */
const LARGE = 1_200_000;
const LARGE_NAME = 'a'.repeat(LARGE);

const transfer = [
  open('large-body', 'a plain plant with a name of 1.2 million letters', ({ token, freshId }) => {
    const id = freshId();
    const letters = `head -c ${LARGE} /dev/zero | tr '\\0' a`;
    return {
      headers: properHeaders(token),
      body: Buffer.from(`{"name":"${LARGE_NAME}","id":${id}}`),
      plant: { name: LARGE_NAME, id },
      id,
      shell: { body: `printf '{"name":"'; ${letters}; printf '","id":%s}' "$id"` },
    };
  }),
  open('chunked-body', 'a plain plant in chunks, without a Content-Length', (values) => ({
    ...creation(values),
    chunked: true,
  })),
  open('compressed-body', 'a plain plant in gzip', (values) => {
    const { id, body, ...request } = creation(values);
    return {
      ...request,
      headers: [...request.headers, ['Content-Encoding', 'gzip']],
      body: gzipSync(body),
    };
  }),
  open('query', 'a plain plant with a query after the path', (values) => ({
    ...creation(values),
    query: '?colour=green',
  })),
];

/** Another method or path. It is observed and never judged: the interface has only `POST /plants`. */
function elsewhere<const Name extends string>(name: Name, title: string, method: string, path: string) {
  return open(name, title, (values) => ({
    headers: properHeaders(values.token).slice(0, 1),
    body: new Uint8Array(),
    elsewhere: { method, path },
  }));
}

const otherOperations = [
  elsewhere('get', 'GET /plants', 'GET', '/plants'),
  elsewhere('options', 'OPTIONS /plants', 'OPTIONS', '/plants'),
  elsewhere('unknown-path', 'GET of an unknown path', 'GET', '/plants-not-there'),
];

/** Requests that a provider may accept or reject, and requests with another method or path. */
export const openProbes = [...mediaTypes, ...json, ...transfer, ...otherOperations];
