import { isSendable } from '../../http/fields.js';
import { invalidOption, ToolkitError } from '../../toolkit-error.js';
import type { ProbeRequest } from '../exchange.js';
import type { Probe, ProbeValues } from '../probe.js';
import { HOUSE_ID, HOUSE_PREFIX, type HouseId } from './house-id.js';
import type { HouseProbe } from './house-rule.js';
import {
  checkMembers,
  isFunction,
  isOneOf,
  isOptional,
  isText,
  type Members,
  valueInWords,
} from './members.js';
import { TookTooLong, withinTime } from './within-time.js';

/** How long the requests of a probe may take to make, in milliseconds, and how many it may have. */
const MAKING_MS = 1_000;
const MOST_REQUESTS = 50;

const isExpectation = isOneOf('created', 'rejected', 'open');

const MEMBERS: Members<HouseProbe> = {
  name: isText,
  title: isText,
  expectation: isOptional(isExpectation),
  phase: isOptional(isOneOf('house', 'wrong-token')),
  control: isOptional(
    isOneOf('plain-plant', 'plain-plant-with-tag', 'id-near-upper-end', 'id-near-lower-end'),
  ),
  together: isOptional(isFlag),
  alone: isOptional(isFlag),
  oneConnection: isOptional(isFlag),
  requests: isFunction,
};

/**
 * Checks a probe of house rules, and fills in the defaults.
 *
 * @param place how an error names it before its name is known
 * @throws ToolkitError `invalid-option`; so does the probe that it returns, if its requests cannot be made or sent
 */
export function readProbe(given: HouseProbe, place: string): Probe<HouseId> {
  if (typeof given !== 'object' || given === null)
    throw invalidOption(`${place} must be an object; got ${valueInWords(given)}`);
  const { name } = given;
  if (typeof name !== 'string' || !HOUSE_ID.test(name))
    throw invalidOption(
      `${place} has the name ${valueInWords(name)}: it must be "${HOUSE_PREFIX}", then lower-case letters, digits and hyphens`,
    );
  checkMembers(given, MEMBERS, `the probe ${name}`);
  const { title, expectation = 'open', phase = 'house', control, together, alone, oneConnection } = given;
  return {
    name,
    title,
    expectation,
    phase,
    ...(control !== undefined && { control }),
    ...(together !== undefined && { together }),
    ...(alone !== undefined && { alone }),
    ...(oneConnection !== undefined && { oneConnection }),
    requests: (values) => requestsOf(given, values),
  };
}

function isFlag(value: unknown): boolean {
  return typeof value === 'boolean';
}

function requestsOf(probe: HouseProbe, values: ProbeValues): readonly ProbeRequest[] {
  const wrong = (why: string): ToolkitError => invalidOption(`the probe ${probe.name} ${why}`);
  let made: unknown;
  try {
    made = withinTime(MAKING_MS, () => probe.requests(values));
  } catch (cause) {
    if (cause instanceof ToolkitError) throw wrong(`cannot make its requests: ${cause.message}`);
    throw cause instanceof TookTooLong
      ? wrong(`takes longer than ${MAKING_MS} ms to make its requests`)
      : wrong(`throws when it makes its requests: ${valueInWords(cause)}`);
  }
  if (!Array.isArray(made)) throw wrong(`must return a list of requests; it returns ${valueInWords(made)}`);
  if (made.length > MOST_REQUESTS)
    throw wrong(`has ${made.length} requests; a probe may have ${MOST_REQUESTS}`);
  for (const [at, request] of made.entries())
    checkRequest(request, `request ${at + 1} of the probe ${probe.name}`);
  return made;
}

/** What a request may have. What Node cannot send would end the check. */
const OF_REQUEST: Members<ProbeRequest> = {
  headers: (value) => Array.isArray(value) && value.every(isField),
  body: (value) => value instanceof Uint8Array,
  plant: isOptional(isObject),
  id: isOptional((value) => typeof value === 'bigint' || Number.isSafeInteger(value)),
  expectation: isOptional(isExpectation),
  idMayExist: isOptional(isFlag),
  query: isOptional((value) => /^\?[!-~]*$/.test(String(value))),
  otherOperation: isOptional(
    (value) =>
      isObject(value) && /^[A-Z]+$/.test(String(value.method)) && /^\/[!-~]*$/.test(String(value.path)),
  ),
  isUnusual: isOptional(isFlag),
  chunked: isOptional(isFlag),
  withoutUserAgent: isOptional(isFlag),
  transfer: isOptional(isObject),
  shell: isOptional(isObject),
  secrets: isOptional(Array.isArray),
};

function checkRequest(request: unknown, name: string): void {
  if (!isObject(request)) throw invalidOption(`${name} must be an object; got ${valueInWords(request)}`);
  checkMembers(request, OF_REQUEST, name);
}

function isField(field: unknown): boolean {
  if (!Array.isArray(field) || field.length !== 2) return false;
  const [name, value]: readonly unknown[] = field;
  return typeof name === 'string' && typeof value === 'string' && isSendable(name, value);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
