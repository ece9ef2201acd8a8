import { add, junitDocument, type Outcome, tallied } from '../../reporters/junit-document.js';
import type { Verification, VerifiedInteraction } from '../verification/verification.js';
import { complaintsOf } from './verification-text.js';

/**
 * A verification as JUnit XML: a suite for each pact, a test case for each interaction. What could not be verified
 * is an error; what may fail, since it is pending, is skipped.
 */
export function verificationJunit(verification: Verification): string {
  const { provider, baseUrl, startedAt, durationMs, conclusion, summary, notes, pacts } = verification;
  const all = pacts.flatMap(({ interactions }) => interactions);
  const root = junitDocument(`pacts with ${provider}`, { ...tallied(all.map(outcomeOf)), durationMs });
  for (const { where, consumer = 'consumers', interactions } of pacts) {
    const name = `${consumer} → ${provider}`;
    const suite = add(root, 'testsuite', {
      name,
      ...tallied(interactions.map(outcomeOf)),
      timestamp: startedAt,
    });
    const properties = add(suite, 'properties', {});
    for (const [property, value] of Object.entries({ 'base URL': baseUrl, pact: where, conclusion, summary }))
      add(properties, 'property', { name: property, value });
    for (const note of notes) add(properties, 'property', { name: 'note', value: note });
    for (const interaction of interactions) {
      const { description, states, exchange } = interaction;
      const given = states.length === 0 ? '' : ` given ${states.join(' and ')}`;
      const time = ((exchange?.durationMs ?? 0) / 1000).toFixed(3);
      const testCase = add(suite, 'testcase', { classname: name, name: `${description}${given}`, time });
      const outcome = outcomeOf(interaction);
      const complaints = complaintsOf(interaction);
      const [message = ''] = complaints;
      if (outcome === 'skipped') add(testCase, 'skipped', { message: `pending: ${message}` });
      else if (outcome !== 'passed')
        add(testCase, outcome, { message, type: interaction.verdict }, complaints.join('\n'));
    }
  }
  return `${root.end({ pretty: true })}\n`;
}

function outcomeOf({ verdict, pending }: VerifiedInteraction): Outcome {
  if (verdict === 'pass') return 'passed';
  if (verdict === 'blocked') return 'error';
  return pending ? 'skipped' : 'failure';
}
