import type { JsonObject } from '../../validation/json-value.js';
import { describe } from '../../validation/violation.js';
import type { PactInteraction } from '../pact-file.js';
import { fieldsOf, headerValuesOf, isGenerated } from './body.js';
import type { Finding } from './problem.js';
import { refusalExplainedBy } from './provider-states.js';
import type { JudgedRequest } from './request.js';
import type { StatusDemand } from './status.js';

/**
 * Holds the status that a consumer relies on against what the interface says of such a request: 200 to a valid,
 * authorised creation, a refusal to what is no such thing, and nothing to all else (Endpoints, rules 1 to 3).
 */
export function outcomeFindings(
  interaction: PactInteraction,
  request: JudgedRequest,
  demand: StatusDemand,
  goodTokens: ReadonlySet<string>,
): Finding[] {
  const { token, plant, open } = request;
  switch (demand.outcome) {
    case 'created':
      return [...token, ...plant, ...open, ...successStatusFindings(interaction, demand)];
    case 'refused': {
      const isRefused = token.length > 0 || plant.length > 0;
      const reliesOn = isRefused ? [] : open.filter(isAboutRefusal).map(asNotShown);
      const isExplained = isRefused || reliesOn.length > 0 || refusalExplainedBy(interaction, goodTokens);
      return [
        ...reliesOn,
        ...(isExplained ? [] : refusalOfValidFindings(interaction, request, goodTokens)),
        ...failureStatusFindings(interaction, demand),
      ];
    }
    case 'either':
      return [];
    case 'neither':
      return [undocumented(interaction, 'A creation is answered with 200, and a failure with 400')];
  }
}

/** A request is not refused for what it accepts, nor does a repeated key change that. */
function isAboutRefusal({ field }: Finding): boolean {
  return field !== 'accept';
}

function asNotShown(finding: Finding): Finding {
  const { kind, section = 'Errors, rule 2' } = finding;
  return kind === 'duplicate-key' ? finding : { ...finding, kind: 'not-shown', section };
}

const CLIENT_ERRORS = Array.from({ length: 100 }, (_, at) => 400 + at);

function successStatusFindings(interaction: PactInteraction, { accepts }: StatusDemand): Finding[] {
  return accepts(200) ? [] : [undocumented(interaction, 'A creation is answered with 200')];
}

function failureStatusFindings(interaction: PactInteraction, { accepts }: StatusDemand): Finding[] {
  if (accepts(400)) return [];
  if (!CLIENT_ERRORS.some(accepts)) return [undocumented(interaction, 'A failure is answered with 400')];
  const { status } = interaction.response;
  return [
    {
      kind: 'not-shown',
      ...{ side: 'response', part: 'status' },
      message: `A refusal with ${status} is expected, and which status but 400 a failure may have is not shown; in V4 the status class clientError accepts them all.`,
    },
  ];
}

function undocumented({ response: { status } }: PactInteraction, instead: string): Finding {
  return {
    kind: 'undocumented-status',
    ...{ side: 'response', part: 'status' },
    message: `The status ${status} is expected. ${instead}.`,
  };
}

function refusalOfValidFindings(
  interaction: PactInteraction,
  { body }: JudgedRequest,
  goodTokens: ReadonlySet<string>,
): Finding[] {
  const unusual = unusualField(interaction, fieldsOf(body?.value));
  const [authorization = ''] = headerValuesOf(interaction.request, 'authorization');
  const isGood = goodTokens.has(authorization) ? '; with the same token, success is expected elsewhere' : '';
  if (unusual === undefined)
    return [
      {
        kind: 'refused-valid-request',
        ...{ side: 'response', part: 'status' },
        message: `A refusal is expected of a valid creation, which is answered with 200, and no state says why${isGood}.`,
      },
    ];
  const value = describe(fieldsOf(body?.value)[unusual]);
  return [
    {
      kind: 'not-shown',
      ...{ side: 'request', part: 'body', field: unusual },
      message: `A refusal is expected although ${JSON.stringify(unusual)} is ${value}, which is valid; further constraints are not shown.`,
      section: 'Resources and their fields, rule 2',
    },
  ];
}

/**
 * The field for which a provider may refuse a plant, as constraints are not shown. It may not refuse 1 to 30 ASCII
 * letters as a name, a lower-case ASCII word as a tag, and an id above 0.
 */
function unusualField({ request }: PactInteraction, { name, tag, id }: JsonObject): string | undefined {
  const plain: Readonly<Record<string, boolean>> = {
    name: typeof name === 'string' && /^[A-Za-z]{1,30}$/.test(name),
    tag: tag === undefined || (typeof tag === 'string' && /^[a-z]{1,30}$/.test(tag)),
    id: (typeof id === 'number' || typeof id === 'bigint') && id > 0,
  };
  return Object.keys(plain).find((field) => plain[field] === false || isGenerated(request, 'body', field));
}
