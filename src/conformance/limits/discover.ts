import { randomInt } from 'node:crypto';
import { type DiscoveredLimit, type LimitId, limitTitles } from '../../report/profile.js';
import type { Exchange, ProbeRequest } from '../exchange.js';
import type { CheckSettings } from '../options.js';
import { creation, PLAIN_TAG, type ProbeValues, withBody } from '../probe.js';
import { CannotFind, LimitSession } from '../session/limit-session.js';
import { type FoundLimit, type Search, searchLimit } from './search.js';

/** What was found, and everything that was sent for it. */
export interface Discovery {
  readonly limits: readonly DiscoveredLimit[];
  readonly exchanges: readonly Exchange[];
}

/**
 * Looks for the limits that the interface does not show, with few requests. It changes nothing that is judged. What
 * cannot be found has the reason.
 *
 * @param place where the search is in the run: its start in milliseconds, and the index of its first exchange
 * @param onExchange called after each exchange
 */
export async function discoverLimits(
  settings: CheckSettings,
  place: { readonly startMs: number; readonly firstIndex: number },
  onExchange: (exchange: Exchange) => void,
): Promise<Discovery> {
  const session = new LimitSession(settings, place, onExchange);
  const limits: DiscoveredLimit[] = [];
  for (const id of Object.keys(limitTitles) as LimitId[])
    limits.push({ id, ...(await findLimit(session, id)) });
  return { limits, exchanges: session.exchanges };
}

/** Looks for one limit. What cannot be found has the reason. */
export async function findLimit(session: LimitSession, id: LimitId): Promise<FoundLimit> {
  const title = limitTitles[id];
  try {
    return await searchLimit(session, title, searches[id](session.values));
  } catch (cause) {
    if (!(cause instanceof CannotFind)) throw cause;
    const { message: reason } = cause;
    return { outcome: 'unknown', sentence: `${title}: could not be found: ${reason}.`, reason };
  }
}

const searches: Readonly<Record<LimitId, (values: ProbeValues) => Search>> = {
  'longest-name': (values) => lengthOf('name', values),
  'longest-tag': (values) => lengthOf('tag', values),
  'largest-body': sizeOfBody,
  'largest-depth': depthOf,
};

const KIB = 1024;
const MIB = KIB * KIB;
/** A longer body is written by a shell command and not on a command line. */
const LONGEST_IN_LINE = 500;
const LETTERS = 'abcdefghijklmnopqrstuvwxyz';

/** Names and tags of ASCII letters. A string of 9 letters is accepted everywhere. */
function lengthOf(field: 'name' | 'tag', values: ProbeValues): Search {
  return {
    noun: (length) => `a ${field} of ${number(length)} letters`,
    inWords: (length) => `${number(length)} characters`,
    request: (length) => withLength(values, field, length),
    stages: [PLAIN_TAG.length, 1000, 64 * KIB],
    plainOfSize: (bytes) => padded(values, bytes),
  };
}

/** The body has spaces after the plant, so a limit on names does not matter. */
function sizeOfBody(values: ProbeValues): Search {
  return {
    noun: (bytes) => `a body of ${number(bytes)} bytes`,
    inWords: (bytes) => `${number(bytes)} bytes`,
    request: (bytes) => padded(values, bytes),
    stages: [padded(values, 0).body.length, 64 * KIB, MIB, 4 * MIB, 16 * MIB],
  };
}

/** Arrays in each other in an unknown field. A provider that rejects such a field shows no limit. */
function depthOf(values: ProbeValues): Search {
  return {
    noun: (levels) => (levels === 2 ? 'an array in an unknown field' : `JSON of ${number(levels)} levels`),
    inWords: (levels) => `${number(levels)} levels`,
    request: (levels) => nested(values, levels - 1),
    // A check sends as many without a search for limits.
    stages: [2, 1000, 20_000],
    plainOfSize: (bytes) => padded(values, bytes),
  };
}

function withLength(values: ProbeValues, field: 'name' | 'tag', length: number): ProbeRequest {
  const text = field === 'name' ? randomName(length) : tagOf(length);
  const request = plainPlant(values, { [field]: text });
  if (length <= LONGEST_IN_LINE) return request;
  const letters = `LC_ALL=C tr -dc a-z < /dev/urandom | head -c ${length}`;
  const name = field === 'name' ? letters : `printf ${request.plant?.name}`;
  const tag = field === 'tag' ? `; printf '","tag":"'; ${letters}` : '';
  return writtenBy(request, `printf '{"name":"'; ${name}${tag}; printf '","id":%s}' "$id"`);
}

/** Random, because names may have to be unique. */
function randomName(length: number): string {
  const text = Array.from({ length }, () => LETTERS[randomInt(26)]).join('');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A lower-case ASCII word: only such tags are accepted everywhere. */
function tagOf(length: number): string {
  return PLAIN_TAG.repeat(Math.ceil(length / PLAIN_TAG.length)).slice(0, length);
}

/** A plain plant with spaces after it, so that the body has so many bytes. */
function padded(values: ProbeValues, bytes: number): ProbeRequest {
  const request = plainPlant(values);
  const spaces = Math.max(0, bytes - request.body.length);
  const body = Buffer.concat([request.body, Buffer.alloc(spaces, ' ')]);
  const plant = `printf '{"name":"%s","id":%s}' ${request.plant?.name} "$id"`;
  return writtenBy(withBody(request, body), `${plant}; ${repeated(' ', spaces)}`);
}

/** A plain plant with so many arrays in each other in an unknown field. */
function nested(values: ProbeValues, arrays: number): ProbeRequest {
  const plain = plainPlant(values);
  const field = `,"colour":${'['.repeat(arrays)}${']'.repeat(arrays)}}`;
  const request = withBody(plain, Buffer.from(plain.body).toString().replace(/\}$/, field));
  if (request.body.length <= LONGEST_IN_LINE) return request;
  const start = `printf '{"name":"%s","id":%s,"colour":' ${plain.plant?.name} "$id"`;
  return writtenBy(request, `${start}; ${repeated('[', arrays)}; ${repeated(']', arrays)}; printf '}'`);
}

/** A plain plant whose id has ten digits: then all bodies for one value have one size, those of a shell too. */
function plainPlant(values: ProbeValues, given: { name?: string; tag?: string } = {}): ProbeRequest {
  const id = values.freshIdBetween(10n ** 9n, 2n * 10n ** 9n);
  return { ...creation(values, { ...given, id }), shell: { newId: '1000000000 + RANDOM' } };
}

/** The same request, whose body a shell command writes. */
function writtenBy(request: ProbeRequest, command: string): ProbeRequest {
  return { ...request, shell: { ...request.shell, body: command } };
}

/** A shell command that writes one character so often. */
function repeated(character: string, times: number): string {
  return `head -c ${times} /dev/zero | tr '\\0' '${character}'`;
}

function number(value: number): string {
  return value.toLocaleString('en');
}
