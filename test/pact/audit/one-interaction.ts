import type { Report } from 'plant-store-contract/reporters';
import { type WritableJson, writeJson } from 'plant-store-contract/validation';

/** Part of a message. A member that is `undefined` is left out of the pact. */
export interface MessagePatch {
  readonly [member: string]: WritableJson | undefined;
  readonly headers?: { readonly [name: string]: WritableJson | undefined };
}

/** How an interaction differs from a plain creation without a tag. */
export interface InteractionPatch {
  readonly version?: '2.0.0' | '3.0.0' | '4.0';
  readonly description?: string;
  /** States of specification 3 and 4. */
  readonly states?: readonly {
    readonly name: string;
    readonly params?: { readonly [name: string]: WritableJson };
  }[];
  /** The state of specification 2. */
  readonly state?: string;
  readonly request?: MessagePatch;
  readonly response?: MessagePatch;
}

const PLAIN = {
  request: {
    method: 'POST',
    path: '/plants',
    headers: { Authorization: 'Bearer example', 'Content-Type': 'application/json' },
    body: { name: 'Aloe', id: 7 },
  },
  response: {
    status: 200,
    headers: { 'Content-Type': 'application/json' },
    body: { name: 'Aloe' },
  },
};

/** The JSON of a pact with these interactions. Each is a plain creation except for its patch. Ids are exact. */
export function pactOf(...patches: readonly InteractionPatch[]): string {
  return writeJson({
    consumer: { name: 'shop' },
    provider: { name: 'plant-store' },
    interactions: patches.map(interactionOf),
    metadata: { pactSpecification: { version: patches[0]?.version ?? '3.0.0' } },
  });
}

function interactionOf(
  { version, description = 'a creation', states, state, request, response }: InteractionPatch,
  index: number,
): WritableJson {
  const wrap = version === '4.0';
  return {
    ...(wrap && { type: 'Synchronous/HTTP' }),
    description: index === 0 ? description : `${description} (${index})`,
    providerStates: states?.map(({ name, params = {} }) => ({ name, params })),
    providerState: state,
    request: patched(PLAIN.request, request, wrap),
    response: patched(PLAIN.response, response, wrap),
  };
}

function patched(
  plain: MessagePatch,
  patch: MessagePatch = {},
  wrap: boolean,
): { readonly [member: string]: WritableJson | undefined } {
  const whole: MessagePatch = { ...plain, ...patch, headers: { ...plain.headers, ...patch.headers } };
  if (!wrap || whole.body === undefined) return whole;
  const isWrapped = typeof whole.body === 'object' && whole.body !== null && 'content' in whole.body;
  return isWrapped
    ? whole
    : { ...whole, body: { content: whole.body, contentType: 'application/json', encoded: false } };
}

/** The problems of an interaction in an audit, each as its kind and its place. */
export function problemsIn({ findings, groups }: Report, at = 0): string[] {
  const { evidence = [] } = groups[0]?.cases[at] ?? {};
  return evidence.map(({ finding, where }) => `${findings[finding]?.id} ${where}`);
}

/** `{ matchers: [{ match: … }] }`, the form of specifications 3 and 4. */
export function matchers(...found: readonly { readonly [member: string]: WritableJson }[]): WritableJson {
  return { combine: 'AND', matchers: [...found] };
}

/** A rejection with any 4xx and an Error of which only the types count, in V4. */
export const ANY_REJECTION: MessagePatch = {
  status: 400,
  body: { error: 1, message: 'rejected' },
  matchingRules: {
    status: { $: matchers({ match: 'statusCode', status: 'clientError' }) },
    body: { '$.error': matchers({ match: 'integer' }), '$.message': matchers({ match: 'type' }) },
  },
};
