import { auditPact } from 'plant-store-contract/pact';
import type { WritableJson } from 'plant-store-contract/validation';
import { describe, expect, test } from 'vitest';
import { ANY_REJECTION, type InteractionPatch, matchers, pactOf } from '../audit/one-interaction.js';

function kindsIn(patch: InteractionPatch): string[] {
  const [pact] = auditPact(pactOf(patch)).pacts;
  return (pact?.interactions ?? []).flatMap(({ problems }) => problems.map(({ kind }) => kind));
}

const TYPE = matchers({ match: 'type' });

/** The name "Aloe" is sent, and the pact has "Fern". What Pact 16.5 does with each was tried with its verifier. */
describe('a rule for the name lets the name come back that was sent', () => {
  const regex = (pattern: string) => matchers({ match: 'regex', regex: pattern });

  test.for<readonly [string, { readonly [path: string]: WritableJson }]>([
    ['by type', { '$.name': TYPE }],
    ['by type, in brackets', { "$['name']": TYPE }],
    ['by a star', { '$.*': TYPE }],
    ['by the whole', { $: TYPE }],
    [
      'by type, if a shorter path has another rule',
      { '$.*': matchers({ match: 'equality' }), '$.name': TYPE },
    ],
    ['by one of two', { '$.name': { combine: 'OR', matchers: [{ match: 'equality' }, { match: 'type' }] } }],
    ['by a pattern', { '$.name': regex('[A-Z]\\w+') }],
    ['by a choice', { '$.name': regex('x|Aloe') }],
    ['by a pattern with a flag', { '$.name': regex('(?i)aLOE') }],
    ['by a pattern with classes of Unicode', { '$.name': regex('\\p{Lu}\\p{Ll}+') }],
    ['by a pattern that only some engines take', { '$.name': regex('[\\w-\\.]+') }],
    ['by a pattern that only Oniguruma takes', { '$.name': regex('(?s)Al.*+') }],
    ['by a part', { '$.name': matchers({ match: 'include', value: 'lo' }) }],
    ['as it is not empty', { '$.name': matchers({ match: 'notEmpty' }) }],
  ])('%s', async ([, body]) => {
    const response = { body: { name: 'Fern' }, matchingRules: { body } };
    expect(kindsIn({ response })).toEqual([]);
  });

  test.for<readonly [string, { readonly [path: string]: WritableJson }]>([
    ['by type, in brackets with double quotes', { '$["name"]': TYPE }],
    ['by a path that is not understood', { '$..name': TYPE }],
    ['without the list of matchers', { '$.name': { match: 'type' } }],
    ['by a pattern that nothing takes', { '$.name': regex('(?s)Al.*|(') }],
    ['by a matcher that Pact does not have', { '$.name': matchers({ match: 'botanical' }) }],
  ])('%s that Pact cannot use, which is the only problem', async ([, body]) => {
    const response = { body: { name: 'Fern' }, matchingRules: { body } };
    expect(kindsIn({ response })).toEqual(['unusable-rule']);
  });

  test.for<readonly [string, { readonly [path: string]: WritableJson }]>([
    ['without a rule', {}],
    ['with an empty list of matchers', { '$.name': matchers() }],
    ['if the rule is about another field', { '$.tag': TYPE }],
    ['if the rule is about something deeper', { '$.name.first': TYPE }],
    ['where a longer path says otherwise', { $: TYPE, '$.name': matchers({ match: 'equality' }) }],
    ['as it is equal', { '$.name': matchers({ match: 'equality' }) }],
    ['by a pattern for its beginning', { '$.name': regex('^Al') }],
    ['by a pattern for its end', { '$.name': regex('oe$') }],
    ['by only one of two', { '$.name': matchers({ match: 'type' }, { match: 'regex', regex: 'F.*' }) }],
    ['by a part', { '$.name': matchers({ match: 'include', value: 'er' }) }],
    ['as an integer', { '$.name': matchers({ match: 'integer' }) }],
    ['as a number', { '$.name': matchers({ match: 'number' }) }],
    ['as a decimal', { '$.name': matchers({ match: 'decimal' }) }],
    ['as a boolean', { '$.name': matchers({ match: 'boolean' }) }],
    ['as null', { '$.name': matchers({ match: 'null' }) }],
    ['as a version', { '$.name': matchers({ match: 'semver' }) }],
    ['as a date', { '$.name': matchers({ match: 'date', format: 'yyyy-MM-dd' }) }],
  ])('not %s', async ([, body]) => {
    const response = { body: { name: 'Fern' }, matchingRules: { body } };
    expect(kindsIn({ response })).toEqual(['unsent-value']);
  });

  test.for<readonly [path: string, rule: WritableJson]>([
    ['$.body', { match: 'type' }],
    ['$.body.name', { match: 'type' }],
    ["$.body['name']", { match: 'type' }],
    ['$.body.name', { regex: 'A.*' }],
    ['$.body.name', { min: 1 }],
  ])('in V2: %s %j', async ([path, rule]) => {
    const response = { body: { name: 'Fern' }, matchingRules: { [path]: rule } };
    expect(kindsIn({ version: '2.0.0', response })).toEqual([]);
    expect(kindsIn({ version: '2.0.0', response: { ...response, matchingRules: {} } })).toHaveLength(1);
  });
});

