import { type TokenOption, tokenOf } from '../../http/token.js';

/**
 * The tokens of a check: requests carry the last one. Iterating gives all of them, since each is a secret.
 *
 * A check takes seconds, and a token lives longer. Exploring may take an hour, so a function is asked again before it.
 */
export class Tokens implements Iterable<string> {
  private readonly given: string[];

  constructor(
    first: string,
    private readonly option: TokenOption = first,
  ) {
    this.given = [first];
  }

  /** @throws ToolkitError `invalid-option` if there is no token, or a header cannot carry it */
  static async from(option: TokenOption): Promise<Tokens> {
    return new Tokens(await tokenOf(option), option);
  }

  /** The token that requests carry from now on. */
  get current(): string {
    return this.given.at(-1) ?? '';
  }

  /** @throws ToolkitError `invalid-option` if the function fails, or a header cannot carry what it returns */
  async renew(): Promise<void> {
    if (typeof this.option === 'function') this.given.push(await tokenOf(this.option));
  }

  [Symbol.iterator](): Iterator<string> {
    return this.given[Symbol.iterator]();
  }
}
