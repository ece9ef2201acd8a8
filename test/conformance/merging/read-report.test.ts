import { mergeReports } from 'plant-store-contract/conformance';
import { reporters } from 'plant-store-contract/reporters';
import { expect, test } from 'vitest';
import { readCheckReport } from '../../../src/conformance/merging/read-report.js';
import { checkStore } from '../checks.js';

// A file may have times that no date has. A HAR has the date of each exchange.

test('a report whose times make no date is rejected', async () => {
  const report = await checkStore([], { only: ['success'] });
  const readWith = (change: object, ofFirst: object = {}) => {
    const [first, ...others] = report.exchanges;
    const changed = { ...report, exchanges: [{ ...first, ...ofFirst }, ...others], ...change };
    return readCheckReport(Buffer.from(JSON.stringify(changed)), 'the file');
  };
  expect(JSON.parse(reporters.har(mergeReports([readWith({})]))).log.entries).toHaveLength(
    report.exchanges.length,
  );
  for (const startMs of [1e300, -1, null, '7'])
    expect(() => readWith({}, { startMs })).toThrow('the file is not a report of a check: "exchanges"');
  expect(() => readWith({}, { durationMs: 1e13 })).toThrow('"exchanges" is not as it must be');
  for (const startedAt of ['+275760-09-13T00:00:00.000Z', 'now'])
    expect(() => readWith({ startedAt })).toThrow('"startedAt" is not as it must be');
});
