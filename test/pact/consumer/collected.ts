import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type PactMock,
  type PlantStorePact,
  type PlantStorePactOptions,
  plantStorePact,
} from 'plant-store-contract/pact';
import { Collection, type RunOutcome } from '../../../src/pact/consumer/collection.js';
import { type Pact, readPact } from '../../../src/pact/pacts.js';
import { folderWith } from '../../folder.js';

/** An interaction with its own path. */
export function asking<T = Response>(
  pact: PlantStorePact,
  path: string,
  run: (mock: PactMock) => Promise<T> = ({ url }) => fetch(url + path) as Promise<T>,
): Promise<T> {
  return pact.interaction(
    (builder) => builder.uponReceiving(path).withRequest('GET', path).willRespondWith(200),
    run,
  );
}

/** What a run of a consumer's tests wrote. */
export interface Written {
  /** The message for the user. */
  readonly said: string;
  /** The text of the pact; empty if there is none. */
  readonly text: string;
  readonly pact: Pact;
}

const COMPLETE: RunOutcome = { result: 'complete', why: '' };

/** A folder for pacts, in which runs of consumer tests are made one after the other. */
export class PactFolder {
  readonly dir = folderWith();

  /** One run: a collection of its own, the interactions that `tests` makes, and what is written of them. */
  async run(
    tests: (pact: PlantStorePact) => Promise<unknown>,
    options: Partial<PlantStorePactOptions> & { readonly outcome?: RunOutcome } = {},
  ): Promise<Written> {
    const { outcome = COMPLETE, ...rest } = options;
    const collection = new Collection();
    let said = '';
    try {
      await tests(plantStorePact({ consumer: 'web', dir: this.dir, ...rest }));
    } finally {
      said = collection.finish(outcome);
    }
    const text = this.text();
    return { said, text, pact: text === '' ? NOTHING : readPact(text, 'the pact') };
  }

  text(): string {
    try {
      return readFileSync(join(this.dir, 'web-plant-store.json'), 'utf8');
    } catch {
      return '';
    }
  }
}

const NOTHING: Pact = { consumer: '', provider: '', interactions: [] };

/** The head of a test file of a project: a consumer, and `creates`, which makes an interaction. */
export const CONSUMER = `
import { createPlantClient } from 'plant-store-contract/client';
import { plantStorePact } from 'plant-store-contract/pact';
const pact = plantStorePact({ consumer: 'web' });
const creates = (description, plant = { name: 'Aloe', id: 7 }) =>
  pact.createsPlantWithoutTag(
    ({ url, token, plant }) => createPlantClient({ baseUrl: url, token, timeoutMs: 120_000 }).createPlant(plant),
    { description, plant },
  );
`;
