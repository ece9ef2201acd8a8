import { randomInt } from 'node:crypto';
import type { ProbeRequest } from '../exchange.js';
import { creation, PLAIN_TAG } from '../families/requests.js';
import type { ProbeValues } from '../probe.js';
import { type Asker, CannotFind } from './asker.js';
import type { Finding } from './limit.js';
import { type Quantity, searchLimit } from './search.js';

/** The longest name and tag that are tried, in characters. */
const LONGEST = 65_536;
const STAGES = [100n, 1_000n, 10_000n, BigInt(LONGEST)];
/** Columns, form fields and frameworks have limits like these. */
const USUAL = [
  ...[11, 12, 15, 16, 20, 24, 25, 30, 31, 32, 36, 40, 45, 48, 50, 60, 63, 64, 70, 72, 75, 80, 90, 99],
  ...[
    120, 127, 128, 140, 150, 160, 180, 190, 191, 199, 200, 240, 250, 254, 255, 256, 280, 300, 320, 350, 400,
  ],
  ...[499, 500, 511, 512, 600, 640, 700, 750, 767, 768, 800, 900, 999, 1023, 1024, 1200, 1500, 2000, 2047],
  ...[
    2048, 2500, 3000, 4000, 4095, 4096, 5000, 8000, 8191, 8192, 9999, 16_383, 16_384, 20_000, 21_844, 30_000,
  ],
  ...[32_766, 32_767, 32_768, 50_000, 65_534, 65_535],
].map(BigInt);
/** A longer text is written by a shell command and not on a command line. */
const LONGEST_IN_LINE = 500;
const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
/** A length that every provider accepts. */
const PLAIN = 9n;

/**
 * The longest name or tag of ASCII letters.
 *
 * @param largestBody the largest body in bytes, if there is a limit: no text can be longer
 */
export function longest(asker: Asker, field: 'name' | 'tag', largestBody: number): Promise<Finding> {
  const around = withLength(field, Number(PLAIN), asker.values).body.length - Number(PLAIN);
  const isCut = largestBody - around < LONGEST;
  const room = isCut ? BigInt(largestBody - around) : BigInt(LONGEST);
  return searchLimit(asker, lengthOf(field, asker.values), {
    title: `Longest ${field}`,
    accepted: PLAIN,
    stages: isCut ? [...STAGES.filter((stage) => stage < room), room] : STAGES,
    landmarks: USUAL,
    upTo: isCut ? `${inWords(room)}, which make the largest body` : inWords(BigInt(LONGEST)),
  });
}

/** The shortest name or tag of ASCII letters. */
export async function shortest(asker: Asker, field: 'name' | 'tag'): Promise<Finding> {
  const finding = await searchLimit(asker, lengthOf(field, asker.values), {
    title: `Shortest ${field}`,
    accepted: PLAIN,
    stages: [0n],
    landmarks: [1n, 2n, 3n],
    upTo: `an empty ${field}`,
    unlimited: `Shortest ${field}: an empty ${field} is accepted.`,
  });
  // There is only one empty name, and few names are shorter than three letters.
  if (field === 'name' && finding.outcome !== 'not-found' && (await requiresUniqueNames(asker)))
    throw new CannotFind('names are unique here, and so short a name may already exist');
  return finding;
}

async function requiresUniqueNames(asker: Asker): Promise<boolean> {
  const first = creation(asker.values);
  const name = first.plant?.name ?? '';
  await asker.ask('a plain plant', () => first);
  return !(await asker.ask('a plant with its name', () => creation(asker.values, { name }))).accepted;
}

function lengthOf(field: 'name' | 'tag', values: ProbeValues): Quantity {
  return {
    noun: (length) =>
      length === 0n
        ? `an empty ${field}`
        : `a ${field} of ${number(length)} letter${length === 1n ? '' : 's'}`,
    inWords,
    request: (length) => withLength(field, Number(length), values),
  };
}

function inWords(length: bigint): string {
  return `${number(length)} character${length === 1n ? '' : 's'}`;
}

function withLength(field: 'name' | 'tag', length: number, values: ProbeValues): ProbeRequest {
  const text = field === 'name' ? randomName(length) : tagOf(length);
  // With ids of ten digits, all bodies for one length have one size.
  const id = values.freshIdBetween(10n ** 9n, 2n ** 31n - 1n);
  const request = creation(values, { id, [field]: text });
  if (length <= LONGEST_IN_LINE) return request;
  const name = field === 'name' ? letters(length) : `printf ${request.plant?.name}`;
  const tag = field === 'tag' ? `; printf '","tag":"'; ${letters(length)}` : '';
  return { ...request, shell: { body: `printf '{"name":"'; ${name}${tag}; printf '","id":%s}' "$id"` } };
}

/** A shell command that writes so many random letters. */
function letters(length: number): string {
  return `LC_ALL=C tr -dc a-z < /dev/urandom | head -c ${length}`;
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

function number(value: bigint): string {
  return value.toLocaleString('en');
}
