import type * as FastCheck from 'fast-check';
import type { DrawnRow, RequestRow } from '../../row.js';
import type { HeaderFields } from '../tokens/values.js';
import { words } from '../words.js';
import { CLIENTS, GATEWAYS, LONG_COOKIES, type Sender, TRACING } from './clients.js';
import {
  fieldsOf,
  invalid,
  invalidPlaces,
  MALFORMED,
  OTHER_VALUES,
  openPlant,
  openPlants,
  POLICIES,
  sentBy,
  sentThrough,
  validPlant,
  WITHOUT_NAME,
  withFields,
} from './rows.js';

type HeaderField = HeaderFields[number];

const CLIENT_LIST: readonly Sender[] = Object.values(CLIENTS);
const GATEWAY_LIST: readonly Sender[] = Object.values(GATEWAYS);
const POLICY_FIELDS: readonly HeaderField[] = Object.values(POLICIES).flat();

/** The parameters of media types that clients and libraries send. */
const USUAL_MEDIA_TYPES = [
  'application/json; charset=utf-8',
  'application/json; charset=UTF-8',
  'application/json;charset=utf-8',
  'application/json;charset=UTF-8',
];
/** Others with the same meaning, and parameters that mean nothing. */
const OTHER_MEDIA_TYPES = [
  'application/json; charset="utf-8"',
  'application/json;charset="UTF-8"',
  'application/json ; charset=utf-8',
  'application/json; Charset=utf-8',
  'application/json; CHARSET=UTF-8',
  'application/json; charset=utf8',
  'application/json; charset=us-ascii',
  'application/json;odata.metadata=minimal;charset=utf-8',
  'application/json; version=1.0',
  'application/json; profile="https://plants.example/plant"; charset=utf-8',
  'application/json;',
  'application/JSON',
];

const LANGUAGES = [
  '*',
  'tr-TR',
  'ar-EG,ar;q=0.9',
  'fa-IR',
  'hi-IN,hi;q=0.9',
  'zh-TW,zh;q=0.9,en-US;q=0.8,en;q=0.7',
];
const ACCEPTS = [
  'application/json',
  'application/json;charset=UTF-8',
  'application/json; q=0.8, */*; q=0.1',
  'application/*',
  'application/json, application/problem+json',
  'application/hal+json, application/json;q=0.9, */*;q=0.5',
];
/** What jQuery accepts if it is asked for HTML, XML or text. Whoever accepts no JSON cannot read an Error. */
const PREFERENCES = words('text/html application/xml,text/xml text/plain').map(
  (types) => `${types}, */*; q=0.01`,
);
// None with a star: Node cannot decode every coding.
const ENCODINGS = [
  'gzip',
  'identity',
  'gzip;q=0',
  'br;q=1.0, gzip;q=0.8',
  'deflate, gzip;q=1.0, identity; q=0.5',
];

const NAME_PLACES: readonly Pick<RequestRow, 'query' | 'headers'>[] = [
  ...['name', 'plant.name', 'plant%5Bname%5D', 'Name', 'body.name'].map((key) => ({
    query: `?${key}=<NAME>`,
  })),
  ...['Name', 'X-Name', 'X-Plant-Name', 'Plant-Name'].map((key) => ({
    headers: withFields([[key, '<NAME>']]),
  })),
  { headers: withFields([['Cookie', 'name=<NAME>']]) },
];

const FORMS = [
  ['application/x-www-form-urlencoded', 'name=<NAME>&id=<ID>'],
  ['application/json', 'name=<NAME>&id=<ID>'],
  ['application/x-www-form-urlencoded; charset=utf-8', 'id=<ID>&name=<NAME>'],
  ['application/yaml', 'name: <NAME>\nid: <ID>\n'],
  ['text/csv', 'name,id\n<NAME>,<ID>\n'],
] as const;

/** Draws plain plants as clients send them, also in another order, and through gateways. */
function drawClients(fc: typeof FastCheck): FastCheck.Arbitrary<DrawnRow> {
  const client = fc.constantFrom(...CLIENT_LIST);
  const maybe = <T>(...values: readonly T[]) => fc.option(fc.constantFrom(...values), { nil: undefined });
  const changes = fc.record({
    mediaType: maybe(...USUAL_MEDIA_TYPES),
    traced: fc.boolean(),
    language: maybe(...LANGUAGES),
    accept: maybe(...ACCEPTS),
    encoding: maybe(...ENCODINGS),
    cookies: fc.boolean(),
  });
  const changed = fc.tuple(client, changes).chain(([by, { mediaType, traced, cookies, ...more }]) => {
    const { language, accept, encoding } = more;
    const fields = fieldsOf(
      by,
      [
        ...(language === undefined ? [] : [['Accept-Language', language] as const]),
        ...(accept === undefined ? [] : [['Accept', accept] as const]),
        ...(encoding === undefined ? [] : [['Accept-Encoding', encoding] as const]),
        ...(cookies ? LONG_COOKIES : []),
        ...(traced ? TRACING : []),
      ],
      mediaType,
    );
    return fc
      .shuffledSubarray([...fields], { minLength: fields.length })
      .map((shuffled) => validPlant('drawn', `much as ${by.who} sends it`, shuffled));
  });
  const through = fc
    .tuple(client, fc.constantFrom(...GATEWAY_LIST))
    .map(([by, gateway]) => sentThrough('drawn', by, gateway));
  return fc.oneof(
    client.map((by) => sentBy('drawn', by)),
    through,
    { weight: 2, arbitrary: changed },
  );
}

/** Draws plants that a provider may reject, but must not change. */
function drawOpen(fc: typeof FastCheck): FastCheck.Arbitrary<DrawnRow> {
  return fc
    .tuple(
      fc.subarray([...POLICY_FIELDS, ...OTHER_VALUES.headers], { maxLength: 4 }),
      fc.constantFrom('application/json', ...OTHER_MEDIA_TYPES),
      fc.boolean(),
    )
    .map(([fields, mediaType, hasQuery]) =>
      openPlant('drawn', 'with fields for which a provider may have a policy', {
        headers: fieldsOf({ who: 'any client', fields: withFields([], mediaType) }, fields),
        ...(hasQuery && { query: OTHER_VALUES.query }),
      }),
    );
}

/** Draws fields beside the body: header fields, the query, and bodies that are forms. */
export function drawHeaders(fc: typeof FastCheck): FastCheck.Arbitrary<DrawnRow> {
  const accept = fc.constantFrom(...PREFERENCES);
  return fc.oneof(
    { weight: 4, arbitrary: drawClients(fc) },
    { weight: 2, arbitrary: drawOpen(fc) },
    fc.constantFrom(...openPlants, ...invalidPlaces),
    fc.constantFrom(...NAME_PLACES).map((place) =>
      invalid('drawn', 'a plant without a name, which is elsewhere', 'name-is-required', {
        body: WITHOUT_NAME,
        ...place,
      }),
    ),
    fc.constantFrom(...FORMS).map(([mediaType, body]) =>
      invalid('drawn', 'a plant in a body that is not JSON', 'body-is-json', {
        body,
        headers: withFields([], mediaType),
      }),
    ),
    fc.tuple(accept, fc.constantFrom(...CLIENT_LIST)).map(([value, client]) =>
      invalid('drawn', `malformed JSON from a client that accepts ${value}`, 'body-is-json', {
        body: MALFORMED,
        headers: fieldsOf(client, [['Accept', value]]),
      }),
    ),
  );
}
