import { headerValues } from '../../http/fields.js';
import { type JsonObject, objectOf } from '../../validation/json-value.js';
import { describe } from '../../validation/violation.js';
import { rulesForStatus, satisfies } from '../matching/rules.js';
import type { PactInteraction } from '../pact-file.js';
import { type FoundProblem, found } from './problem.js';
import { rejectionExplainedBy } from './provider-states.js';
import type { JudgedRequest } from './request.js';

/** The statuses that a consumer expects. */
export interface ExpectedStatus {
  /** `either` if success and failure are both accepted, `neither` if both are wrong: a redirect. */
  readonly result: 'created' | 'rejected' | 'either' | 'neither';
  accepts(status: number): boolean;
}

const STATUS = ['response', 'status'] as const;
const STATUSES = Array.from({ length: 500 }, (_, at) => at + 100);
const CLIENT_ERRORS = STATUSES.filter((status) => status >= 400 && status < 500);

/** The statuses that satisfy an interaction: the one that it names, or those that its matching rule accepts. */
export function expectedStatus({ response }: PactInteraction): ExpectedStatus {
  const { status } = response;
  const rules = rulesForStatus(response);
  const accepts = (actual: number): boolean => satisfies(rules, actual, status);
  const accepted = STATUSES.filter(accepts);
  const success = accepted.some((one) => one >= 200 && one < 300);
  const failure = accepted.some((one) => one >= 400);
  const result = success ? (failure ? 'either' : 'created') : failure ? 'rejected' : 'neither';
  return { result, accepts };
}

/**
 * Compares the status that a consumer expects with what the interface says about such a request: 200 for a valid,
 * authorised creation, a rejection for any other creation, and nothing about other requests (Endpoints, rules 1 to 3).
 */
export function statusProblems(
  interaction: PactInteraction,
  request: JudgedRequest,
  expected: ExpectedStatus,
  goodTokens: ReadonlySet<string>,
): FoundProblem[] {
  const { token, plant, open } = request;
  switch (expected.result) {
    case 'created':
      return [
        ...token,
        ...plant,
        ...open,
        ...(expected.accepts(200) ? [] : [undocumented(interaction, 'A creation returns 200')]),
      ];
    case 'rejected': {
      const isRejected = token.length > 0 || plant.length > 0;
      // A request is not rejected because of its Accept header.
      const reliesOn = isRejected ? [] : open.filter(({ field }) => field !== 'accept').map(asNotShown);
      const isExplained =
        isRejected || reliesOn.length > 0 || rejectionExplainedBy(interaction, goodTokens) !== undefined;
      return [
        ...reliesOn,
        ...(isExplained ? [] : rejectionOfValidProblems(interaction, goodTokens)),
        ...failureStatusProblems(interaction, expected),
      ];
    }
    case 'either':
      return [];
    case 'neither':
      return [undocumented(interaction, 'A creation returns 200, and a failure returns 400')];
  }
}

function asNotShown(problem: FoundProblem): FoundProblem {
  const { kind, section = 'Errors, rule 2' } = problem;
  return kind === 'duplicate-key' ? problem : { ...problem, kind: 'not-shown', section };
}

function failureStatusProblems(interaction: PactInteraction, { accepts }: ExpectedStatus): FoundProblem[] {
  if (accepts(400)) return [];
  if (!CLIENT_ERRORS.some(accepts)) return [undocumented(interaction, 'A failure returns 400')];
  const { status } = interaction.response;
  const message = `A rejection with ${status} is expected, but the interface shows only 400. In V4 the status class clientError accepts every 4xx.`;
  return [found('not-shown', STATUS, message)];
}

function undocumented({ response: { status } }: PactInteraction, instead: string): FoundProblem {
  return found('undocumented-status', STATUS, `The status ${status} is expected. ${instead}.`);
}

function rejectionOfValidProblems(
  interaction: PactInteraction,
  goodTokens: ReadonlySet<string>,
): FoundProblem[] {
  const plant = objectOf(interaction.request.body?.value);
  const unusual = unusualField(interaction, plant);
  if (unusual === undefined) {
    const [authorization = ''] = headerValues(interaction.request.headers, 'authorization');
    const isGood = goodTokens.has(authorization)
      ? ' Another interaction expects success with the same token.'
      : '';
    const message = `A valid creation is expected to be rejected, and no state says why. It returns 200.${isGood}`;
    return [found('rejected-valid-request', STATUS, message)];
  }
  const message = `A rejection is expected although ${JSON.stringify(unusual)} is ${describe(plant[unusual])}, which is valid. The interface shows no further constraints.`;
  return [found('not-shown', ['request', 'body', unusual], message, 'Resources and their fields, rule 2')];
}

/**
 * The field because of which a provider may reject a plant, as the interface does not show constraints. A provider must
 * accept 1 to 30 ASCII letters as a name, a lower-case ASCII word as a tag, and an id above 0.
 */
function unusualField({ request }: PactInteraction, { name, tag, id }: JsonObject): string | undefined {
  const isPlain: Readonly<Record<string, boolean>> = {
    name: typeof name === 'string' && /^[A-Za-z]{1,30}$/.test(name),
    tag: tag === undefined || (typeof tag === 'string' && /^[a-z]{1,30}$/.test(tag)),
    id: (typeof id === 'number' || typeof id === 'bigint') && id > 0,
  };
  return Object.keys(isPlain).find(
    (field) => isPlain[field] === false || request.generated.has('body', field),
  );
}
