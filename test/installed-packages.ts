import { packagesOf } from './packages.mjs';

/** Installs what some tests import, and `npm ci` does not install, before the first of them is loaded. */
export default async function setup(): Promise<void> {
  await packagesOf('frameworks');
}
