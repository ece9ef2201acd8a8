import type * as FastCheck from 'fast-check';
import { FRESH_ID, FRESH_NAME, type Piece, type ProbeDraft, type RequestDraft } from '../draft.js';
import { PLANT } from '../tokens/unauthorised.js';
import { HARMLESS, inLowerCase, inUpperCase, OTHER_FIELDS, withFields } from './clients.js';
import { OTHER_VALUES, openPlants, POLICIES } from './open.js';
import { BODY_IS_JSON, invalid, invalidPlaces, NAME_IS_REQUIRED, WITHOUT_NAME } from './places.js';

type HeaderField = NonNullable<RequestDraft['headers']>[number];

const HARMLESS_FIELDS: readonly HeaderField[] = Object.values(HARMLESS).flat();
const POLICY_FIELDS: readonly HeaderField[] = Object.values(POLICIES).flat();

const NAME_PLACES: readonly Pick<RequestDraft, 'query' | 'headers'>[] = [
  ...['name', 'plant.name', 'plant%5Bname%5D', 'Name', 'body.name'].map((key) => ({
    query: [`?${key}=`, FRESH_NAME],
  })),
  ...['Name', 'X-Name', 'X-Plant-Name', 'Plant-Name'].map((key) => ({
    headers: withFields([[key, FRESH_NAME]]),
  })),
  { headers: withFields([['Cookie', ['name=', FRESH_NAME]]]) },
];

const FORMS: readonly RequestDraft[] = [
  ['application/x-www-form-urlencoded', ['name=', FRESH_NAME, '&id=', FRESH_ID]],
  ['application/json', ['name=', FRESH_NAME, '&id=', FRESH_ID]],
  ['application/x-www-form-urlencoded; charset=utf-8', ['id=', FRESH_ID, '&name=', FRESH_NAME]],
  ['application/yaml', ['name: ', FRESH_NAME, '\nid: ', FRESH_ID, '\n']],
  ['text/csv', ['name,id\n', FRESH_NAME, ',', FRESH_ID, '\n']],
].map(([mediaType, body]) => ({
  headers: withFields([], mediaType as string),
  body: body as readonly Piece[],
}));

/** One of each name: a field that comes twice makes another request. */
function distinct(fields: readonly HeaderField[]): HeaderField[] {
  return [...new Map(fields.map((field) => [field[0].toLowerCase(), field])).values()];
}

/** Draws plain plants with other fields that no provider has a reason to reject. */
function drawHarmless(fc: typeof FastCheck): FastCheck.Arbitrary<ProbeDraft> {
  const fields = fc.subarray([...HARMLESS_FIELDS], { maxLength: 8 }).map(distinct);
  const spelling = fc.constantFrom(
    (all: readonly HeaderField[]) => all,
    inLowerCase,
    inUpperCase,
    (all: readonly HeaderField[]) => all.toReversed(),
  );
  return fc.tuple(fields, spelling).map(([chosen, spell]) => ({
    name: 'headers/drawn',
    title: `a plain plant with ${chosen.map(([name]) => name).join(', ') || 'its fields in another spelling'}`,
    expectation: 'created',
    phase: 'valid',
    control: 'plain-plant',
    rules: [OTHER_FIELDS],
    requests: [{ ...PLANT, headers: spell(withFields(chosen)) }],
  }));
}

/** Draws plants that a provider may reject, but must not change. */
function drawOpen(fc: typeof FastCheck): FastCheck.Arbitrary<ProbeDraft> {
  const [first] = openPlants as readonly [ProbeDraft];
  return fc
    .tuple(
      fc.subarray([...POLICY_FIELDS, ...OTHER_VALUES.headers], { maxLength: 4 }).map(distinct),
      fc.boolean(),
    )
    .map(([fields, hasQuery]) => ({
      ...first,
      name: 'headers/drawn',
      title: 'a plain plant with fields for which a provider may have a policy',
      requests: [{ ...PLANT, headers: withFields(fields), ...(hasQuery && { query: OTHER_VALUES.query }) }],
    }));
}

/** Draws fields beside the body: header fields, the query, and bodies that are forms. */
export function drawHeaders(fc: typeof FastCheck): FastCheck.Arbitrary<ProbeDraft> {
  const accept = fc.constantFrom('text/html', 'application/xml', 'text/plain', '*/*', 'image/png;q=0.5');
  return fc.oneof(
    { weight: 3, arbitrary: drawHarmless(fc) },
    { weight: 2, arbitrary: drawOpen(fc) },
    fc.constantFrom(...openPlants, ...invalidPlaces),
    fc.constantFrom(...NAME_PLACES).map((place) =>
      invalid('drawn', 'a plant without a name, which is elsewhere', NAME_IS_REQUIRED, {
        body: WITHOUT_NAME,
        ...place,
      }),
    ),
    fc
      .constantFrom(...FORMS)
      .map((form) => invalid('drawn', 'a plant in a body that is not JSON', BODY_IS_JSON, form)),
    fc.tuple(accept, fc.subarray([...HARMLESS_FIELDS], { maxLength: 3 })).map(([value, fields]) =>
      invalid('drawn', `malformed JSON from a client that accepts ${value}`, BODY_IS_JSON, {
        body: ['{"name":"', FRESH_NAME, '","id":', FRESH_ID],
        headers: withFields(distinct([...fields, ['Accept', value]])),
      }),
    ),
  );
}
