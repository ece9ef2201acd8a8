import { singleRequestProbes } from '../../probe.js';
import { creation, properHeaders, withBody, withMediaType } from '../requests.js';

const valid = singleRequestProbes('created', 'valid', 'plain-plant');
/** Requests that the interface neither allows nor forbids. They are sent with the invalid ones. */
const open = singleRequestProbes('open', 'invalid', 'plain-plant');

const spellingsOfTheMediaType = [
  valid('media-type-with-charset', 'a plain plant as application/json; charset=utf-8', (values) =>
    withMediaType(creation(values), 'application/json; charset=utf-8'),
  ),
  valid('media-type-in-capitals', 'a plain plant as Application/JSON', (values) =>
    withMediaType(creation(values), 'Application/JSON'),
  ),
];

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

const query = open('query', 'a plain plant with a query after the path', (values) => ({
  ...creation(values),
  query: '?colour=green',
}));

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

/** Media types, the query, and other methods and paths. */
export const named = [...spellingsOfTheMediaType, ...mediaTypes, query, ...otherOperations];
