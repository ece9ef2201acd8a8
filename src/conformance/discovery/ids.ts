import { isObject } from '../../validation/json-value.js';
import { creation } from '../families/requests.js';
import { jsonOf } from '../response-body.js';
import type { Answer, Asker } from './asker.js';
import type { Finding } from './limit.js';
import { type Quantity, searchLimit } from './search.js';

const END = 2n ** 63n;
/** The ends of int64 are random ids from its outermost 2^32: an earlier check may have used the ends themselves. */
const OUTERMOST = 2n ** 32n;

const POWERS_OF_2 = Array.from({ length: 63 }, (_, k) => 2n ** BigInt(k));
const POWERS_OF_10 = Array.from({ length: 19 }, (_, k) => 10n ** BigInt(k));
/** Integer types, doubles, and numbers of digits have limits like these. */
const USUAL = [...POWERS_OF_2, ...POWERS_OF_10].flatMap((power) => [power - 1n, power]);

/** What a rejection of a duplicate id looks like. Left out if duplicates are accepted. */
export type DuplicateRejection = string | undefined;

/** Learns how a duplicate id is rejected: an id at a limit may exist already. */
export async function duplicateRejection(asker: Asker): Promise<DuplicateRejection> {
  const first = creation(asker.values);
  const id = first.plant?.id ?? 1;
  await asker.ask('a plain plant', () => first);
  const again = await asker.ask('another plant with the id of the first', () =>
    creation(asker.values, { id }),
  );
  return again.accepted ? undefined : fingerprint(again);
}

/** The smallest or the largest id. */
export async function idLimit(
  asker: Asker,
  side: 'smallest' | 'largest',
  duplicate: DuplicateRejection,
): Promise<Finding> {
  const isLargest = side === 'largest';
  const far = isLargest
    ? asker.values.freshIdBetween(END - OUTERMOST, END - 2n)
    : asker.values.freshIdBetween(1n - END, OUTERMOST - END);
  const beyond = await asker.ask(quantityOf(asker).noun(far), () => quantityOf(asker).request(far));
  const title = isLargest ? 'Largest id' : 'Smallest id';
  const end = isLargest ? 'the end of int64, 2^63 - 1' : 'the end of int64, -2^63';
  if (beyond.accepted)
    return {
      outcome: 'not-found',
      sentence: `${title}: not found up to ${end}.`,
      upTo: String(isLargest ? END - 1n : -END),
      accepted: asker.side(beyond),
    };
  const isTellable = duplicate !== undefined && duplicate !== fingerprint(beyond);
  const approximate = duplicate === undefined || isTellable ? undefined : APPROXIMATE[side];
  return searchLimit(asker, quantityOf(asker), {
    title,
    accepted: BigInt(asker.values.freshId()),
    stages: [far],
    landmarks: isLargest ? USUAL : [...USUAL.map((value) => -value), 0n, 1n, 2n, 10n, 100n, 1000n, 10_000n],
    upTo: end,
    isTaken: (answer) => isTellable && fingerprint(answer) === duplicate,
    ...(approximate !== undefined && { approximate }),
  });
}

const APPROXIMATE = {
  smallest: 'or slightly less: an id that exists is rejected in the same way',
  largest: 'or slightly more: an id that exists is rejected in the same way',
} as const;

function quantityOf({ values }: Asker): Quantity {
  return {
    noun: (id) => `the id ${id}`,
    inWords: String,
    request(id) {
      // Without an `id`, the lines for a shell keep the id as it is.
      const { id: _, ...request } = creation(values, { id });
      return { ...request, idMayExist: true };
    },
  };
}

/** The status, the "error" and the message of a rejection, without numbers in the message: it may name the id. */
function fingerprint({ exchange: { response } }: Answer): string {
  const read = response && jsonOf(response);
  const { error, message } = read?.ok === true && isObject(read.value) ? read.value : {};
  return JSON.stringify([response?.status, String(error), String(message).replaceAll(/-?\d+/g, '0')]);
}
