import type { VerifyOptions, VerifyReport } from 'plant-store-contract/pact';
import { verifySettings } from '../../../src/pact/verification/options.js';
import { type PactVerifier, startPactVerifier } from '../../../src/pact/verification/pact-verifier.js';
import { verifyWith } from '../../../src/pact/verification/verify.js';

const PROCESSES = 2;

/**
 * Verifies many providers in a few processes of Pact. Most of the time of a short verification is the start of its
 * process.
 */
export class Verifiers {
  private readonly processes = Array.from({ length: PROCESSES }, () => startPactVerifier());
  private readonly idle = [...this.processes];
  private readonly waiting: ((process: PactVerifier) => void)[] = [];

  async verify(options: VerifyOptions): Promise<VerifyReport> {
    const settings = await verifySettings(options);
    const process =
      this.idle.pop() ?? (await new Promise<PactVerifier>((resolve) => this.waiting.push(resolve)));
    try {
      return await verifyWith(process, settings);
    } finally {
      const next = this.waiting.shift();
      if (next === undefined) this.idle.push(process);
      else next(process);
    }
  }

  stop(): void {
    for (const process of this.processes) process.stop();
  }
}
