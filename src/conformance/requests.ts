import type { NewPlant } from '../spec/types.js';
import type { Fields, ProbeRequest } from './exchange.js';
import type { ProbeMaterial } from './probe.js';

/** Members of a JSON object with their values as JSON text, so that nothing is rounded or rewritten. */
export type Members = Readonly<Record<string, string>>;

/** The plainest name there is; see the interface: "Further constraints on name: not shown". */
export const PLAIN_NAME = 'Aloe';
export const PLAIN_TAG = 'succulent';

/** The headers that the interface asks for. */
export function properHeaders(token: string): Fields {
  return [
    ['Authorization', `Bearer ${token}`],
    ['Content-Type', 'application/json'],
  ];
}

/** A valid, authorised creation of a plant. */
export function creation({ token }: ProbeMaterial, plant: NewPlant): ProbeRequest {
  const { name, id, tag } = plant;
  const members = {
    name: JSON.stringify(name),
    id: String(id),
    ...(tag !== undefined && { tag: JSON.stringify(tag) }),
  };
  return { headers: properHeaders(token), body: objectOf(members), plant, id };
}

/**
 * A creation whose body departs from a plain plant with a fresh id: members are replaced, added, or left out where
 * the value is undefined.
 */
export function creationWith(
  material: ProbeMaterial,
  changes: Readonly<Record<string, string | undefined>>,
): ProbeRequest {
  const id = material.freshId();
  const members: Record<string, string> = { name: JSON.stringify(PLAIN_NAME), id: String(id) };
  for (const [key, value] of Object.entries(changes)) {
    if (value === undefined) delete members[key];
    else members[key] = value;
  }
  const body = objectOf(members);
  return { headers: properHeaders(material.token), body, ...(members.id === String(id) && { id }) };
}

/** An authorised request with any body. */
export function requestWithBody(
  { token }: ProbeMaterial,
  body: string | Uint8Array,
  id?: number,
): ProbeRequest {
  return {
    headers: properHeaders(token),
    body: Buffer.from(body as string),
    ...(id !== undefined && { id }),
  };
}

function objectOf(members: Members): Uint8Array {
  const pairs = Object.entries(members).map(([key, value]) => `${JSON.stringify(key)}:${value}`);
  return Buffer.from(`{${pairs.join(',')}}`);
}
