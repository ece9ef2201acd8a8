import { type FamilyName, familyOf, type Probe } from '../probe.js';
import {
  type DrawnRow,
  PLAIN_PLANT,
  PLAIN_PLANT_WITH_TAG,
  probeOf,
  type RequestRow,
  type Row,
} from '../row.js';
import type { Value } from '../topics/values.js';

/** Where a row has room for values. */
interface Room {
  readonly name: boolean;
  readonly tag: boolean;
  readonly id: boolean;
}

interface Carrier {
  readonly probe: Probe;
  readonly row: DrawnRow;
  readonly request: RequestRow;
  readonly room: Room;
}

const NAME = '"<NAME>"';
const TAG = '"succulent"';
/** A plant without a tag, to which one can be added: nothing in it is like one, or may be one in escapes. */
const WITHOUT_TAG = /^\{(?!.*(?:tag|\\u)).*\}$/is;

/** Whether a row is sent only for what it carries. */
function isPlain({ row, request }: Pick<Carrier, 'row' | 'request'>): boolean {
  const isBodyOnly = Object.keys(request).length === 1 && row.ids === undefined;
  return isBodyOnly && (request.body === PLAIN_PLANT || request.body === PLAIN_PLANT_WITH_TAG);
}

/** A row as exploring sends it. */
export interface DrawnRequest {
  readonly row: DrawnRow;
  /** What it carries, and the carrier. They are sent alone if it fails. There are none if it carries nothing. */
  readonly parts: readonly DrawnRow[];
}

/** Gives a drawn row the values for which it has room. */
export function loaded(row: DrawnRow, given: readonly Value[]): DrawnRequest {
  const carrier = given.length > 0 && mayCarry(row) ? carrierOf(row, probeOf(row)) : undefined;
  const values = carrier === undefined ? [] : given.filter(({ of }) => carrier.room[of]);
  const [value, ...others] = values;
  if (carrier === undefined || value === undefined) return { row, parts: [] };
  if (isPlain(carrier) && others.length === 0) return { row: value.alone, parts: [] };
  const packed = packedRow(carrier, values);
  return { row: { ...packed, name: row.name }, parts: [row, ...values.map(({ alone }) => alone)] };
}

/** The families of which most draws, or many, may be accepted. */
const CARRYING: ReadonlySet<FamilyName> = new Set(['plain', 'keys', 'json-texts', 'headers', 'transport']);

/** Whether it may be worth the time to classify a drawn row. An id that the provider may have would hide what the values do. */
function mayCarry(row: DrawnRow): boolean {
  const [request, ...others] = row.requests;
  if (request === undefined || others.length > 0 || !CARRYING.has(familyOf(row.name))) return false;
  if (row.expectation === 'rejected' || row.phase === 'invalid') return false;
  if (request.idMayExist === true || !request.body.includes('<ID') || !request.body.endsWith('}'))
    return false;
  const { name, tag, id } = roomIn(row, request);
  return name || tag || id;
}

/** A row of one ordinary request whose plant nothing depends on, if it has room for values. */
function carrierOf(row: DrawnRow, probe: Probe): Carrier | undefined {
  const [request] = row.requests;
  if (request === undefined || request.plant !== undefined) return undefined;
  if (probe.phase !== 'valid' || probe.expectation === 'rejected') return undefined;
  // What is recorded of a request is recorded of nothing else, and a key like a field may change every field.
  if (probe.rules?.some((rule) => rule.startsWith('unspecified/') || rule === 'request/keys-are-exact'))
    return undefined;
  const room = roomIn(row, request);
  return room.name || room.tag || room.id ? { probe, row, request, room } : undefined;
}

function roomIn({ ids, rules }: DrawnRow, { body, isUnusual, encoding }: RequestRow): Room {
  if (isUnusual === true || encoding !== undefined) return { name: false, tag: false, id: false };
  const isWithoutTag = rules?.includes('success/absent-tag-stays-absent') === true;
  return {
    name: count(body, NAME) === 1 && count(body, '<NAME') === 1,
    tag: count(body, TAG) === 1 || (WITHOUT_TAG.test(body) && !isWithoutTag),
    id: ids === undefined && count(body, '<ID>') === 1 && count(body, '<ID') === 1,
  };
}

function count(text: string, part: string): number {
  return text.split(part).length - 1;
}

/** The row of a carrier with other values. Its rules are those of all of its parts. */
function packedRow({ probe, row, request }: Carrier, values: readonly Value[]): Row {
  const parts = values.map(({ alone }) => alone);
  const id = values.find((value) => value.of === 'id')?.alone.ids ?? row.ids;
  const isOpen = isPlain({ row, request }) && values.some(({ alone }) => alone.expectation === 'open');
  return {
    name: probe.name,
    title: `${probe.title}, with other values`,
    expectation: isOpen ? 'open' : probe.expectation,
    rules: [...new Set([probe, ...parts].flatMap(({ rules = [] }) => rules))],
    phase: probe.phase,
    control: probe.control ?? false,
    ...(id !== undefined && { ids: id }),
    requests: [
      {
        ...request,
        // The name comes last, since its text may be like another part.
        body: values.toReversed().reduce(withValue, request.body),
      },
    ],
  };
}

function withValue(body: string, { of, json }: Value): string {
  // A function, because `$&` in a replacement means something else.
  if (of === 'name') return body.replace(NAME, () => json);
  if (of === 'id') return body.replace('<ID>', () => json);
  return body.includes(TAG) ? body.replace(TAG, () => json) : body.replace(/\}$/, () => `,"tag":${json}}`);
}
