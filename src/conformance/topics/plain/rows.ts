import { PLAIN_PLANT, PLAIN_PLANT_WITH_TAG, probeOf, type Row } from '../../row.js';

const withoutTag: Row = {
  name: 'plain-plant',
  title: 'a plain plant without a tag',
  rules: ['success/tag-is-optional'],
  phase: 'control',
  requests: [{ body: PLAIN_PLANT }],
};

/** The plainest plants. They are the controls of most probes. */
export const plainRows: readonly Row[] = [
  withoutTag,
  {
    name: 'plain-plant-with-tag',
    title: 'a plain plant with a tag',
    rules: ['success/tag-is-optional'],
    phase: 'control',
    requests: [{ body: PLAIN_PLANT_WITH_TAG }],
  },
];

/** The plainest plant of all. */
export const plainPlant = probeOf(withoutTag);

/** What every provider rejects, whatever it reads of a request. It is sent if what answers may be no provider. */
export const emptyRequest = probeOf({
  ...{ name: 'empty-request', title: 'a request without a token and without a body' },
  ...{ expectation: 'rejected', rules: [], phase: 'control' },
  requests: [{ headers: [], body: '' }],
});
