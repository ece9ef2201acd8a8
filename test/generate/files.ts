import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { picture } from '../docs/picture.js';
import { apiPage } from './api-page.js';
import { clientPact } from './client-pact.js';
import { digests } from './digests.js';
import { documentModule } from './document.js';
import { faultsPage } from './faults-page.js';
import { pactFaultsPage } from './pact-faults-page.js';
import { prismOperationModule } from './prism-operation.js';
import { rulesPage } from './rules-page.js';
import { controlDocument, serverPage } from './settings.js';
import { fileValidatorsModule, validatorsModule } from './validators.js';
import { warningsModule } from './warnings.js';

/** The folder of this repository. */
export const root = new URL('../..', import.meta.url).pathname;

/** A file that `npm run generate` writes. */
export interface Generated {
  /** Relative to the repository. */
  readonly file: string;
  readonly text: () => string | Promise<string>;
  /** Why it takes long: then `npm run test:all` compares it, and not `npm test`. */
  readonly needs?: string;
}

/** A saved profile may have members of a later version: they are taken away. */
function profileModule(): string {
  const { $defs } = JSON.parse(readFileSync(join(root, 'spec/report.schema.json'), 'utf8'));
  const schema = { $ref: '#/$defs/profile', $defs };
  return fileValidatorsModule('spec/report.schema.json', { isProfile: schema }, { removeAdditional: true });
}

/** Every generated file. A later one may be made of an earlier one. */
export const GENERATED: readonly Generated[] = [
  { file: 'src/spec/document.generated.ts', text: documentModule },
  { file: 'src/validation/schema.generated.ts', text: validatorsModule },
  { file: 'src/validation/prism-operation.generated.ts', text: prismOperationModule },
  { file: 'src/report/profile.generated.ts', text: profileModule },
  { file: 'src/validation/warnings.generated.ts', text: warningsModule },
  { file: 'spec/control.yaml', text: controlDocument },
  { file: 'docs/mock-server.md', text: serverPage },
  { file: 'docs/api.md', text: apiPage },
  { file: 'spec/generated/rules.md', text: rulesPage },
  { file: 'spec/generated/faults.md', text: faultsPage },
  { file: 'spec/generated/digests.json', text: digests },
  { file: 'docs/check.svg', text: picture, needs: 'a check' },
  { file: 'spec/generated/pact-faults.md', text: pactFaultsPage, needs: 'a verification of each fault' },
  { file: 'pacts/plant-store-client-plant-store.json', text: clientPact, needs: 'Pact' },
];
