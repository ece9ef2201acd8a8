import { jsonText, visibleInLine } from '../output/escape.js';
import { failureText } from '../server/failures/failure-text.js';
import type { RequestLine } from '../server/store.js';
import type { OutputStream } from './io.js';

/** The log of `serve`. */
export interface RequestLog {
  readonly request: (line: RequestLine) => void;
  /** Says that the server was reset. */
  readonly reset: () => void;
  /** Writes now what is still to be written. */
  readonly flush: () => void;
}

/**
 * Writing a line takes about as long as responding. So the lines of one turn of the event loop are written at once, right
 * after its responses.
 */
export function requestLog(form: 'text' | 'json', output: OutputStream): RequestLog {
  let pending = '';
  const flush = (): void => {
    const text = pending;
    pending = '';
    if (text !== '') output.write(text);
  };
  const add = (line: string): void => {
    if (pending === '') setImmediate(flush);
    pending += `${line}\n`;
  };
  const { request, reset } = LINES[form];
  return { request: (line) => add(request(line)), reset: () => add(reset), flush };
}

interface Lines {
  readonly request: (line: RequestLine) => string;
  readonly reset: string;
}

/** A line shows a failure as the flag `--fail` takes it. */
const LINES: Readonly<Record<'text' | 'json', Lines>> = {
  text: {
    request({ method, target, status, rejection, failure }) {
      let line = `${method} ${target} ${status === 0 ? 'no response' : status}`;
      if (rejection !== undefined) line += ` ${rejection}`;
      if (failure !== undefined) line += ` (failure: ${failureText(failure)})`;
      return visibleInLine(line);
    },
    reset: 'reset: no plants and no requests',
  },
  json: {
    request: ({ method, target, status, rejection, at, failure }) =>
      jsonText({
        event: 'request',
        at: at.toISOString(),
        method,
        target,
        status,
        rejection,
        failure: failure && failureText(failure),
      }),
    reset: JSON.stringify({ event: 'reset' }),
  },
};
