import { readFileSync } from 'node:fs';
import { rulesVersion } from 'plant-store-contract/conformance';
import { openApiDocument } from 'plant-store-contract/spec';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { digestOf, reportSchema, reportVersion, withoutWords } from '../generate/digests.js';

const read = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');

// spec/generated/digests.json has it: docs/versioning.md says when a change needs a new version.
test('the digest of the report sees what matters, and no words', () => {
  const known = digestOf(withoutWords(reportSchema));
  const { description: _, ...silent } = reportSchema;
  expect(digestOf(withoutWords(silent))).toBe(known);
  expect(digestOf(withoutWords({ ...reportSchema, required: reportSchema.required.slice(1) }))).not.toBe(
    known,
  );
});

test('reportVersion, and the id of the schema, are the first number of the version', () => {
  expect(String(reportSchema.properties.reportVersion.const)).toBe(reportVersion.split('.')[0]);
  expect(reportSchema.$id).toBe(`urn:plant-store-contract:report:${reportVersion.split('.')[0]}`);
});

test('the page on versions has all of them as they are', () => {
  const lines = [...read('docs/versioning.md').matchAll(/^\| ([\w ]+) \| (\d+\.\d+\.\d+) \|/gm)];
  expect(Object.fromEntries(lines.map(([, what, version]) => [what, version]))).toEqual({
    'the interface': openApiDocument.info.version,
    'the rule catalogue': rulesVersion,
    'the report': reportVersion,
    'the control interface': parse(read('spec/control.yaml')).info.version,
    'the package': JSON.parse(read('package.json')).version,
  });
});
