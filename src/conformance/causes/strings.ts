import type { Exchange } from '../exchange.js';
import type { Facts } from '../facts/facts.js';
import { objectIn, plantIn } from '../rules/responses.js';
import type { BrokenRule, Cause } from './cause.js';

/** A string as it was sent, and what came back instead. */
interface Change {
  readonly sent: string;
  readonly received: unknown;
}

/** Strings that come back changed. */
export const stringCauses: readonly Cause[] = [
  {
    id: 'wrong-charset',
    fix: 'Store strings in a charset that has every character (in MySQL, utf8mb4), and respond in UTF-8.',
    explain: (broken, facts) =>
      broken.rule === 'success/body-is-json'
        ? notUtf8(broken.exchange, facts)
        : changed(
            broken,
            isInOtherCharset,
            'Strings are converted to a charset that does not have all of their characters.',
          ),
  },
  {
    id: 'string-ends-at-nul',
    fix: 'Keep the length of a string, or reject U+0000.',
    explain: (broken) =>
      changed(
        broken,
        isCutAtNul,
        'A string ends at its first U+0000: it is handled as a zero-terminated string.',
      ),
  },
  {
    id: 'strings-are-trimmed',
    fix: 'Store strings unchanged. If white space at the ends is not allowed, reject it.',
    explain: (broken) => changed(broken, isTrimmed, 'White space at the ends of strings is removed.'),
  },
  {
    id: 'strings-are-padded',
    fix: 'Use a column of variable length: VARCHAR or TEXT, not CHAR.',
    explain: (broken) => changed(broken, isPadded, 'Strings are padded to a fixed length.'),
  },
  {
    id: 'strings-become-values',
    fix: 'Keep a string a string, whatever it looks like. Do not convert it when you read or write it.',
    explain: (broken) =>
      changed(broken, isValueOf, 'Strings that look like a number, a boolean or null are converted to it.'),
  },
  {
    id: 'strings-are-truncated',
    fix: 'Reject a string that is too long for its column, or use a longer column. Do not cut it off.',
    explain: (broken) => changed(broken, isCutOff, 'Long strings are cut off.'),
  },
];

/** A sentence, if a string of the plant was changed in a certain way. */
function changed(
  { rule, exchange }: BrokenRule,
  isSo: (change: Change) => boolean,
  sentence: string,
): string | undefined {
  if (!/^success\/(?:\w+-comes?-back|body-is-a-plant)$/.test(rule)) return undefined;
  return changesIn(exchange).some(isSo) ? sentence : undefined;
}

function changesIn(exchange: Exchange): Change[] {
  const plant = exchange.request.plant ?? {};
  const received = objectIn(exchange) ?? {};
  return Object.entries(plant).flatMap(([field, sent]) =>
    typeof sent === 'string' && received[field] !== sent ? [{ sent, received: received[field] }] : [],
  );
}

/** Whether characters were replaced by question marks, each of their bytes by a character, or all from the first astral one cut off. */
function isInOtherCharset({ sent, received }: Change): boolean {
  if (typeof received !== 'string') return false;
  if (sent.startsWith(received) && (sent.codePointAt(received.length) ?? 0) > 0xffff) return true;
  const marks = (text: string): number => text.match(/[?\ufffd]/g)?.length ?? 0;
  return marks(received) > marks(sent) || (/Ã.|Â.|â.|ð./u.test(received) && !/[ÃÂâð]/.test(sent));
}

function isValueOf({ sent, received }: Change): boolean {
  if (typeof received !== 'string')
    return (
      (typeof received === 'boolean' || typeof received === 'number' || received === null) &&
      (sent.toLowerCase() === String(received) || (sent !== '' && Number(sent) === received))
    );
  // A number that was written as a string again.
  return /^[-+]?[\d.]+(?:e[-+]?\d+)?$/i.test(sent) && received !== '' && Number(sent) === Number(received);
}

function isCutAtNul({ sent, received }: Change): boolean {
  return sent.includes('\0') && received === sent.slice(0, sent.indexOf('\0'));
}

function isTrimmed({ sent, received }: Change): boolean {
  if (typeof received !== 'string' || received.length >= sent.length) return false;
  return received.trim() === sent.trim();
}

/** Whether characters of one kind were added at one end. */
function isPadded({ sent, received }: Change): boolean {
  if (typeof received !== 'string' || received.length <= sent.length) return false;
  const added = received.startsWith(sent)
    ? received.slice(sent.length)
    : received.endsWith(sent)
      ? received.slice(0, -sent.length || undefined)
      : '';
  return /^(?:\s+|\0+|0+)$/.test(added);
}

/** Whether only the beginning came back. What was cut off is not only white space: that is trimmed. */
function isCutOff({ sent, received }: Change): boolean {
  return (
    typeof received === 'string' &&
    received.length < sent.length &&
    received !== '' &&
    sent.startsWith(received)
  );
}

/** If plain plants come back as JSON and other strings do not, the JSON is right and its bytes are wrong. */
function notUtf8({ request }: Exchange, facts: Facts): string | undefined {
  const plain = facts.of('plain-plant').at(-1);
  const isAscii = Buffer.from(request.body).every((byte) => byte < 0x80);
  if (isAscii || plain === undefined || plantIn(plain) === undefined) return undefined;
  return 'The response is not in UTF-8.';
}
