import type { JsonValue } from '../../validation/json-value.js';
import type { PactInteraction } from '../pact-file.js';
import { type Matcher, wholeMatch } from './matchers.js';
import { rulesForStatus } from './matching-rules.js';

/** What a consumer wants to come of its request. */
export interface StatusDemand {
  /** `either` where success and failure are as good, `neither` where both are wrong: a redirect. */
  readonly outcome: 'created' | 'refused' | 'either' | 'neither';
  accepts(status: number): boolean;
}

/** The status classes of V4: the first status, and the one behind the last. */
const CLASSES: Readonly<Record<string, readonly [from: number, to: number]>> = {
  info: [100, 200],
  success: [200, 300],
  redirect: [300, 400],
  clientError: [400, 500],
  serverError: [500, 600],
  nonError: [100, 400],
  error: [400, 600],
};

const STATUSES = Array.from({ length: 500 }, (_, at) => at + 100);

/** Which statuses satisfy an interaction: the one that it names, or those that its matching rule accepts. */
export function statusDemand({ response }: PactInteraction): StatusDemand {
  const { status } = response;
  const rules = rulesForStatus(response.matchingRules);
  const accepts = (actual: number): boolean =>
    rules === undefined
      ? actual === status
      : rules.matchers[rules.combine === 'OR' ? 'some' : 'every']((matcher) =>
          acceptsStatus(matcher, actual, status),
        );
  const accepted = STATUSES.filter(accepts);
  const success = accepted.some((one) => one >= 200 && one < 300);
  const failure = accepted.some((one) => one >= 400);
  const outcome = success ? (failure ? 'either' : 'created') : failure ? 'refused' : 'neither';
  return { outcome, accepts };
}

function acceptsStatus({ match, status, regex }: Matcher, actual: number, example: number): boolean {
  switch (match) {
    case 'statusCode':
      return Array.isArray(status) ? status.includes(actual) : isInClass(status, actual);
    case 'type':
    case 'number':
    case 'integer':
      return true;
    case 'regex':
      return wholeMatch(regex, String(actual));
    default:
      return actual === example;
  }
}

function isInClass(name: JsonValue | undefined, status: number): boolean {
  const range = typeof name === 'string' ? CLASSES[name] : undefined;
  // A class that is not known may accept anything.
  return range === undefined || (status >= range[0] && status < range[1]);
}
