import type * as FastCheck from 'fast-check';
import type { DrawnRow, RequestRow } from '../../row.js';
import type { HeaderFields } from '../tokens/values.js';
import {
  HARMLESS,
  inLowerCase,
  inUpperCase,
  invalid,
  invalidPlaces,
  MALFORMED,
  OTHER_VALUES,
  openPlant,
  openPlants,
  POLICIES,
  validPlant,
  WITHOUT_NAME,
  withFields,
} from './rows.js';

type HeaderField = HeaderFields[number];

const HARMLESS_FIELDS: readonly HeaderField[] = Object.values(HARMLESS).flat();
const POLICY_FIELDS: readonly HeaderField[] = Object.values(POLICIES).flat();

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

/** One of each name: a field that comes twice makes another request. */
function distinct(fields: readonly HeaderField[]): HeaderField[] {
  return [...new Map(fields.map((field) => [field[0].toLowerCase(), field])).values()];
}

/** Draws plain plants with other fields that no provider has a reason to reject. */
function drawHarmless(fc: typeof FastCheck): FastCheck.Arbitrary<DrawnRow> {
  const fields = fc.subarray([...HARMLESS_FIELDS], { maxLength: 8 }).map(distinct);
  const spelling = fc.constantFrom(
    (all: readonly HeaderField[]) => all,
    inLowerCase,
    inUpperCase,
    (all: readonly HeaderField[]) => all.toReversed(),
  );
  return fc.tuple(fields, spelling).map(([chosen, spell]) => {
    const names = chosen.map(([name]) => name).join(', ');
    return validPlant(
      'drawn',
      `with ${names || 'its fields in another spelling'}`,
      spell(withFields(chosen)),
    );
  });
}

/** Draws plants that a provider may reject, but must not change. */
function drawOpen(fc: typeof FastCheck): FastCheck.Arbitrary<DrawnRow> {
  return fc
    .tuple(
      fc.subarray([...POLICY_FIELDS, ...OTHER_VALUES.headers], { maxLength: 4 }).map(distinct),
      fc.boolean(),
    )
    .map(([fields, hasQuery]) =>
      openPlant('drawn', 'with fields for which a provider may have a policy', {
        headers: withFields(fields),
        ...(hasQuery && { query: OTHER_VALUES.query }),
      }),
    );
}

/** Draws fields beside the body: header fields, the query, and bodies that are forms. */
export function drawHeaders(fc: typeof FastCheck): FastCheck.Arbitrary<DrawnRow> {
  const accept = fc.constantFrom('text/html', 'application/xml', 'text/plain', '*/*', 'image/png;q=0.5');
  return fc.oneof(
    { weight: 3, arbitrary: drawHarmless(fc) },
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
    fc.tuple(accept, fc.subarray([...HARMLESS_FIELDS], { maxLength: 3 })).map(([value, fields]) =>
      invalid('drawn', `malformed JSON from a client that accepts ${value}`, 'body-is-json', {
        body: MALFORMED,
        headers: withFields(distinct([...fields, ['Accept', value]])),
      }),
    ),
  );
}
