import {
  type ErrorName,
  errorCodes,
  type PlantStoreOptions,
  startPlantStore,
} from 'plant-store-contract/server';
import { describe, expect, test } from 'vitest';
import { plant, rejection, type Sent, send, TOKEN } from './plant-request.js';
import { responseTo, wholeRequest } from './raw-socket.js';

/** A request that is rejected for one reason, and what its response says. */
interface Case {
  readonly options?: PlantStoreOptions;
  /** A string is written unchanged. */
  readonly sent: Sent | string;
  readonly status?: number;
  readonly says: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Whether nothing is wrong with the request. */
  readonly isValid?: true;
}

// One for each code: a new code does not compile without its case.
const CASES: Record<ErrorName, Case> = {
  'malformed-http': {
    sent: wholeRequest(plant(7), 'Host: localhost'),
    says: 'there is more than one Host header',
  },
  'unknown-path': {
    sent: { path: '/plant' },
    status: 404,
    says: 'unknown path "/plant"; plants are created at /plants',
  },
  'method-not-allowed': {
    sent: { method: 'PUT' },
    status: 405,
    says: '/plants accepts POST only; got "PUT"',
    headers: { allow: 'POST' },
  },
  'internal-error': {
    options: { token: () => Promise.reject(new Error('no keys')) },
    sent: {},
    status: 500,
    says: 'the server failed: no keys',
  },
  'authorization-missing': {
    sent: { headers: { authorization: undefined } },
    says: 'the Authorization header is missing',
    headers: { 'www-authenticate': 'Bearer' },
  },
  'authorization-scheme': {
    sent: { headers: { authorization: 'Basic abc' } },
    says: 'the scheme of the Authorization header is not Bearer',
    headers: { 'www-authenticate': 'Bearer' },
  },
  'authorization-malformed': {
    sent: { headers: { authorization: 'Bearer' } },
    says: 'the Authorization header has no token',
    headers: { 'www-authenticate': 'Bearer error="invalid_request"' },
  },
  'authorization-duplicate': {
    sent: { headers: { authorization: [`Bearer ${TOKEN}`, 'Bearer b'] } },
    says: 'there is more than one Authorization header',
    headers: { 'www-authenticate': 'Bearer error="invalid_request"' },
  },
  'token-wrong': {
    sent: { headers: { authorization: 'Bearer abc' } },
    says: 'the token is unknown',
    headers: { 'www-authenticate': 'Bearer error="invalid_token"' },
  },
  'media-type': {
    sent: { headers: { 'content-type': 'text/json' } },
    says: 'the Content-Type must be application/json; got "text/json"',
  },
  'content-encoding': {
    sent: { headers: { 'content-encoding': 'gzip' } },
    says: 'Content-Encoding is not supported; got "gzip"',
  },
  'body-too-large': {
    options: { bodyBytes: 10 },
    sent: {},
    says: 'the body must not be larger than 10 bytes',
  },
  'body-missing': { sent: { body: '' }, says: 'the body is missing; it must be a NewPlant as JSON' },
  'json-malformed': {
    sent: { body: '{"name":"Aloe",}' },
    says: 'the body is not JSON: expected a key in double quotes, got "}", at character 15',
  },
  'json-duplicate-key': {
    sent: { body: '{"name":"a","name":"b","id":7}' },
    says: 'the body has the key "name" twice',
  },
  'body-not-an-object': { sent: { body: '[]' }, says: 'a NewPlant must be an object; got an array' },
  'name-missing': { sent: { body: '{"id":7}' }, says: '"name" is missing; a NewPlant requires it' },
  'name-invalid': { sent: { body: '{"name":7,"id":7}' }, says: '"name" must be a string; got 7' },
  'id-missing': { sent: { body: '{"name":"a"}' }, says: '"id" is missing; a NewPlant requires it' },
  'id-invalid': {
    sent: { body: '{"name":"a","id":"7"}' },
    says: '"id" must be an integer in the range of int64; got the string "7"',
  },
  'id-out-of-range': {
    sent: { body: plant(2n ** 63n) },
    says: '"id" must be an integer in the range of int64; got 9223372036854775808',
  },
  'tag-invalid': {
    sent: { body: '{"name":"a","id":7,"tag":null}' },
    says: '"tag" must be a string; got null',
  },
  'field-unknown': {
    options: { unknownFields: 'reject' },
    sent: { body: '{"name":"a","id":7,"height":3}' },
    says: '"height" is not a field of NewPlant; got 3',
  },
  'id-duplicate': { sent: { body: plant(99) }, says: 'a plant with the "id" 99 exists already' },
  'failure-set': {
    options: { failures: [{ status: 400 }] },
    sent: {},
    says: 'this failure was asked for',
    isValid: true,
  },
};

describe('each reason has a status, a code and a sentence', () => {
  test.each(Object.entries(CASES))(
    '%s',
    async (name, { options, sent, status = 400, says, headers = {}, isValid }) => {
      await using store = await startPlantStore({ token: TOKEN, ...options });
      store.seed({ name: 'Seeded', id: 99 });
      const response = await (typeof sent === 'string'
        ? responseTo(store.port, sent)
        : send(store.url, sent));
      expect(rejection(response)).toEqual({ status, name, message: says });
      expect(response.headers).toMatchObject(headers);
      expect(response.headers['content-length']).toBe(String(Buffer.byteLength(response.text)));
      expect(store.received().at(-1)).toMatchObject({ status });
      expect(store.received().at(-1)?.rejection).toBe(isValid ? undefined : says);
      expect(store.plants()).toEqual([{ name: 'Seeded', id: 99 }]);
    },
  );
});

test('each code is a different int32', () => {
  const codes = Object.values(errorCodes);
  expect(new Set(codes).size).toBe(codes.length);
  // `| 0` is the identity on int32, and on nothing else.
  for (const code of codes) expect(code | 0).toBe(code);
});
