/**
 * Runs a script that the single file contains, as `packaging/bundle.mjs` wraps it. What V8 made of it at build time spares
 * compiling it. The text of this function also starts a thread, so it uses nothing but its arguments.
 *
 * @param path the path of its URL
 */
export function runContained(path: string, load: NodeJS.Require): void {
  const { getAsset, getRawAsset } = load('node:sea') as typeof import('node:sea');
  const { Script } = load('node:vm') as typeof import('node:vm');
  const cachedData = new Uint8Array(getRawAsset(`${path}.cache`) as ArrayBuffer);
  new Script(getAsset(path, 'utf8'), { filename: path, cachedData }).runInThisContext()(load, {}, {});
}
