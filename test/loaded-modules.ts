import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const exec = promisify(execFile);

/**
 * The modules that a script loads in a process of its own: URLs of ES modules, paths of CommonJS.
 *
 * @param folder where the script runs, and is written
 * @param name of the file, without extension
 */
export async function loadedModules(folder: string, name: string, script: string): Promise<string[]> {
  const file = join(folder, `${name}.mjs`);
  const lines = [
    "import { createRequire, register } from 'node:module';",
    'const { port1, port2 } = new MessageChannel();',
    'const urls = [];',
    "port1.on('message', (url) => urls.push(url));",
    'port1.unref();',
    "register('data:text/javascript,' + encodeURIComponent(",
    "  'let port; export function initialize(data) { port = data; } ' +",
    "  'export async function load(url, context, next) { port.postMessage(url); return next(url, context); }',",
    '), { data: port2, transferList: [port2] });',
    script,
    // Messages arrive in order, some turns of the event loop later: after the one about the last module, there is none.
    "const last = 'data:text/javascript,0';",
    'await import(last);',
    'while (!urls.includes(last)) await new Promise((resolve) => setTimeout(resolve, 1));',
    'urls.splice(urls.indexOf(last), 1);',
    "const commonjs = Object.keys(createRequire(process.cwd() + '/x.js').cache);",
    'process.stdout.write(JSON.stringify([...urls, ...commonjs]));',
  ];
  writeFileSync(file, lines.join('\n'));
  const { stdout } = await exec(process.execPath, [file], { cwd: folder });
  return JSON.parse(stdout);
}
