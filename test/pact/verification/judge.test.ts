import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import type { Fields } from '../../../src/http/fields.js';
import { readPact } from '../../../src/pact/pacts.js';
import { judgePact } from '../../../src/pact/verification/judge.js';
import type { Mismatch } from '../../../src/pact/verification/pact-verifier.js';
import type { RecordedInteraction } from '../../../src/pact/verification/proxy.js';
import { pactOf, type Sketch } from './pacts.js';

interface Response {
  readonly status?: number;
  readonly headers?: Fields;
  readonly body?: object | Buffer;
}

const whole = (headers: Fields, body: Buffer) => ({
  ...{ headers, body, bodyLength: body.length, trailers: [], complete: true },
});

/** The verdict on one interaction. Pact says that its response is right, unless `native` says otherwise. */
function judged(
  sketch: Partial<Sketch>,
  { status = 200, headers = [], body = {} }: Response,
  {
    native = [],
    recorded,
    strict,
  }: {
    readonly native?: readonly Mismatch[] | null;
    readonly recorded?: Partial<RecordedInteraction>;
    readonly strict?: boolean;
  } = {},
) {
  const description = 'a creation';
  const text = pactOf([{ description, ...sketch }]);
  const pact = readPact(text, 'pact.json');
  const [{ request, states } = { request: undefined, states: [] }] = pact.interactions;
  const sent = Buffer.from(request?.body?.text ?? '');
  const bytes = Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body));
  const fields: Fields = [['content-type', 'application/json'], ...headers];
  const exchange = {
    request: { method: 'POST', target: '/plants', ...whole([], sent) },
    response: { status, reason: '', ...whole(fields, bytes) },
    durationMs: 1,
  };
  const found = native === null ? [] : [native];
  const { interactions } = judgePact(
    { where: 'pact.json', text },
    pact,
    { interactions: found, errors: [] },
    [{ states: [...states], ids: [], keepsToken: false, exchange, ...recorded }],
    strict,
  );
  const [interaction] = interactions;
  if (interaction === undefined) throw new Error('the pact has an interaction');
  return { ...interaction, pointers: interaction.violations.map(({ pointer }) => pointer) };
}

const NEW = { 'no plant with id': '{"id":7}' };
const EXISTS = { 'a plant with id exists': '{"id":7}' };

describe('a response that Pact accepts', () => {
  const plain = { given: NEW };
  const tagged = { given: NEW, body: '{"name":"Aloe","tag":"a","id":7}' };

  test.each<[what: string, pointer: string, Partial<Sketch>, Response]>([
    ['a changed name', '/name', plain, { body: { name: 'ALOE' } }],
    ['a tag that is lost', '/tag', tagged, { body: { name: 'Aloe' } }],
    ['an id', '/id', plain, { body: { name: 'Aloe', id: 7 } }],
    [
      'an id in a compressed body',
      '/id',
      plain,
      { headers: [['content-encoding', 'gzip']], body: gzipSync('{"name":"Aloe","id":7}') },
    ],
  ])('breaks the interface by %s', (_what, pointer, sketch, response) => {
    expect(judged(sketch, response)).toMatchObject({ verdict: 'fail', mismatches: [] });
    expect(judged(sketch, response).pointers).toEqual([pointer]);
  });

  test('has a warning, if only the body of another 4xx is wrong, and then satisfies the pact', () => {
    const response = { status: 404, body: { error: 'no', message: 'no' } };
    expect(judged({ status: 404 }, response)).toMatchObject({ verdict: 'warn', pointers: ['/error'] });
    expect(judged({ status: 404 }, response, { strict: true }).verdict).toBe('fail');
  });

  const stored = { body: { name: 'Rose', tag: 'thorny' } };

  test.each<[what: string, given: NonNullable<Sketch['given']>]>([
    ['in the state "a plant with id exists"', EXISTS],
    ['in an unknown state', { 'the shop is open': '{}' }],
  ])('to a duplicate id may be any plant: %s', (_what, given) => {
    expect(judged({ given }, stored).verdict).toBe('pass');
  });

  test.each<[what: string, given: NonNullable<Sketch['given']>]>([
    ['without a state', {}],
    ['in the state "no plant with id"', NEW],
  ])('to a new id is the plant that was sent: %s', (_what, given) => {
    expect(judged({ given }, stored).pointers).toEqual(['/name', '/tag']);
  });
});

test('a token that the pact may mean to be wrong has a hint, unless it was sent', () => {
  const hintOf = (keepsToken: boolean) =>
    judged(
      { status: 400 },
      { body: { name: 'Aloe' } },
      { native: [{ part: 'status', message: 'differs' }], recorded: { keepsToken } },
    ).hint;
  expect(hintOf(false)).toContain('"the token is not valid"');
  expect(hintOf(true)).toBeUndefined();
});
