import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { rules, rulesVersion } from 'plant-store-contract/conformance';

const read = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');

/** The digest of what a version is a version of. */
export function digestOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 16);
}

/** What matters of the rules to those who use a report: what else changes needs no new version. */
export function demanded() {
  return rules.map((rule) => {
    const { id, level, title, source } = rule;
    return { id, level, severity: 'severity' in rule ? rule.severity : undefined, title, source };
  });
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
 * `spec/generated/digests.json`: the digests of each version of the rules and of the report. A change of them shows that something
 * changed that may need a new version: see spec/VERSIONING.md.
 */
export function digests(): string {
  const before = JSON.parse(read('spec/generated/digests.json'));
  const now = {
    rules: { ...before.rules, [rulesVersion]: digestOf(demanded()) },
    report: { ...before.report, [reportVersion]: digestOf(withoutWords(reportSchema)) },
  };
  return `${JSON.stringify(now, null, 2)}\n`;
}
