// @ts-check
import { pactBytes } from '../inputs/pact-text.mjs';
import { must, sentenceOf } from '../run.mjs';

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const CONTROL = /[\0-\x08\x0b-\x1f\x7f]/;

/**
 * The reader and the audit of pacts. It gives a report, whose problems are at places that the pact has, or one sentence.
 *
 * @type {import('../run.mjs').Reader}
 */
export const pact = {
  title: 'pacts',
  async prepare(load) {
    const { auditPact } = await load('pact/index.js');
    const { reporters } = await load('report/formats/index.js');
    const { readJson } = await load('validation/json.js');
    return {
      input: (random) => ({ isWritten: random() < 0.05, bytes: pactBytes(random) }),
      check({ bytes, isWritten }) {
        const read = readJson(bytes);
        let report;
        try {
          report = auditPact(bytes.toString(), 'the file');
        } catch (cause) {
          sentenceOf(cause);
          return 'rejected';
        }
        must(read.ok, () => 'accepts what is not JSON');
        const [{ cases }] = report.groups;
        const isHttp = (/** @type {any} */ { type = 'Synchronous/HTTP' }) => type === 'Synchronous/HTTP';
        const expected = read.value.interactions.filter(isHttp).length;
        must(cases.length === expected, () => `${cases.length} interactions`);
        for (const { place } of cases)
          must(isPlace(read.value, place.pointer), () => `there is no ${place.pointer}`);
        must(
          report.conclusion === (hasProblems(report) ? 'does-not-conform' : report.conclusion),
          () => report.conclusion,
        );
        if (isWritten) must(!CONTROL.test(reporters.text(report)), () => 'the text has a control character');
        JSON.stringify(report);
        return 'accepted';
      },
    };
  },
};

/** @param {any} report */
const hasProblems = ({ findings }) => findings.length > 0;

/**
 * Whether a JSON pointer leads to a value.
 *
 * @param {any} value
 * @param {string} pointer
 */
function isPlace(value, pointer) {
  const keys = pointer.split('/').slice(1);
  let place = value;
  for (const key of keys.map((one) => one.replaceAll('~1', '/').replaceAll('~0', '~'))) {
    if (typeof place !== 'object' || place === null || !Object.hasOwn(place, key)) return false;
    place = place[key];
  }
  return true;
}
