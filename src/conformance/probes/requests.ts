import type { Fields, ProbeRequest } from '../exchange.js';
import type { ProbeMaterial } from '../probe.js';

/** A tag that is as plain as can be: a lower-case ASCII word. */
export const PLAIN_TAG = 'succulent';

/** The headers that the interface asks for. */
export function properHeaders(token: string, mediaType = 'application/json'): Fields {
  return [
    ['Authorization', `Bearer ${token}`],
    ['Content-Type', mediaType],
  ];
}

/** A plant to create; what is left out is fresh, and there is no tag. */
export interface PlantToSend {
  readonly name?: string;
  readonly id?: number | bigint;
  readonly tag?: string;
}

/** A valid, authorised creation of a plant. */
export function creation(material: ProbeMaterial, given: PlantToSend = {}): ProbeRequest {
  const { tag } = given;
  const plant = { name: given.name ?? material.freshName(), id: given.id ?? material.freshId() };
  const members = { name: JSON.stringify(plant.name), id: String(plant.id) };
  return {
    headers: properHeaders(material.token),
    body: objectOf(tag === undefined ? members : { ...members, tag: JSON.stringify(tag) }),
    plant: tag === undefined ? plant : { ...plant, tag },
    id: plant.id,
  };
}

/**
 * A creation whose body departs from a plain plant: members, as JSON text, are replaced, added, or left out where
 * the value is undefined.
 */
export function creationWith(
  material: ProbeMaterial,
  changes: Readonly<Record<string, string | undefined>>,
): ProbeRequest {
  const id = material.freshId();
  const members: Record<string, string> = { name: JSON.stringify(material.freshName()), id: String(id) };
  for (const [key, value] of Object.entries(changes)) {
    if (value === undefined) delete members[key];
    else members[key] = value;
  }
  return {
    headers: properHeaders(material.token),
    body: objectOf(members),
    ...(members.id === String(id) && { id }),
  };
}

/** An authorised request whose body is made of a fresh name, as JSON, and a fresh id. */
export function requestWith(
  material: ProbeMaterial,
  body: (name: string, id: number) => string | Uint8Array,
  mediaType?: string,
): ProbeRequest {
  const id = material.freshId();
  const bytes = Buffer.from(body(JSON.stringify(material.freshName()), id) as string);
  return {
    headers: properHeaders(material.token, mediaType),
    body: bytes,
    ...(bytes.includes(String(id)) && { id }),
  };
}

/** The same with another Authorization header, or none. */
export function withAuthorization(request: ProbeRequest, ...values: readonly string[]): ProbeRequest {
  const others = request.headers.filter(([name]) => name !== 'Authorization');
  return {
    ...request,
    headers: [...values.map((value) => ['Authorization', value] as const), ...others],
  };
}

/** The same with another media type, or none. */
export function withMediaType(request: ProbeRequest, mediaType: string | undefined): ProbeRequest {
  const others = request.headers.filter(([name]) => name !== 'Content-Type');
  return {
    ...request,
    headers: mediaType === undefined ? others : [...others, ['Content-Type', mediaType]],
  };
}

/** The same with a body of other bytes that mean the same, or nearly the same. */
export function withBody(request: ProbeRequest, body: string | Uint8Array): ProbeRequest {
  return { ...request, body: Buffer.from(body as string) };
}

function objectOf(members: Readonly<Record<string, string>>): Uint8Array {
  const pairs = Object.entries(members).map(([key, value]) => `${JSON.stringify(key)}:${value}`);
  return Buffer.from(`{${pairs.join(',')}}`);
}
