import { createRequire } from 'node:module';

/** The version of this package. Bundled to one file, it has no folder of its own, and no version. */
export const toolVersion: string = readVersion();

function readVersion(): string {
  try {
    const { name, version } = createRequire(import.meta.url)('../../package.json');
    return name === 'plant-store-contract' ? version : 'bundled';
  } catch {
    return 'bundled';
  }
}
