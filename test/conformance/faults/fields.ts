import { headerNames } from '../../../src/http/fields.js';
import type { IncomingRequest, OutgoingResponse } from '../../../src/server/exchange.js';
import { inLatin1, redirectToLogin, withMediaType } from '../../../src/server/faults/responses.js';
import type { Steps } from '../../../src/server/steps.js';
import { exactNumber, isObject, type JsonObject } from '../../../src/validation/json-value.js';
import { breaking } from './breaking.js';
import { field, rejectsFields } from './simple/input.js';

function prefersPages(request: IncomingRequest): boolean {
  return field(request, 'accept').startsWith('text/html');
}

/** Adds fields from another place to the fields of a plant. */
function merges(merge: (fields: JsonObject, request: IncomingRequest) => JsonObject) {
  return ({ validate }: Steps): Partial<Steps> => ({
    validate: (value, request) => validate(isObject(value) ? merge({ ...value }, request) : value, request),
  });
}

/** Reads a field of a plant that is missing in the body from another place. */
function fillsIn(name: 'name' | 'tag', from: (request: IncomingRequest) => string | undefined) {
  return merges((fields, request) => {
    const value = from(request);
    return value === undefined || name in fields ? fields : { ...fields, [name]: value };
  });
}

function inQuery({ target }: IncomingRequest): Readonly<Record<string, string>> {
  return Object.fromEntries(new URLSearchParams(target.split('?')[1] ?? ''));
}

/** The parts of a multipart form that have a name and no file. */
function inForm({ body = new Uint8Array() }: IncomingRequest): Readonly<Record<string, string>> {
  const parts = Buffer.from(body)
    .toString()
    .matchAll(/; name="(\w+)"\r?\n\r?\n(.*?)\r?\n--/gs);
  return Object.fromEntries(Array.from(parts, ([, name = '', value = '']) => [name, value]));
}

/** The plant that texts are the fields of, if they are a name, an id and perhaps a tag. */
function plantOf({ name, id = '', tag }: Readonly<Record<string, string>>): JsonObject | undefined {
  if (name === undefined || !/^-?\d+$/.test(id)) return undefined;
  return { name, id: exactNumber(id), ...(tag !== undefined && { tag }) };
}

/** Fails on some requests before anything else looks at them. */
function throwsOn(isFatal: (request: IncomingRequest) => boolean) {
  return ({ route }: Steps): Partial<Steps> => ({
    route(request) {
      if (isFatal(request)) throw new Error('an exception was not caught');
      return route(request);
    },
  });
}

function changes(change: (response: OutgoingResponse, request: IncomingRequest) => OutgoingResponse) {
  return ({ deliver }: Steps): Partial<Steps> => ({
    deliver: (response, request) => change(deliver(response, request), request),
  });
}

const MOST_FIELDS = 32;
const LONGEST_FIELD = 1_024;

/** Header fields and the query have an effect that they must not have. */
export const fieldFaults = {
  ...breaking(['request/other-parameters-are-accepted'], {
    'refuses-quoted-charsets': rejectsFields((request) => field(request, 'content-type').includes('"'))
      .replace,
    'refuses-spaces-before-parameters': rejectsFields((request) =>
      field(request, 'content-type').includes(' ;'),
    ).replace,
    'refuses-other-parameters': rejectsFields((request) =>
      /;(?! *charset=)/.test(field(request, 'content-type')),
    ).replace,
  }),
  ...breaking(['failure/everyday-request-is-answered'], {
    'fails-without-media-type': throwsOn((request) => field(request, 'content-type') === ''),
    'fails-on-lower-case-schemes': throwsOn((request) =>
      field(request, 'authorization').startsWith('bearer '),
    ),
  }),
  ...breaking(['failure/rare-input-is-answered'], {
    'fails-on-codings': throwsOn((request) => field(request, 'content-encoding') !== ''),
  }),
  ...breaking(['request/other-fields-change-nothing'], {
    'refuses-other-media-types': rejectsFields(prefersPages).replace,
    'trips-over-cookies': rejectsFields((request) => field(request, 'cookie').includes('{')).replace,
    'refuses-quality-values': rejectsFields((request) => field(request, 'accept-encoding').includes('q='))
      .replace,
    'refuses-many-fields': rejectsFields(({ headers }) => headerNames(headers).length > MOST_FIELDS).replace,
    'refuses-long-fields': rejectsFields(({ headers }) =>
      headers.some(({ length }) => length > LONGEST_FIELD),
    ).replace,
  }),
  ...breaking(['request/media-type-parameters-are-accepted'], {
    'compares-charset-case': rejectsFields((request) =>
      field(request, 'content-type').endsWith('charset=UTF-8'),
    ).replace,
  }),
  ...breaking(['failure/rare-input-is-answered'], {
    'redirects-browsers-to-login': changes((response, request) =>
      prefersPages(request) && field(request, 'authorization') === '' ? redirectToLogin(response) : response,
    ),
  }),
  ...breaking(['success/media-type-is-json', 'success/body-is-json'], {
    'answers-xml-if-asked': changes((response, request) =>
      field(request, 'accept') === 'application/xml' && response.status === 200
        ? { ...withMediaType(response, 'application/xml'), body: '<plant/>' }
        : response,
    ),
  }),
  ...breaking(['success/body-is-json'], {
    'answers-latin-1-if-asked': changes((response, request) =>
      field(request, 'accept-charset') === 'iso-8859-1'
        ? { ...response, body: inLatin1(response) }
        : response,
    ),
  }),
  ...breaking(['request/name-is-required'], {
    'fills-in-from-query': fillsIn('name', (request) => inQuery(request).name),
    'fills-in-from-headers': fillsIn(
      'name',
      (request) => field(request, 'name') || /\bname=(\w+)/.exec(field(request, 'cookie'))?.[1],
    ),
  }),
  ...breaking(['success/name-comes-back'], {
    'prefers-query': merges((fields, request) => {
      const { name } = inQuery(request);
      return name === undefined || !('name' in fields) ? fields : { ...fields, name };
    }),
  }),
  ...breaking(['success/absent-tag-stays-absent'], {
    'adds-tag-from-cookies': fillsIn('tag', (request) => /\btag=(\w+)/.exec(field(request, 'cookie'))?.[1]),
  }),
  ...breaking(['request/body-is-required'], {
    'reads-plants-from-query': ({ readBody }) => ({
      readBody(request) {
        const isEmpty = request.body?.length === 0;
        return (isEmpty && plantOf(inQuery(request))) || readBody(request);
      },
    }),
  }),
  ...breaking(['request/body-is-json'], {
    'reads-multipart': ({ checkMediaType, readBody }) => {
      const formPlant = (request: IncomingRequest): JsonObject | undefined =>
        field(request, 'content-type').startsWith('multipart/form-data')
          ? plantOf(inForm(request))
          : undefined;
      return {
        checkMediaType: (request) => (formPlant(request) === undefined ? checkMediaType(request) : undefined),
        readBody: (request) => formPlant(request) ?? readBody(request),
      };
    },
  }),
};
