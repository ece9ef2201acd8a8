import { add, junitDocument, type Outcome, tallied } from '../../reporters/junit-document.js';
import {
  fileInWords,
  type JudgedMessage,
  type MessagesReport,
  type MessageVerdict,
  placeInWords,
  violationText,
} from '../report.js';

const OUTCOMES: Readonly<Record<MessageVerdict, Outcome>> = {
  pass: 'passed',
  fail: 'failure',
  blocked: 'error',
  'not-applicable': 'skipped',
};

/** Judged messages as JUnit XML: one suite, a test case for each message. It took no time that anybody waits for. */
export function messagesJunit({ file, kind, conclusion, summary, messages }: MessagesReport): string {
  const tally = tallied(messages.map(({ verdict }) => OUTCOMES[verdict]));
  const root = junitDocument(`${kind}s of POST /plants`, { ...tally, durationMs: 0 });
  const suite = add(root, 'testsuite', { name: `${kind}s in ${fileInWords(file)}`, ...tally });
  const properties = add(suite, 'properties', {});
  for (const [name, value] of Object.entries({ file, conclusion, summary }))
    add(properties, 'property', { name, value });
  for (const message of messages) {
    const where = placeInWords(message.place);
    const name = where === '' ? message.title : `${message.title} (${where})`;
    const testCase = add(suite, 'testcase', { classname: kind, name });
    const outcome = OUTCOMES[message.verdict];
    if (outcome !== 'passed') add(testCase, outcome, { message: headline(message) }, body(message, outcome));
    if (message.notes.length > 0) add(testCase, 'system-out', {}, message.notes.join('\n'));
  }
  return `${root.end({ pretty: true })}\n`;
}

function headline({ violations, reasons }: JudgedMessage): string {
  return violations[0]?.message ?? reasons.join('; ');
}

function body({ violations, reasons }: JudgedMessage, outcome: Outcome): string {
  if (outcome !== 'failure') return '';
  return [...violations.map(violationText), ...reasons.map((reason) => `not judged: ${reason}`)].join('\n\n');
}
