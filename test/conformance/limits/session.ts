import { checkSettings } from '../../../src/conformance/options.js';
import { LimitSession } from '../../../src/conformance/session/limit-session.js';
import { Tokens } from '../../../src/conformance/session/tokens.js';
import { startCorrect, type Variation } from '../providers/correct/provider.js';

/** The token of the providers in these tests. */
export const token = 'token-of-these-tests';

/** A search in a provider at a URL. */
export function sessionAt(baseUrl: string, timeoutMs = 5_000, rate?: number): LimitSession {
  const settings = {
    ...checkSettings({ baseUrl, timeoutMs, ...(rate !== undefined && { rate }) }),
    tokens: new Tokens(token),
  };
  return new LimitSession(settings, { startMs: 0, firstIndex: 0 }, () => {});
}

/** Starts a provider that conforms, and looks for something in it. */
export async function inProvider<T>(
  variation: Variation,
  look: (session: LimitSession) => Promise<T>,
): Promise<T> {
  await using provider = await startCorrect(token, variation);
  return await look(sessionAt(provider.url));
}
