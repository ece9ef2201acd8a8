import { readPackageFile } from '../package-files.js';

/** The version of this package. */
export const toolVersion: string = JSON.parse(
  readPackageFile(new URL('../../package.json', import.meta.url)),
).version;
