import type { JsonObject } from '../../validation/json-value.js';
import type { PactInteraction } from '../pact-file.js';
import type { Touch } from './aspects.js';
import { headerValuesOf } from './body.js';
import { outcomeFindings } from './outcome.js';
import { messageOf, pointerTo } from './place.js';
import { type PactProblem, pactProblemKinds } from './problem.js';
import { refusalExplainedBy } from './provider-states.js';
import { type JudgedRequest, judgeRequest, operationFindings } from './request.js';
import { responseFindings } from './response.js';
import { type SeenFinding, withSecondOpinion } from './second-opinion.js';
import { type StatusDemand, statusDemand } from './status.js';

/** What an interaction asks for too much, and what of the interface it touches. */
export interface JudgedInteraction {
  readonly problems: readonly PactProblem[];
  /** `undefined` where it is about another operation. */
  readonly touch: Touch | undefined;
}

/**
 * Holds one interaction against the interface.
 *
 * @param raw as it stands in the file
 * @param goodTokens values of Authorization with which success is expected elsewhere in the pact
 */
export async function judgeInteraction(
  interaction: PactInteraction,
  raw: JsonObject,
  goodTokens: ReadonlySet<string>,
): Promise<JudgedInteraction> {
  const demand = statusDemand(interaction);
  const reported = async (findings: Parameters<typeof withSecondOpinion>[2]): Promise<PactProblem[]> =>
    (await withSecondOpinion(interaction, demand, findings)).map((finding) =>
      problemFrom(finding, interaction, raw),
    );
  const operation = operationFindings(interaction);
  if (operation.length > 0) return { problems: await reported(operation), touch: undefined };
  const request = judgeRequest(interaction);
  return {
    problems: await reported([
      ...outcomeFindings(interaction, request, demand, goodTokens),
      ...responseFindings(interaction, demand.outcome, messageOf(raw, 'response').body === null),
    ]),
    touch: { request, demand, tokenIs: tokenIs(interaction, request, demand, goodTokens) },
  };
}

function problemFrom(
  { comparatorCode, ...finding }: SeenFinding,
  { index }: PactInteraction,
  raw: JsonObject,
): PactProblem {
  return {
    ...finding,
    section: finding.section ?? pactProblemKinds[finding.kind].section,
    pointer: pointerTo(index, raw, finding),
    foundBy: comparatorCode === undefined ? 'own' : 'comparator',
    ...(comparatorCode !== undefined && { comparatorCode }),
  };
}

function tokenIs(
  interaction: PactInteraction,
  { token, plant }: JudgedRequest,
  { outcome }: StatusDemand,
  goodTokens: ReadonlySet<string>,
): Touch['tokenIs'] {
  const [authorization] = headerValuesOf(interaction.request, 'authorization');
  if (authorization === undefined) return 'missing';
  if (token.length > 0) return 'wrong';
  const isRefused = outcome === 'refused' && plant.length === 0;
  return isRefused && refusalExplainedBy(interaction, goodTokens) === 'token' ? 'wrong' : 'right';
}
