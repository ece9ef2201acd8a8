import { type FamilyName, familyOf, type Probe } from './probe.js';
import {
  type CoreRow,
  type DrawnRow,
  PLAIN_PLANT,
  PLAIN_PLANT_WITH_TAG,
  probeOf,
  type RequestRow,
  type Row,
} from './row.js';
import { coreRows } from './topics/index.js';
import { type Make, type Value, type Values, valuesOf } from './topics/values.js';

/** What a packed request carries. If it fails, each part is sent alone. */
export interface Load {
  /** The probe that carries it, with plain values. `undefined`: it is a plain plant. */
  readonly carrier: Probe | undefined;
  /** A probe whose header fields it has. */
  readonly fields: Probe | undefined;
  readonly values: readonly Value[];
}

/** The probes of a run. */
export interface Packing {
  /** The probes to send. Those that carry something have the name of their carrier. */
  readonly probes: readonly Probe[];
  /** What the packed ones carry. */
  readonly loads: ReadonlyMap<Probe, Load>;
  /** Those that are sent only if a name, or a tag, of another one is rejected. */
  readonly ifRejected: Readonly<Record<'name' | 'tag', readonly Probe[]>>;
}

/** The packing of a run whose requests carry nothing more. */
export const NOT_PACKED: Packing = { probes: [], loads: new Map(), ifRejected: { name: [], tag: [] } };

/** Where a row has room for values. */
interface Room {
  readonly name: boolean;
  readonly tag: boolean;
  readonly id: boolean;
}

interface Carrier {
  readonly probe: Probe;
  readonly row: CoreRow;
  readonly request: RequestRow;
  readonly room: Room;
}

const NAME = '"<NAME>"';
const TAG = '"succulent"';
/** A plant without a tag, to which one can be added: nothing in it is like one, or may be one in escapes. */
const WITHOUT_TAG = /^\{(?!.*(?:tag|\\u)).*\}$/is;

/**
 * Gives every probe that must or may be accepted a name, a tag and an id that are still to be sent, so that few requests carry
 * many values.
 *
 * @param probes the probes of a run
 */
export function pack(probes: readonly Probe[]): Packing {
  const carriers = probes.flatMap((probe) => carrierOf(coreRows.get(probe.name), probe) ?? []);
  const merged = withFields(carriers, probes);
  const takenFields = new Set([...merged.values()].map(({ probe }) => probe));
  const loading = new Loading(valuesOf());
  const packed = new Map<Probe, readonly [Probe, Load]>();
  for (const carrier of inOrder(carriers)) {
    const fields = merged.get(carrier);
    if (takenFields.has(carrier.probe)) continue;
    const values = loading.take(carrier, fields);
    if (values.length === 0 && fields === undefined) continue;
    const load: Load = {
      carrier: isPlain(carrier) ? undefined : carrier.probe,
      fields: fields?.probe,
      values,
    };
    packed.set(carrier.probe, [probeOf(packedRow(carrier, fields, values)), load]);
  }
  const spare = (field: 'name' | 'tag'): readonly Probe[] =>
    loading.hasAllOf(field) ? probes.filter(({ name }) => coreRows.get(name)?.ifRejected === field) : [];
  const ifRejected = { name: spare('name'), tag: spare('tag') };
  const left = new Set([...takenFields, ...ifRejected.name, ...ifRejected.tag]);
  return {
    probes: probes.filter((probe) => !left.has(probe)).map((probe) => packed.get(probe)?.[0] ?? probe),
    loads: new Map(packed.values()),
    ifRejected,
  };
}

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
  const packed = packedRow(carrier, undefined, values);
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
function carrierOf(row: CoreRow | undefined, probe: Probe): Carrier | undefined {
  const [request, ...others] = row?.requests ?? [];
  if (row === undefined || request === undefined || others.length > 0) return undefined;
  if (probe.phase !== 'valid' || probe.expectation === 'rejected' || CONTROLS.has(probe.name))
    return undefined;
  if (row.alternatives !== undefined || row.ifRejected !== undefined || request.plant !== undefined)
    return undefined;
  // What is recorded of a request is recorded of nothing else, and a key like a field may change every field.
  if (probe.rules?.some((rule) => rule.startsWith('unspecified/') || rule === 'request/keys-are-exact'))
    return undefined;
  const room = roomIn(row, request);
  return room.name || room.tag || room.id ? { probe, row, request, room } : undefined;
}