describe('a rule for an Error', () => {
  test.for<readonly [field: 'error' | 'message', rule: WritableJson, kinds: readonly string[]]>([
    ['error', matchers({ match: 'type' }), []],
    ['error', matchers({ match: 'number' }), []],
    ['error', matchers({ match: 'integer' }), []],
    ['error', matchers({ match: 'notEmpty' }), []],
    ['error', matchers({ match: 'decimal' }), ['narrow-rule']],
    ['error', matchers({ match: 'boolean' }), ['narrow-rule']],
    ['error', matchers({ match: 'regex', regex: '4\\d\\d' }), ['narrow-rule']],
    ['error', matchers({ match: 'equality' }), ['exact-value']],
    ['error', matchers({ match: 'type' }, { match: 'equality' }), ['exact-value']],
    ['message', matchers({ match: 'type' }), []],
    ['message', matchers({ match: 'include', value: '' }), []],
    ['message', matchers({ match: 'include', value: 'token' }), ['narrow-rule']],
    ['message', matchers({ match: 'notEmpty' }), ['narrow-rule']],
    ['message', matchers({ match: 'datetime' }), ['narrow-rule']],
    ['message', matchers({ match: 'boolean' }), ['narrow-rule']],
  ])('%s: %j', async ([field, rule, kinds]) => {
    const body = { [field]: field === 'error' ? 22 : 'refused' };
    const response = { status: 400, body, matchingRules: { body: { [`$.${field}`]: rule } } };
    expect(kindsIn({ request: { headers: { Authorization: undefined } }, response })).toEqual(kinds);
  });
});

describe('a rule for a header', () => {
  const onlyPlain = { match: 'regex', regex: 'application/json' };

  test.for<readonly [string, { readonly [path: string]: WritableJson }]>([
    ['in V3', { header: { 'content-type': matchers(onlyPlain) } }],
    ['in V3, by another name for its part', { headers: { 'Content-Type': matchers(onlyPlain) } }],
    ['in V2', { '$.headers.Content-Type': onlyPlain }],
    ['in V2, in brackets', { "$.headers['Content-Type']": onlyPlain }],
    ['in V2, by another name for its part', { '$.header.Content-Type': onlyPlain }],
  ])('%s', async ([, matchingRules]) => {
    expect(kindsIn({ response: { matchingRules } })).toEqual(['narrow-rule']);
  });

  test('by type lets any parameters pass', async () => {
    const headers = { 'Content-Type': 'application/json; charset=utf-8' };
    const matchingRules = { header: { 'Content-Type': TYPE } };
    expect(kindsIn({ response: { headers, matchingRules } })).toEqual([]);
  });
});

describe('a rule for the status', () => {
  const version = '4.0';
  const statusCode = (status: WritableJson) => matchers({ match: 'statusCode', status });

  test.for<readonly [title: string, status: WritableJson, kinds: readonly string[]]>([
    ['any success', statusCode('success'), []],
    ['no error', { $: statusCode('nonError') }, []],
    ['a list with 200 in it', statusCode([200, 201]), []],
    ['a list without it', statusCode([201, 204]), ['undocumented-status']],
    ['a pattern for any success', matchers({ match: 'regex', regex: '2\\d\\d' }), []],
    ['equality', matchers({ match: 'equality' }), ['undocumented-status']],
    ['a redirect', statusCode('redirect'), ['undocumented-status']],
    ['information', statusCode('info'), ['undocumented-status']],
    ['any number', matchers({ match: 'integer' }), []],
    ['an unknown class', statusCode('teapot'), ['unusable-rule']],
  ])('of a creation: %s', async ([, status, kinds]) => {
    const response = { status: 201, headers: {}, body: undefined, matchingRules: { status } };
    expect(kindsIn({ version, response })).toEqual(kinds);
  });

  test.for<readonly [title: string, status: WritableJson, kinds: readonly string[]]>([
    ['any client error', statusCode('clientError'), []],
    ['any error', statusCode('error'), []],
    ['a list with 400 in it', statusCode([422, 400]), []],
    [
      'one of two',
      { combine: 'OR', matchers: [{ match: 'equality' }, { match: 'statusCode', status: [400] }] },
      [],
    ],
    ['a list without it', statusCode([401, 403]), ['not-shown']],
    ['a server error', statusCode('serverError'), ['undocumented-status']],
  ])('of a refusal: %s', async ([, status, kinds]) => {
    const { matchingRules: _rules, body: _body, ...response } = ANY_REJECTION;
    const request = { headers: { Authorization: undefined } };
    const patch = {
      version,
      request,
      response: { ...response, status: 422, body: undefined, matchingRules: { status } },
    } as const;
    expect(kindsIn(patch)).toEqual(kinds);
  });

  test('in V2', async () => {
    const response = { status: 201, matchingRules: { '$.status': { match: 'type' } } };
    expect(kindsIn({ version: '2.0.0', response })).toEqual([]);
  });
});
