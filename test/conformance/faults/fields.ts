import { headerNames } from '../../../src/http/fields.js';
import type { IncomingRequest, OutgoingResponse } from '../../../src/server/exchange.js';
import { field, rejectsFields } from '../../../src/server/faults/input.js';
import type { Faults } from '../../../src/server/faults/names.js';
import { inLatin1, redirectToLogin, withMediaType } from '../../../src/server/faults/responses.js';
import type { Steps } from '../../../src/server/steps.js';
import { exactNumber, isObject, type JsonObject } from '../../../src/validation/json-value.js';

function prefersPages(request: IncomingRequest): boolean {
  return field(request, 'accept').startsWith('text/html');
}

/** Adds fields from another place to the fields of a plant. */
function merges(merge: (fields: JsonObject, request: IncomingRequest) => JsonObject) {
  return ({ validate }: Steps): Partial<Steps> => ({
    validate: (value, request) => validate(isObject(value) ? merge({ ...value }, request) : value, request),
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

function changes(change: (response: OutgoingResponse, request: IncomingRequest) => OutgoingResponse) {
  return ({ deliver }: Steps): Partial<Steps> => ({
    deliver: (response, request) => change(deliver(response, request), request),
  });
}

const MOST_FIELDS = 32;
const LONGEST_FIELD = 1_024;

/** Header fields and the query have an effect that they must not have. */
export const fieldFaults = {
  'refuses-other-media-types': {
    title: 'A plant is rejected if the client prefers HTML.',
    ...rejectsFields(prefersPages),
  },
  'trips-over-cookies': {
    title: 'A plant is rejected if a cookie holds braces.',
    ...rejectsFields((request) => field(request, 'cookie').includes('{')),
  },
  'refuses-quality-values': {
    title: 'A plant is rejected if an Accept-Encoding has quality values.',
    ...rejectsFields((request) => field(request, 'accept-encoding').includes('q=')),
  },
  'refuses-many-fields': {
    title: 'A plant is rejected if the request has more than 32 header fields.',
    ...rejectsFields(({ headers }) => headerNames(headers).length > MOST_FIELDS),
  },
  'refuses-long-fields': {
    title: 'A plant is rejected if a header field has more than 1,024 bytes.',
    ...rejectsFields(({ headers }) => headers.some(({ length }) => length > LONGEST_FIELD)),
  },
  'compares-charset-case': {
    title: 'A charset in capitals is unknown, so the plant is rejected.',
    ...rejectsFields((request) => field(request, 'content-type').endsWith('charset=UTF-8')),
    breaks: ['request/media-type-parameters-are-accepted'],
  },
  'answers-pages-to-browsers': {
    title: 'An error response is an HTML page if the client prefers HTML.',
    breaks: ['failure/media-type-is-json', 'failure/body-is-an-error'],
    replace: changes((response, request) =>
      response.status >= 400 && prefersPages(request)
        ? { ...withMediaType(response, 'text/html'), body: '<h1>Whitelabel Error Page</h1>' }
        : response,
    ),
  },
  'redirects-browsers-to-login': {
    title: 'A client that prefers HTML and has no token is redirected to a login page.',
    breaks: ['failure/rare-input-is-answered'],
    replace: changes((response, request) =>
      prefersPages(request) && field(request, 'authorization') === '' ? redirectToLogin(response) : response,
    ),
  },
  'answers-xml-if-asked': {
    title: 'A client that only accepts XML gets XML.',
    breaks: ['success/media-type-is-json', 'success/body-is-json'],
    replace: changes((response, request) =>
      field(request, 'accept') === 'application/xml' && response.status === 200
        ? { ...withMediaType(response, 'application/xml'), body: '<plant/>' }
        : response,
    ),
  },
  'answers-latin-1-if-asked': {
    title: 'A client that only accepts ISO 8859-1 gets JSON in ISO 8859-1.',
    breaks: ['success/body-is-json'],
    replace: changes((response, request) =>
      field(request, 'accept-charset') === 'iso-8859-1'
        ? { ...response, body: inLatin1(response) }
        : response,
    ),
  },
  'fills-in-from-query': {
    title: 'A name that is missing in the body is read from the query.',
    breaks: ['request/name-is-required'],
    replace: merges((fields, request) => {
      const { name } = inQuery(request);
      return name === undefined || 'name' in fields ? fields : { ...fields, name };
    }),
  },
  'fills-in-from-headers': {
    title: 'A name that is missing in the body is read from a header or a cookie.',
    breaks: ['request/name-is-required'],
    replace: merges((fields, request) => {
      const name = field(request, 'name') || /\bname=(\w+)/.exec(field(request, 'cookie'))?.[1];
      return name === undefined || 'name' in fields ? fields : { ...fields, name };
    }),
  },
  'prefers-query': {
    title: 'A name in the query takes the place of the one in the body.',
    breaks: ['success/name-comes-back'],
    replace: merges((fields, request) => {
      const { name } = inQuery(request);
      return name === undefined || !('name' in fields) ? fields : { ...fields, name };
    }),
  },
  'adds-tag-from-cookies': {
    title: 'A tag that is missing in the body is read from a cookie.',
    breaks: ['success/absent-tag-stays-absent'],
    replace: merges((fields, request) => {
      const tag = /\btag=(\w+)/.exec(field(request, 'cookie'))?.[1];
      return tag === undefined || 'tag' in fields ? fields : { ...fields, tag };
    }),
  },
  'reads-plants-from-query': {
    title: 'Without a body, the plant is read from the query.',
    breaks: ['request/body-is-required'],
    replace: ({ readBody }) => ({
      readBody(request) {
        const isEmpty = request.body?.length === 0;
        return (isEmpty && plantOf(inQuery(request))) || readBody(request);
      },
    }),
  },
  'reads-multipart': {
    title: 'A plant is also read from a multipart form.',
    breaks: ['request/body-is-json'],
    replace: ({ checkMediaType, readBody }) => {
      const isForm = (request: IncomingRequest): boolean =>
        field(request, 'content-type').startsWith('multipart/form-data');
      const formPlant = (request: IncomingRequest): JsonObject | undefined =>
        isForm(request) ? plantOf(inForm(request)) : undefined;
      return {
        checkMediaType: (request) => (formPlant(request) === undefined ? checkMediaType(request) : undefined),
        readBody: (request) => formPlant(request) ?? readBody(request),
      };
    },
  },
} satisfies Faults;