const CONTROLS: ReadonlySet<string> = new Set(['id-near-upper-end', 'id-near-lower-end']);

function roomIn({ ids, rules }: CoreRow, { body, isUnusual, encoding }: RequestRow): Room {
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

/** Those that carry nothing else first: they take the most telling values. */
function inOrder(carriers: readonly Carrier[]): readonly Carrier[] {
  const isOpen = ({ probe }: Carrier): boolean => probe.expectation === 'open';
  return [
    ...carriers.filter(isPlain),
    ...carriers.filter((one) => !isPlain(one) && isOpen(one)),
    ...carriers.filter((one) => !isPlain(one) && !isOpen(one)),
  ];
}

/** Lets requests that differ only in their bodies have the header fields of those that differ only in these. */
function withFields(carriers: readonly Carrier[], probes: readonly Probe[]): ReadonlyMap<Carrier, Carrier> {
  const hasOnly = (request: RequestRow, ...keys: readonly string[]): boolean =>
    Object.keys(request).every((key) => keys.includes(key));
  const isExtra = ({ request, probe }: Carrier): boolean =>
    hasOnly(request, 'body', 'headers') &&
    request.headers !== undefined &&
    request.body === PLAIN_PLANT &&
    (probe.rules ?? []).every((rule) => (sentFor.get(rule) ?? 0) > 1);
  const sentFor = new Map<string, number>();
  for (const { rules = [] } of probes)
    for (const rule of rules) sentFor.set(rule, (sentFor.get(rule) ?? 0) + 1);
  const bodies = carriers.filter((one) => hasOnly(one.request, 'body') && !isPlain(one));
  const merged = new Map<Carrier, Carrier>();
  for (const fields of carriers.filter(isExtra)) {
    const carrier = bodies.find((one) => !merged.has(one) && isAlike(one, fields));
    if (carrier !== undefined) merged.set(carrier, fields);
  }
  return merged;
}

function isAlike(carrier: Carrier, fields: Carrier): boolean {
  if (carrier.probe.expectation !== fields.probe.expectation) return false;
  // A tag that is in the fields shows only in a plant without one.
  return fields.room.tag || !carrier.request.body.includes('"tag"');
}

/** The values that are still to be sent. */
class Loading {
  private readonly taken = { open: { name: 0, tag: 0 }, accepted: { name: 0, tag: 0, id: 0 } };

  constructor(private readonly values: Values) {}

  /** The next values for which a carrier has room. */
  take({ room }: Carrier, fields: Carrier | undefined): readonly Value[] {
    const hasTagElsewhere = fields !== undefined && !fields.room.tag;
    return [
      ...(room.name ? this.text('name') : []),
      ...(room.id ? this.next(this.values.accepted.id, this.taken.accepted, 'id') : []),
      ...(room.tag && !hasTagElsewhere ? this.text('tag') : []),
    ];
  }

  /** Whether the run sends the characters of all classes in names, or in tags. */
  hasAllOf(field: 'name' | 'tag'): boolean {
    return this.taken.open[field] >= this.values.characters;
  }

  private text(field: 'name' | 'tag'): readonly Value[] {
    const { open, accepted } = this.values;
    const value = this.next(open[field], this.taken.open, field);
    return value.length > 0 ? value : this.next(accepted[field], this.taken.accepted, field);
  }

  private next<K extends string>(list: readonly Make[], taken: Record<K, number>, key: K): readonly Value[] {
    while (taken[key] < list.length) {
      const value = list[taken[key]++]?.();
      if (value !== undefined) return [value];
    }
    return [];
  }
}

/** The row of a carrier with other values. Its rules are those of all of its parts. */
function packedRow(
  { probe, row, request }: Carrier,
  fields: Carrier | undefined,
  values: readonly Value[],
): Row {
  const parts = [...(fields === undefined ? [] : [fields.row]), ...values.map(({ alone }) => alone)];
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
        ...(fields?.request.headers !== undefined && { headers: fields.request.headers }),
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
