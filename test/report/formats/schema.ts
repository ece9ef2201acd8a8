import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

const schema = JSON.parse(readFileSync(new URL('../../../spec/report.schema.json', import.meta.url), 'utf8'));
const ajv = new Ajv2020({ allErrors: true, strictTypes: false });
addFormats.default(ajv);
const isReport = ajv.compile(schema);

/** How a report, as JSON, differs from spec/report.schema.json; empty if it does not. */
export function schemaErrors(report: object): readonly unknown[] {
  isReport(JSON.parse(JSON.stringify(report)));
  return isReport.errors ?? [];
}
