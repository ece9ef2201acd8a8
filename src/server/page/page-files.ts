import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { invalidOption } from '../../toolkit-error.js';
import { problem, type Routes } from '../control/control-request.js';
import { document, icon, style } from './document.js';

/** Nothing but the page's own files is loaded, and no text becomes HTML or a script. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

const HEADERS = {
  'content-security-policy': POLICY,
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
};

/** The paths of the files. They are the same for everybody, so they need no token. */
export const PAGE_PATHS: ReadonlySet<string> = new Set(['/', '/page/{file}']);

interface ServedFile {
  readonly type: string;
  readonly bytes: Uint8Array;
}

/** How many exchanges are kept for a page. */
export const MOST_EXCHANGES = 5_000;

/** Where the compiled files are. */
export const pageFolder = new URL('./browser/', import.meta.url);

/**
 * Reads the files of the page, once, and serves them.
 *
 * @throws ToolkitError `invalid-option` if they are not there, as if another program has bundled this package
 */
export function pageFiles(folder: URL): Routes {
  const files = new Map<string, ServedFile>([
    ['style.css', text('text/css', style)],
    ['icon.svg', text('image/svg+xml', icon)],
  ]);
  for (const name of existsSync(folder) ? readdirSync(folder) : [])
    if (name.endsWith('.js'))
      files.set(name, text('text/javascript', readFileSync(new URL(name, folder), 'utf8')));
  if (!files.has('main.js'))
    throw invalidOption('the files of the page are not there: --ui needs the package as it is installed');
  const index = text('text/html', document);
  return {
    '/': { GET: () => ({ status: 200, file: index, headers: HEADERS }) },
    '/page/{file}': {
      GET({ parameters: { file: name = '' } }) {
        const file = files.get(name);
        return file === undefined
          ? problem(404, `unknown path ${JSON.stringify(`/page/${name}`)}`)
          : { status: 200, file, headers: HEADERS };
      },
    },
  };
}

function text(type: string, content: string): ServedFile {
  return { type: `${type}; charset=utf-8`, bytes: Buffer.from(content) };
}
