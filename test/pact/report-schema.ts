import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { expect } from 'vitest';

const schema = JSON.parse(readFileSync(new URL('../../spec/report.schema.json', import.meta.url), 'utf8'));
const ajv = new Ajv2020({ allErrors: true, strictTypes: false });
addFormats.default(ajv);
const isReport = ajv.compile(schema);

/** Validates a report against spec/report.schema.json. */
export function expectToMatchSchema(report: object): void {
  isReport(JSON.parse(JSON.stringify(report)));
  expect(isReport.errors ?? []).toEqual([]);
}
