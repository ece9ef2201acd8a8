import { clearTimeout, setTimeout } from 'node:timers';

/** A signal that aborts when its time is over, or with another one. */
export interface Deadline {
  readonly signal: AbortSignal;
  /** Whether the time was over first. */
  readonly isOver: () => boolean;
  /** Call it when the work is done. */
  end(): void;
}

/**
 * Sets a time limit. It is held by a timer: on Node 20, `AbortSignal.any` with `AbortSignal.timeout` never aborts once its sources are
 * collected (nodejs/node#57736).
 *
 * @param ms milliseconds; `Infinity` for none
 * @param others signals that end the work too
 */
export function deadline(ms: number, ...others: readonly (AbortSignal | undefined)[]): Deadline {
  const controller = new AbortController();
  const sources = others.filter((one) => one !== undefined);
  let isOver = false;
  const stop = (): void => controller.abort(sources.find(({ aborted }) => aborted)?.reason);
  const timer = Number.isFinite(ms)
    ? setTimeout(() => {
        isOver = true;
        controller.abort(new DOMException('the time is over', 'TimeoutError'));
      }, ms)
    : undefined;
  for (const source of sources)
    if (source.aborted) stop();
    else source.addEventListener('abort', stop);
  return {
    signal: controller.signal,
    isOver: () => isOver,
    end() {
      clearTimeout(timer);
      for (const source of sources) source.removeEventListener('abort', stop);
    },
  };
}
