import { isUtf8 } from 'node:buffer';
import type { Fields } from '../http/fields.js';
import { shortened } from '../shortened.js';

/** A body as text, or in base64 if it is not UTF-8. */
export interface ReportedBody {
  readonly encoding: 'utf-8' | 'base64';
  readonly text: string;
  /** The length of the whole body in bytes, if only its beginning is here. */
  readonly wholeBytes?: number;
}

/** One exchange in a report. It holds no secret. */
export interface ReportedExchange {
  /** What it was sent for: the name of a probe. */
  readonly name: string;
  /**
   * `judged`; `superseded`: sent again with new ids or in parts, since it proved nothing; `confirmation`: sent to see
   * whether a failure shows again.
   */
  readonly role: 'judged' | 'superseded' | 'confirmation';
  readonly request: {
    readonly method: string;
    readonly url: string;
    readonly headers: Fields;
    readonly body: ReportedBody;
  };
  readonly response?: {
    readonly status: number;
    readonly headers: Fields;
    readonly body: ReportedBody;
    /** Whether the body came to its end. */
    readonly complete: boolean;
  };
  /** Why there is no response. */
  readonly failure?: { readonly kind: string; readonly message: string };
  /** Milliseconds since the start of the run. */
  readonly startMs: number;
  readonly durationMs: number;
}

/** A report is read by people and kept by CI: a body longer than this is cut. In bytes. */
const LONGEST_REPORTED = 16 * 1024;

/**
 * A body as text, redacted and cut; in base64 if it is not UTF-8.
 *
 * @param redact takes secrets out of a text
 */
export function reportedBody(bytes: Uint8Array, redact: (text: string) => string): ReportedBody {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, cutAt(bytes));
  const cut = bytes.length > LONGEST_REPORTED && { wholeBytes: bytes.length };
  // A redactor finds a secret that was cut before this mark.
  const redacted = (text: string): string => (cut === false ? redact(text) : redact(`${text}…`).slice(0, -1));
  if (isUtf8(buffer)) return { encoding: 'utf-8', text: redacted(buffer.toString()), ...cut };
  // A secret is ASCII, which Latin-1 keeps apart byte by byte.
  const latin1 = Buffer.from(redacted(buffer.toString('latin1')), 'latin1');
  return { encoding: 'base64', text: latin1.toString('base64'), ...cut };
}

/** Not within a character. */
function cutAt(bytes: Uint8Array): number {
  let end = Math.min(bytes.length, LONGEST_REPORTED);
  while (end < bytes.length && end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--;
  return end;
}

/** The beginning of a text on one line, for a sentence that quotes it. */
export function excerpt(text: string, longest = 160): string {
  const line = text
    .slice(0, 4 * longest)
    .replace(/\s+/g, ' ')
    .trim();
  return shortened(line, longest);
}
