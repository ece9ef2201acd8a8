import { counted } from '../../conformance/reporting/report-wording.js';
import { ToolkitError } from '../../toolkit-error.js';
import { readJsonText } from '../../validation/json.js';
import type { JsonObject } from '../../validation/json-value.js';
import { isObject, type Pact, readPact } from '../pact-file.js';
import { type InterfaceAspect, untouchedBy } from './aspects.js';
import { headerValuesOf } from './body.js';
import { judgeInteraction } from './interaction.js';
import { pactText } from './pact-text.js';
import type { PactProblem } from './problem.js';
import { saysTokenIsInvalid } from './provider-states.js';
import { statusDemand } from './status.js';

/** What an audit comes to. */
export type PactAuditConclusion = 'within-the-interface' | 'asks-for-more';

/** One interaction, audited. */
export interface AuditedInteraction {
  /** Its place in the file. */
  readonly index: number;
  readonly description: string;
  /** The names of its provider states. */
  readonly states: readonly string[];
  /** What it asks for beyond the interface; none where it is as it should be. */
  readonly problems: readonly PactProblem[];
}

/** A pact held against the interface. */
export interface PactAudit {
  readonly consumer: string;
  readonly provider: string;
  /** What the pact was called: its file, mostly. */
  readonly where?: string;
  readonly conclusion: PactAuditConclusion;
  /** A sentence. */
  readonly summary: string;
  readonly interactions: readonly AuditedInteraction[];
  /** What of the interface it leaves alone: for information, and never a problem. */
  readonly untouched: readonly InterfaceAspect[];
  /** The types of interactions that it holds beside HTTP, each as often as it occurs; they were not audited. */
  readonly notAudited: readonly string[];
}

/** How {@link auditPact} works. */
export interface AuditOptions {
  /** What the pact is called in the audit and in errors: a file or a URL. */
  readonly where?: string;
}

/**
 * Holds a pact against the interface, without any provider: does a consumer rely on anything that is not promised,
 * so that a provider which conforms might fail it? What a pact leaves open is never a problem, and where the
 * interface may be read in favour of the pact, it is.
 *
 * @param pact a pact of specification 2, 3 or 4: its JSON as text or in bytes, which is read exactly; or parsed by
 *   `JSON.parse`, which has rounded ids beyond 2^53
 * @throws ToolkitError `invalid-pact` where it is none; `no-pact` where it holds no HTTP interaction
 * @example
 * import assert from 'node:assert/strict';
 * import { auditPact } from 'plant-store-contract/pact';
 *
 * const audit = await auditPact({
 *   consumer: { name: 'shop' },
 *   provider: { name: 'plant store' },
 *   interactions: [
 *     {
 *       description: 'a creation',
 *       request: {
 *         method: 'POST',
 *         path: '/plants',
 *         headers: { Authorization: 'Bearer example', 'Content-Type': 'application/json' },
 *         body: { name: 'Aloe', id: 7 },
 *       },
 *       response: { status: 200, body: { name: 'Aloe', id: 7 } },
 *     },
 *   ],
 * });
 * assert.equal(audit.conclusion, 'asks-for-more');
 * const [problem] = audit.interactions[0]?.problems ?? [];
 * assert.equal(problem?.kind, 'unknown-field');
 * assert.equal(problem?.pointer, '/interactions/0/response/body/id');
 * assert.equal(audit.untouched[0]?.id, 'created-with-tag');
 */
export async function auditPact(
  pact: string | Uint8Array | object,
  { where }: AuditOptions = {},
): Promise<PactAudit> {
  const called = where ?? 'the pact';
  const text = pactText(pact, called);
  const read = readPact(text, called);
  if (read.interactions.length === 0) throw nothingToAudit(read, called);
  const goodTokens = goodTokensOf(read);
  const raw = rawInteractions(text);
  const judged = await Promise.all(
    read.interactions.map(async (interaction) => ({
      interaction,
      ...(await judgeInteraction(interaction, raw[interaction.index] ?? {}, goodTokens)),
    })),
  );
  const interactions = judged.map(
    ({ interaction: { index, description, states }, problems }): AuditedInteraction => ({
      ...{ index, description, states: states.map(({ name }) => name), problems },
    }),
  );
  return {
    ...{ consumer: read.consumer, provider: read.provider },
    ...(where !== undefined && { where }),
    ...conclude(interactions),
    interactions,
    untouched: untouchedBy(judged.flatMap(({ touch }) => touch ?? [])),
    notAudited: read.unreadable,
  };
}

/** The exit status for audits: 0 where no pact asks for more than the interface promises, else 1. */
export function auditExitCode(audits: readonly PactAudit[]): number {
  return audits.every(({ conclusion }) => conclusion === 'within-the-interface') ? 0 : 1;
}

/** An audit of nothing must not look like one that found nothing. */
function nothingToAudit({ unreadable }: Pact, where: string): ToolkitError {
  const held = unreadable.length === 0 ? '' : `, only ${[...new Set(unreadable)].join(', ')}`;
  return new ToolkitError('no-pact', `${where} holds no HTTP interaction${held}: there is nothing to audit`);
}

function goodTokensOf({ interactions }: Pact): ReadonlySet<string> {
  return new Set(
    interactions
      .filter((interaction) => statusDemand(interaction).outcome === 'created')
      .flatMap((interaction) =>
        headerValuesOf(interaction.request, 'authorization').filter(
          (value) => !saysTokenIsInvalid(interaction, value),
        ),
      ),
  );
}

/** The interactions as they stand in the file, by their place in it. */
function rawInteractions(text: string): readonly JsonObject[] {
  const read = readJsonText(text);
  const root = read.ok && isObject(read.value) ? read.value : {};
  return Array.isArray(root.interactions) ? root.interactions.filter(isObject) : [];
}

function conclude(interactions: readonly AuditedInteraction[]): Pick<PactAudit, 'conclusion' | 'summary'> {
  const wrong = interactions.filter(({ problems }) => problems.length > 0);
  const problems = counted(wrong.flatMap((one) => one.problems).length, 'problem');
  const all = counted(interactions.length, 'interaction');
  if (wrong.length === 0)
    return {
      conclusion: 'within-the-interface',
      summary: `The pact asks for nothing that the interface does not promise: ${all}, no problem.`,
    };
  return {
    conclusion: 'asks-for-more',
    summary: `The pact asks for more than the interface promises: ${problems} in ${wrong.length} of ${all}.`,
  };
}
