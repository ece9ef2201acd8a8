import { gzipSync } from 'node:zlib';
import type { ProbeRequest } from '../exchange.js';
import { defineProbe, type Probe, type ProbeMaterial } from '../probe.js';
import { creation, creationWith, properHeaders, requestWith, withBody, withMediaType } from './requests.js';
import { PLAIN_PLANT } from './valid.js';

/** A request that the interface neither allows nor forbids. Sent among the invalid ones, which it may be. */
function open(name: string, title: string, request: (material: ProbeMaterial) => ProbeRequest): Probe {
  return defineProbe({
    name,
    title,
    expectation: 'open',
    control: PLAIN_PLANT,
    phase: 'invalid',
    requests: (material) => [request(material)],
  });
}

/** What is announced in another way than as JSON, and is JSON all the same. */
const mediaTypes = [
  open('no-media-type', 'a plain plant without a Content-Type', (material) =>
    withMediaType(creation(material), undefined),
  ),
  open('text-plain', 'a plain plant as text/plain', (material) =>
    withMediaType(creation(material), 'text/plain'),
  ),
  open('json-suffix', 'a plain plant as application/vnd.api+json', (material) =>
    withMediaType(creation(material), 'application/vnd.api+json'),
  ),
  open('other-charset', 'a plant in UTF-16, announced as such', (material) => {
    const request = creation(material);
    const text = Buffer.from(Buffer.from(request.body).toString(), 'utf16le');
    const { id, ...announced } = withMediaType(request, 'application/json; charset=utf-16le');
    return withBody(announced, text);
  }),
];

const json = [
  open('unknown-field', 'a plain plant with a field that NewPlant does not have', (material) => {
    const request = creation(material);
    return withBody(request, Buffer.from(request.body).toString().replace(/\}$/, ',"colour":"green"}'));
  }),
  open('repeated-key', 'a plant whose JSON has the name twice', (material) =>
    requestWith(material, (name, id) => `{"name":"Agave","name":${name},"id":${id}}`),
  ),
  open('byte-order-mark', 'a plain plant after a byte-order mark', (material) => {
    const request = creation(material);
    return withBody(request, Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), request.body]));
  }),
  open('lone-surrogate', 'a plant whose name has half a surrogate pair', (material) =>
    requestWith(material, (name, id) => `{"name":${name.replace(/"$/, '\\ud800"')},"id":${id}}`),
  ),
  open('malformed-utf-8', 'a plant whose name has a byte that is no UTF-8', (material) =>
    requestWith(material, (name, id) =>
      Buffer.from(`{"name":${name.replace(/"$/, '\xe9"')},"id":${id}}`, 'latin1'),
    ),
  ),
  open('not-a-number', 'a plain plant with NaN in a field that NewPlant does not have', (material) =>
    creationWith(material, { colour: 'NaN' }),
  ),
];

/** More than nginx and most frameworks take by default, which is 1 MiB or less. */
const LARGE = 1_200_000;
const LARGE_NAME = 'a'.repeat(LARGE);

const transfer = [
  open('large-body', 'a plain plant with a name of 1.2 million letters', (material) => {
    const { token, freshId } = material;
    const id = freshId();
    const filler = `head -c ${LARGE} /dev/zero | tr '\\0' a`;
    return {
      headers: properHeaders(token),
      body: Buffer.concat([Buffer.from('{"name":"'), Buffer.from(LARGE_NAME), Buffer.from(`","id":${id}}`)]),
      plant: { name: LARGE_NAME, id },
      id,
      shell: { body: `printf '{"name":"'; ${filler}; printf '","id":%s}' "$id"` },
    };
  }),
  open('chunked-body', 'a plain plant in chunks, without a Content-Length', (material) => ({
    ...creation(material),
    chunked: true,
  })),
  open('compressed-body', 'a plain plant in gzip', (material) => {
    const { id, body, ...request } = creation(material);
    return {
      ...request,
      headers: [...request.headers, ['Content-Encoding', 'gzip']],
      body: gzipSync(body),
    };
  }),
  open('query', 'a plain plant with a query after the path', (material) => ({
    ...creation(material),
    query: '?colour=green',
  })),
];

/** Another method or path: observed, since only POST /plants is in the interface. */
function elsewhere(name: string, title: string, method: string, path: string): Probe {
  return open(name, title, (material) => ({
    headers: properHeaders(material.token).slice(0, 1),
    body: new Uint8Array(),
    elsewhere: { method, path },
  }));
}

const otherOperations = [
  elsewhere('get', 'GET /plants', 'GET', '/plants'),
  elsewhere('options', 'OPTIONS /plants', 'OPTIONS', '/plants'),
  elsewhere('unknown-path', 'GET of a path that is not in the interface', 'GET', '/plants-not-there'),
];

/** What a provider may take or refuse, and what other methods and paths get. */
export const leniencyProbes: readonly Probe[] = [...mediaTypes, ...json, ...transfer, ...otherOperations];
