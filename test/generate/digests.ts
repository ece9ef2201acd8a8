import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

const read = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');

/** The digest of what a version is a version of. */
export function digestOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 16);
}

/** A schema without the words that only explain. A property may have the name of such a word: then it has an object. */
export function withoutWords(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (key, member) =>
      ['$comment', 'description', 'title'].includes(key) && typeof member === 'string' ? undefined : member,
    ),
  );
}

/** The schema of the report. */
export const reportSchema = JSON.parse(read('spec/report.schema.json'));

/** The version of the report, as its schema says it. */
export const reportVersion = /^Version (\d+\.\d+\.\d+): /.exec(reportSchema.$comment)?.[1] ?? '';

/**
 * `spec/generated/digests.json`: the digest of each version of the report. A change of it shows that something changed
 * that may need a new version: see docs/versioning.md.
 */
export function digests(): string {
  const before = JSON.parse(read('spec/generated/digests.json'));
  const now = {
    report: { ...before.report, [reportVersion]: digestOf(withoutWords(reportSchema)) },
  };
  return `${JSON.stringify(now, null, 2)}\n`;
}
