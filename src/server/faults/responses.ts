import { fieldsFrom } from '../../http/fields.js';
import type { NewPlant } from '../../spec/types.js';
import { type WritableJson, writeJson } from '../../validation/json.js';
import { narrow } from '../../validation/json-value.js';
import type { IncomingRequest, OutgoingResponse } from '../exchange.js';
import type { Steps } from '../steps.js';
import type { Faults } from './fault.js';

/** Responds to a creation with another body. Its numbers are exact. */
export function rendersBody(members: (plant: NewPlant, request: IncomingRequest) => WritableJson) {
  return ({ render }: Steps): Partial<Steps> => ({
    render: (plant, request) => ({ ...render(plant, request), body: writeJson(members(plant, request)) }),
  });
}

/** Stores the plant unchanged and responds with another one. */
export function rendersOther(other: (plant: NewPlant) => NewPlant) {
  return ({ render }: Steps): Partial<Steps> => ({
    render: (plant, request) => render(other(plant), request),
  });
}

/** Changes every string in the response to a creation. */
export function changesStrings(change: (text: string) => string) {
  return rendersOther((plant) => {
    const changed = { ...plant, name: change(plant.name) };
    return plant.tag === undefined ? changed : { ...changed, tag: change(plant.tag) };
  });
}

/** Changes the response to a creation. */
export function changesResponse(change: (response: OutgoingResponse) => OutgoingResponse) {
  return ({ render }: Steps): Partial<Steps> => ({
    render: (plant, request) => change(render(plant, request)),
  });
}

/** The same response with another media type. */
export function withMediaType(response: OutgoingResponse, mediaType: string): OutgoingResponse {
  return { ...response, headers: [...withoutMediaType(response), 'content-type', mediaType] };
}

/** A redirect to a login page in place of a response. */
export function redirectToLogin(response: OutgoingResponse): OutgoingResponse {
  return { status: 302, headers: [...withoutMediaType(response), 'location', '/login'], body: '' };
}

function withoutMediaType({ headers }: OutgoingResponse): string[] {
  return fieldsFrom(headers)
    .filter(([name]) => name !== 'content-type')
    .flat();
}

/** A body of JSON in Latin-1. Other characters become escapes, because a lost character would be another fault. */
export function inLatin1({ body }: OutgoingResponse): Uint8Array {
  const escaped = String(body).replace(
    /[\u0100-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return Buffer.from(escaped, 'latin1');
}

/** The response to a creation is wrong. */
export const responseFaults = {
  'answers-201': {
    title: 'The response to a creation is 201.',
    breaks: ['success/status-is-200'],
    replace: changesResponse((response) => ({ ...response, status: 201 })),
  },
  'answers-204': {
    title: 'The response to a creation is 204 without a body.',
    breaks: ['success/status-is-200'],
    replace: changesResponse(() => ({ status: 204, headers: [], body: '' })),
  },
  'leaks-id': {
    title: 'The response contains the id.',
    breaks: ['success/plant-fields-only'],
    replace: rendersBody(({ name, tag, id }) => ({ name, tag, id: narrow(id) })),
  },
  'adds-timestamp': {
    title: 'The response contains the time of creation.',
    breaks: ['success/plant-fields-only'],
    replace: rendersBody(({ name, tag }) => ({ name, tag, createdAt: new Date().toISOString() })),
  },
  'omits-name': {
    title: 'The response has no name.',
    breaks: ['success/body-is-a-plant'],
    replace: rendersBody(({ tag }) => ({ tag })),
  },
  'wraps-plant': {
    title: 'The response contains the plant in a member "plant".',
    breaks: ['success/body-is-a-plant', 'success/plant-fields-only'],
    replace: rendersBody(({ name, tag }) => ({ plant: { name, tag } })),
  },
  'answers-no-body': {
    title: 'The response to a creation is 200 without a body.',
    breaks: ['success/body-is-json'],
    replace: changesResponse((response) => ({ ...response, body: '' })),
  },
  'renders-null-tag': {
    title: 'A plant without a tag is returned with a tag of null.',
    breaks: ['success/body-is-a-plant', 'success/absent-tag-stays-absent'],
    replace: rendersBody(({ name, tag = null }) => ({ name, tag })),
  },
  'drops-tag': {
    title: 'A plant with a tag is returned without it.',
    breaks: ['success/tag-comes-back'],
    replace: rendersOther(({ name, id }) => ({ name, id })),
  },
  'escapes-html': {
    title: 'Strings are returned with HTML escapes.',
    breaks: ['success/texts-come-back'],
    replace: changesStrings((text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')),
  },
  'trims-texts': {
    title: 'White space at the ends of strings is removed.',
    breaks: ['success/texts-come-back'],
    replace: changesStrings((text) => text.trim()),
  },
  'answers-text-plain': {
    title: 'The response to a creation is text/plain.',
    breaks: ['success/media-type-is-json'],
    replace: changesResponse((response) => withMediaType(response, 'text/plain')),
  },
  'answers-latin-1': {
    title: 'The response to a creation is encoded in Latin-1.',
    breaks: ['success/body-is-json'],
    replace: changesResponse((response) => ({ ...response, body: inLatin1(response) })),
  },
} satisfies Faults;
