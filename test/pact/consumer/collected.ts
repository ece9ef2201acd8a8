import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type CollectedPact,
  collectPacts,
  type PlantStorePact,
  type PlantStorePactOptions,
  plantStorePact,
  type RunResult,
} from 'plant-store-contract/pact';
import { type Pact, readPact } from '../../../src/pact/pact-file.js';

/** What a run of a consumer's tests wrote. */
export interface Written {
  readonly pacts: readonly CollectedPact[];
  /** The text of the pact; empty if there is none. */
  readonly text: string;
  readonly pact: Pact;
}

/** A folder for pacts, removed at the end, in which runs of consumer tests are made one after the other. */
export class PactFolder implements Disposable {
  readonly dir = mkdtempSync(join(tmpdir(), 'pact-folder-'));

  [Symbol.dispose](): void {
    rmSync(this.dir, { recursive: true, force: true });
  }

  /** One run: a collection of its own, the interactions that `tests` makes, and what is written of them. */
  async run(
    tests: (pact: PlantStorePact) => Promise<unknown>,
    options: Partial<PlantStorePactOptions> & { readonly outcome?: RunResult } = {},
  ): Promise<Written> {
    const { outcome = 'complete', ...rest } = options;
    const finish = collectPacts();
    try {
      await tests(plantStorePact({ consumer: 'web', dir: this.dir, logLevel: 'error', ...rest }));
      const pacts = finish(outcome);
      const text = this.text();
      const pact = text === '' ? NOTHING : readPact(text, 'the pact');
      return { pacts, text, pact };
    } finally {
      finish('failed');
    }
  }

  text(): string {
    try {
      return readFileSync(join(this.dir, 'web-plant-store.json'), 'utf8');
    } catch {
      return '';
    }
  }
}

const NOTHING: Pact = {
  consumer: '',
  provider: '',
  specification: undefined,
  interactions: [],
  otherTypes: [],
};
