// From the module, not the globals: those are others' while a test fakes timers.
import { clearTimeout, setTimeout } from 'node:timers';
import { ToolkitError } from '../../toolkit-error.js';

/** A time after which nothing is waited for any more. */
export class Deadline {
  readonly #over: Promise<void>;
  #timer: NodeJS.Timeout | undefined;

  /** @param ms from now */
  constructor(private readonly ms: number) {
    this.#over = new Promise((resolve) => {
      this.#timer = setTimeout(resolve, ms);
    });
  }

  /**
   * What is waited for, where it comes in time.
   *
   * @param missed what has not happened otherwise: "the provider has not started"
   * @throws ToolkitError `provider-not-testable`
   */
  async meet<T>(work: T | Promise<T>, missed: string): Promise<T> {
    const late = this.#over.then(() => {
      throw new ToolkitError('provider-not-testable', `${missed} within ${this.ms / 1_000} s`);
    });
    return Promise.race([work, late]);
  }

  /** Lets the process end. */
  end(): void {
    clearTimeout(this.#timer);
  }
}
