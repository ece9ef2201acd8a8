import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { marked, type Token } from 'marked';

const root = new URL('../..', import.meta.url).pathname;

/** The pages for users and contributors, and how many lines each may have. Generated tables are not among them. */
export const PAGES: Readonly<Record<string, number>> = {
  'README.md': 90,
  'spec/HOW-TO.md': 60,
  'src/README.md': 150,
  'src/server/README.md': 150,
  'src/server/failures/README.md': 150,
  'src/server/control/README.md': 150,
  'src/cli/README.md': 150,
  'src/conformance/README.md': 150,
  'src/conformance/profiles/README.md': 150,
  'src/conformance/exploring/README.md': 150,
  'src/conformance/house/README.md': 150,
  'src/pact/README.md': 150,
  'src/proxy/README.md': 150,
  'src/proxy/messages/README.md': 150,
  'src/report/formats/README.md': 150,
  'src/packaging/README.md': 150,
  'src/testing/matchers/README.md': 150,
  'spec/README.md': 150,
  'pacts/README.md': 150,
  'test/README.md': 150,
  'test/lab/bench/README.md': 150,
  'test/lab/bench/peers/README.md': 150,
  'test/lab/fuzz/README.md': 80,
  'test/lab/mutation/README.md': 80,
  'test/examples/README.md': 150,
  'test/examples/load/README.md': 80,
};

/** A fenced block of a page. */
export interface Block {
  /** `src/server/README.md:12`. */
  readonly place: string;
  readonly language: string;
  /** What follows the language: `server fault=leaks-id` is `{ server: '', fault: 'leaks-id' }`. */
  readonly attributes: Readonly<Record<string, string>>;
  readonly code: string;
}

/** A page, as its readers see it. */
export interface Page {
  readonly path: string;
  readonly text: string;
  readonly blocks: readonly Block[];
  /** Targets of links and images, as they are written. */
  readonly links: readonly string[];
  /** What may follow a `#` in a link to this page. */
  readonly anchors: readonly string[];
  /** What is written as code within the text, tables included. */
  readonly codeSpans: readonly string[];
}

/** Reads a page of this repository. */
export function readPage(path: string): Page {
  const text = readFileSync(join(root, path), 'utf8');
  const tokens: Token[] = [];
  marked.walkTokens(marked.lexer(text), (token) => {
    tokens.push(token);
  });
  return {
    path,
    text,
    blocks: blocksOf(path, text, tokens),
    links: tokens.flatMap(targetsOf),
    anchors: anchorsOf(tokens),
    codeSpans: tokens.flatMap((token) => (token.type === 'codespan' ? [String(token.text)] : [])),
  };
}

function blocksOf(path: string, text: string, tokens: readonly Token[]): Block[] {
  let end = 0;
  return tokens.flatMap((token) => {
    if (token.type !== 'code') return [];
    const start = text.indexOf(token.raw, end);
    end = start + token.raw.length;
    const [language = '', ...words] = String(token.lang ?? '').split(' ');
    const attributes = Object.fromEntries(
      words.map((word) => word.split('=', 2)).map(([k, v = '']) => [k, v]),
    );
    const line = text.slice(0, start).split('\n').length;
    return { place: `${path}:${line}`, language, attributes, code: `${token.text}\n` };
  });
}

function targetsOf(token: Token): string[] {
  if (token.type === 'link' || token.type === 'image') return [String(token.href)];
  if (token.type === 'html')
    return [...token.raw.matchAll(/\b(?:src|href)="([^"]*)"/g)].map(([, to = '']) => to);
  return [];
}

/** As GitHub makes them: the second `Options` of a page is `options-1`. */
function anchorsOf(tokens: readonly Token[]): string[] {
  const seen = new Map<string, number>();
  return tokens.flatMap((token) => {
    if (token.type !== 'heading') return [];
    const plain = String(token.text).replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1');
    const anchor = plain
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-');
    const before = seen.get(anchor) ?? 0;
    seen.set(anchor, before + 1);
    return before === 0 ? anchor : `${anchor}-${before}`;
  });
}
