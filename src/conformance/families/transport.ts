import { gzipSync } from 'node:zlib';
import { singleRequestProbes } from '../probe.js';
import { probeFrom } from './draft.js';
import { creation } from './requests.js';
import { transportDrafts } from './transport-drafts.js';

/** Requests that the interface neither allows nor forbids. They are sent with the invalid ones. */
const open = singleRequestProbes('open', 'invalid', 'plain-plant');

/** Above the default limit of nginx and most frameworks, which is 1 MiB or less. */
const LARGE = 1_200_000;
const LETTERS = 'a'.repeat(LARGE);

/** How a message is transferred: its length, segments, chunks, codings, and its connection. */
export const transportProbes = [
  open('large-body', 'a plain plant with a name of 1.2 million letters', (values) => {
    const name = values.freshName();
    const letters = `head -c ${LARGE} /dev/zero | tr '\\0' a`;
    return {
      ...creation(values, { name: name + LETTERS }),
      shell: { body: `printf '{"name":"${name}'; ${letters}; printf '","id":%s}' "$id"` },
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
  ...transportDrafts.map(probeFrom),
];
