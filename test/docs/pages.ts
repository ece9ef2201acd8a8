import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { marked, type Token } from 'marked';

const root = new URL('../..', import.meta.url).pathname;

/** The pages for users and contributors, and how many lines each may have. Generated tables are not among them. */
export const PAGES: Readonly<Record<string, number>> = {
  'README.md': 90,
  'docs/README.md': 80,
  'CONTRIBUTING.md': 150,
  'SECURITY.md': 150,
  'docs/mock-server.md': 150,
  'docs/faults.md': 150,
  'docs/control-api.md': 150,
  'docs/command-line.md': 150,
  'docs/check.md': 150,
  'docs/profiles.md': 150,
  'docs/fuzzing.md': 150,
  'docs/house-rules.md': 150,
  'docs/troubleshooting.md': 150,
  'docs/ci.md': 150,
  'docs/versioning.md': 150,
  'docs/glossary.md': 150,
  'docs/typescript.md': 150,
  'docs/pact.md': 150,
  'docs/proxy.md': 150,
  'docs/validation.md': 150,
  'docs/reporters.md': 150,
  'docs/install.md': 150,
  'docs/matchers.md': 150,
  'docs/interface.md': 150,
  'pacts/README.md': 150,
  'test/README.md': 150,
  'test/lab/bench/README.md': 150,
  'test/lab/bench/peers/README.md': 150,
  'test/lab/fuzz/README.md': 80,
  'test/lab/mutants/README.md': 80,
  'test/lab/mutation/README.md': 80,
  'examples/README.md': 150,
  'examples/load/README.md': 80,
};

/** A fenced block of a page. */
export interface Block {
  /** `docs/mock-server.md:12`. */
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
