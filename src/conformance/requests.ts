import type { Fields, ProbeRequest } from './exchange.js';
import type { ProbeValues } from './probe.js';

/** The plainest tag: a lower-case ASCII word. */
export const PLAIN_TAG = 'succulent';

/** The headers that the interface requires. */
function properHeaders(token: string, mediaType = 'application/json'): Fields {
  return [
    ['Authorization', `Bearer ${token}`],
    ['Content-Type', mediaType],
  ];
}

/** A plant to create. Default: a fresh name, a fresh id, and no tag. */
export interface PlantToSend {
  readonly name?: string;
  readonly id?: number | bigint;
  readonly tag?: string;
}

/** A valid, authorised creation of a plant. */
export function creation(values: ProbeValues, given: PlantToSend = {}): ProbeRequest {
  const { tag } = given;
  const plant = { name: given.name ?? values.freshName(), id: given.id ?? values.freshId() };
  const members = { name: JSON.stringify(plant.name), id: String(plant.id) };
  return {
    headers: properHeaders(values.token),
    body: Buffer.from(objectOf(tag === undefined ? members : { ...members, tag: JSON.stringify(tag) })),
    plant: tag === undefined ? plant : { ...plant, tag },
    id: plant.id,
  };
}

/**
 * A plain plant with other members, given as JSON with `NAME` and `ID` as in {@link requestWith}. They are replaced or
 * added. A member that is `undefined` is left out.
 */
export function creationWith(
  values: ProbeValues,
  changes: Readonly<Record<string, string | undefined>>,
): ProbeRequest {
  return requestWith(values, objectOf({ name: '"NAME"', id: 'ID', ...changes }));
}

/** An authorised request. In its body, `NAME` stands for a fresh name, and `ID` for a fresh id. */
export function requestWith(values: ProbeValues, text: string, mediaType?: string): ProbeRequest {
  const [name, id] = [values.freshName(), values.freshId()];
  return {
    headers: properHeaders(values.token, mediaType),
    body: Buffer.from(text.replaceAll('NAME', name).replaceAll('ID', String(id))),
    ...(text.includes('ID') && { id }),
  };
}

/** The same request with other Authorization headers, or with none. */
export function withAuthorization(request: ProbeRequest, ...values: readonly string[]): ProbeRequest {
  const others = request.headers.filter(([name]) => name !== 'Authorization');
  return {
    ...request,
    headers: [...values.map((value) => ['Authorization', value] as const), ...others],
  };
}

/** The same request with another media type, or with none. */
export function withMediaType(request: ProbeRequest, mediaType: string | undefined): ProbeRequest {
  const others = request.headers.filter(([name]) => name !== 'Content-Type');
  return {
    ...request,
    headers: mediaType === undefined ? others : [...others, ['Content-Type', mediaType]],
  };
}

/** The same request with another body for the same plant. */
export function withBody(request: ProbeRequest, body: string | Uint8Array): ProbeRequest {
  return { ...request, body: Buffer.from(body as string) };
}

function objectOf(members: Readonly<Record<string, string | undefined>>): string {
  const pairs = Object.entries(members).filter(([, value]) => value !== undefined);
  return `{${pairs.map(([key, value]) => `${JSON.stringify(key)}:${value}`).join(',')}}`;
}
