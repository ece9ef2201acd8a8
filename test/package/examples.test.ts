import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from './project.js';

const read = (...path: string[]) => JSON.parse(readFileSync(join(root, ...path, 'package.json'), 'utf8'));
const { devDependencies } = read();
const examples = readdirSync(join(root, 'examples'), { recursive: true, encoding: 'utf8' })
  .filter((path) => /^[\w-]+\/package\.json$/.test(path))
  .map((path) => path.split('/')[0] as string);

test.for(examples)('the example %s requires the versions that it is tested with', (example) => {
  const manifest = read('examples', example);
  const here = {
    ...read('test/frameworks').dependencies,
    ...read('test/tools').dependencies,
    ...devDependencies,
    'plant-store-contract': 'file:../..',
  };
  const required = Object.entries({ ...manifest.dependencies, ...manifest.devDependencies });
  expect(required).toEqual(required.map(([name]) => [name, here[name]]));
});
