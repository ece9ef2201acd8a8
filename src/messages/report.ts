import type { Violation } from '../validation/violation.js';
import type { MessageFormat, MessageKind, Place } from './stored-message.js';

/**
 * `pass`; `fail`; `blocked`: nothing is wrong with it, but not all of it was stored, or nobody can say what it
 * answers; `not-applicable`: there is nothing to judge, since no answer came or it is about something else than a creation.
 */
export type MessageVerdict = 'pass' | 'fail' | 'blocked' | 'not-applicable';

/** One message, judged. No token stands in it. */
export interface JudgedMessage {
  readonly title: string;
  readonly place: Place;
  readonly verdict: MessageVerdict;
  readonly violations: readonly Violation[];
  /** Why not all of it was judged, or nothing; sentences. */
  readonly reasons: readonly string[];
  /** What was assumed in reading it; sentences. */
  readonly notes: readonly string[];
}

/** `incomplete`: nothing failed, but not everything could be judged. */
export type MessagesConclusion = 'conforms' | 'breaks-rules' | 'incomplete';

/** Every message of a kind that was found in one place. */
export interface MessagesReport {
  /** The version of this form. */
  readonly validateVersion: 1;
  readonly interfaceVersion: string;
  /** The file, or `-`. */
  readonly file: string;
  readonly kind: MessageKind;
  readonly format: MessageFormat;
  readonly conclusion: MessagesConclusion;
  /** A sentence. */
  readonly summary: string;
  readonly messages: readonly JudgedMessage[];
}

/** What the messages come to. */
export function concludeMessages(messages: readonly JudgedMessage[]): MessagesConclusion {
  if (messages.some(({ verdict }) => verdict === 'fail')) return 'breaks-rules';
  return messages.some(({ verdict }) => verdict === 'blocked') ? 'incomplete' : 'conforms';
}

/** A sentence about the messages. */
export function summaryOf(messages: readonly JudgedMessage[], kind: MessageKind): string {
  const count = (wanted: MessageVerdict): number =>
    messages.filter(({ verdict }) => verdict === wanted).length;
  const judged = messages.length - count('not-applicable');
  const [failed, blocked] = [count('fail'), count('blocked')];
  const [some, plural] =
    failed > 0 ? [failed, 'do not keep to the interface'] : [blocked, 'could not be judged wholly'];
  if (some === 0)
    return judged === 1
      ? `The ${kind} keeps to the interface.`
      : `All ${judged} ${kind}s keep to the interface.`;
  const verb = some === 1 ? plural.replace(/^do /, 'does ') : plural;
  return judged === 1 ? `The ${kind} ${verb}.` : `${some} of ${judged} ${kind}s ${verb}.`;
}

/** The exit status of a command: 0, 1 where a message breaks the interface, 2 where nothing does but not all is known. */
export function messagesExitCode(conclusion: MessagesConclusion): number {
  if (conclusion === 'conforms') return 0;
  return conclusion === 'breaks-rules' ? 1 : 2;
}

/** What a file is called in a text. */
export function fileInWords(file: string): string {
  return file === '-' ? 'standard input' : file;
}

/** Where a message stands, in words; empty where it is all there is. */
export function placeInWords({ line, byte, pointer }: Place): string {
  return line === undefined ? (pointer ?? '') : `line ${line}, byte ${byte}`;
}

/** Which part of a message a violation lies in: `body /id`, `header /content-type`, `status`. */
export function partInWords({ part, pointer }: Violation): string {
  return pointer === '' ? part : `${part} ${pointer}`;
}

/** A violation as lines of plain text. */
export function violationText(violation: Violation): string {
  const { message, expected, actual } = violation;
  return `${partInWords(violation)}: ${message}\nexpected  ${expected}\ngot       ${actual}`;
}

/** The verdicts that occur, with how often: `2 pass, 1 fail`. */
export function countsInWords(messages: readonly JudgedMessage[]): string {
  return (['pass', 'fail', 'blocked', 'not-applicable'] as const)
    .map((verdict) => [messages.filter((message) => message.verdict === verdict).length, verdict] as const)
    .filter(([count]) => count > 0)
    .map(([count, verdict]) => `${count} ${verdict}`)
    .join(', ');
}
