import { visibleInLine } from '../../report/escape.js';
import { ToolkitError } from '../../toolkit-error.js';

/** What messages are read from: a file, or standard input. */
export class Source {
  readonly bytes: Buffer;
  private text: string | undefined;
  private counted = { byte: 0, line: 1 };

  /** @param name what it is called in sentences */
  constructor(
    readonly name: string,
    bytes: Uint8Array,
  ) {
    this.bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** The bytes as Latin-1: each byte is a character. */
  get latin1(): string {
    this.text ??= this.bytes.toString('latin1');
    return this.text;
  }

  /** The first byte after a byte-order mark. */
  get start(): number {
    return this.bytes.subarray(0, 3).equals(UTF8_MARK) ? UTF8_MARK.length : 0;
  }

  /** The line of a byte; the first is 1. */
  lineOf(byte: number): number {
    // Messages ask in order, so counting goes on from the last one.
    let { byte: at, line } = byte < this.counted.byte ? { byte: 0, line: 1 } : this.counted;
    for (at = this.bytes.indexOf(LINE_FEED, at); at !== -1 && at < byte; line++)
      at = this.bytes.indexOf(LINE_FEED, at + 1);
    this.counted = { byte, line };
    return line;
  }
}

const LINE_FEED = 0x0a;
const UTF8_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

/**
 * The error for input that cannot be read. It quotes nothing of the input: the malformed part may contain a token.
 *
 * @param place the offset of a byte, or a JSON pointer into a HAR
 * @param why what is wrong there, as the end of a sentence
 */
export function unreadable(source: Source, place: number | string, why: string): ToolkitError {
  const where = typeof place === 'string' ? place : `line ${source.lineOf(place)} (byte ${place})`;
  return new ToolkitError(
    'invalid-message',
    `${visibleInLine(source.name)} cannot be read at ${where}: ${why}`,
  );
}

/** The error for input with nothing to judge. */
export function nothingToJudge({ name }: Source, why: string): ToolkitError {
  return new ToolkitError('no-message', `${visibleInLine(name)} ${why}`);
}
