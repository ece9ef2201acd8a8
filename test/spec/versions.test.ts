import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { rulesVersion } from 'plant-store-contract/conformance';
import { openApiDocument } from 'plant-store-contract/spec';
import { expect, test } from 'vitest';
import { parse } from 'yaml';

// spec/VERSIONING.md says when a version becomes which other one. A version that no release has may still change: then
// replace its digest here. Otherwise add a version, and its digest.
const REPORTS: Readonly<Record<string, string>> = {
  '1.0.0': 'a8bcdaeaac9933f3',
};

const read = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
const schema = JSON.parse(read('spec/report.schema.json'));
const digestOf = (value: unknown): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 16);

/** A schema without the words that only explain. A property may have the name of such a word: then it has an object. */
function withoutWords(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (key, member) =>
      ['$comment', 'description', 'title'].includes(key) && typeof member === 'string' ? undefined : member,
    ),
  );
}

const reportVersion = /^Version (\d+\.\d+\.\d+): /.exec(schema.$comment)?.[1] ?? '';

test('the report has a new version if its schema changed', () => {
  expect(digestOf(withoutWords(schema)), 'the schema changed: see test/spec/versions.test.ts').toBe(
    REPORTS[reportVersion],
  );
  const { description: _, ...silent } = schema;
  expect(digestOf(withoutWords(silent))).toBe(REPORTS[reportVersion]);
  const changed = { ...schema, required: schema.required.slice(1) };
  expect(digestOf(withoutWords(changed))).not.toBe(REPORTS[reportVersion]);
});

test('reportVersion, and the id of the schema, are the first number of the version', () => {
  expect(String(schema.properties.reportVersion.const)).toBe(reportVersion.split('.')[0]);
  expect(schema.$id).toBe(`urn:plant-store-contract:report:${reportVersion.split('.')[0]}`);
});

test('the page on versions has all of them as they are', () => {
  const lines = [...read('spec/VERSIONING.md').matchAll(/^\| ([\w ]+) \| (\d+\.\d+\.\d+) \|/gm)];
  expect(Object.fromEntries(lines.map(([, what, version]) => [what, version]))).toEqual({
    'the interface': openApiDocument.info.version,
    'the rule catalogue': rulesVersion,
    'the report': reportVersion,
    'the control interface': parse(read('spec/control.yaml')).info.version,
    'the package': JSON.parse(read('package.json')).version,
  });
});
