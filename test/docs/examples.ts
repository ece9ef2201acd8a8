import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = new URL('../..', import.meta.url).pathname;

/** The code of one `@example`. */
export interface Example {
  /** `src/server/listen.ts:31`. */
  readonly place: string;
  readonly code: string;
}

/** Every `@example` of the sources: the lines after it, up to the next tag or the end of the docstring. */
export function docstringExamples(): Example[] {
  const files = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' });
  return files.filter((file) => file.endsWith('.ts')).flatMap((file) => examplesIn(join('src', file)));
}

function examplesIn(file: string): Example[] {
  const text = readFileSync(join(root, file), 'utf8');
  return [...text.matchAll(/^( *\*) @example\n((?:\1.*\n)*?)(?= *\*\/| *\* @)/gm)].map((match) => ({
    place: `${file}:${lineOf(text, match.index)}`,
    code: (match[2] ?? '').replaceAll(/^ *\* ?/gm, ''),
  }));
}

function lineOf(text: string, index: number): number {
  return text.slice(0, index).split('\n').length;
}
