import { definedOnly } from '../../defined-only.js';
import { headerValues } from '../../http/fields.js';
import { visibleInLine } from '../../report/escape.js';
import { excerpt } from '../../report/exchange.js';
import { ToolkitError } from '../../toolkit-error.js';
import { JsonSpans } from '../../validation/json-spans.js';
import { keysIn, objectOf } from '../../validation/json-value.js';
import { bytesIn } from '../../validation/message.js';
import { missingPlugins } from '../installed-pact.js';
import { patternsIn, unusableGenerator, unusableRules } from '../matching/unusable.js';
import { type Pact, type PactInteraction, pactText, readPact } from '../pact-file.js';
import { rejectionExplainedBy, saysTokenIsInvalid } from '../states.js';
import { type Coverage, notCoveredBy } from './coverage.js';
import {
  type ExpectedStatus,
  expectedStatus,
  type JudgedRequest,
  judgeRequest,
  operationProblems,
  responseProblems,
  statusProblems,
} from './interaction.js';
import { type FoundProblem, foundRule, type PactProblem, pactProblemKinds, pointersIn } from './problem.js';
import { type AuditedPact, type AuditReport, auditReport } from './report.js';

/** How {@link auditPact} works. */
export interface AuditOptions {
  /** The name of the pact in the report and in errors: a file or a URL. */
  readonly where?: string;
}

/**
 * Compares a pact with the interface, without a provider. Does its consumer rely on anything that the interface does
 * not promise, so that a conforming provider may fail it? What a pact leaves open is never a problem. If the interface
 * can be read in favour of the pact, it is.
 *
 * @param pact a pact of specification 2, 3 or 4: its JSON as a string or as bytes, which is read exactly; or an object
 *   from `JSON.parse`, which has rounded ids beyond 2^53
 * @throws ToolkitError `invalid-pact` if it is not a pact; `no-pact` if it has no HTTP interaction
 * @example
 * import assert from 'node:assert/strict';
 * import { auditPact } from 'plant-store-contract/pact';
 *
 * const { conclusion, pacts } = auditPact({
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
 * assert.equal(conclusion, 'does-not-conform');
 * const [problem] = pacts[0]?.interactions[0]?.problems ?? [];
 * assert.equal(problem?.kind, 'unknown-field');
 * assert.equal(problem?.pointer, '/interactions/0/response/body/id');
 * assert.equal(pacts[0]?.notCovered[0]?.id, 'created-with-tag');
 */
export function auditPact(pact: string | Uint8Array | object, options: AuditOptions = {}): AuditReport {
  const startedAt = new Date();
  const { where } = options;
  const name = where ?? 'the pact';
  const text = pactText(pact, name);
  const read = readPact(text, name);
  if (read.interactions.length === 0) {
    // An audit of nothing must not look like an audit without problems.
    const only =
      read.otherTypes.length === 0 ? '' : `, only ${shownInLine([...new Set(read.otherTypes)].join(', '))}`;
    throw new ToolkitError('no-pact', `${name} has no HTTP interaction${only}`);
  }
  const isText = typeof pact === 'string' || bytesIn(pact) !== undefined;
  return auditReport({ pacts: [judgePact(read, { where, text: isText ? text : undefined })], startedAt });
}

/**
 * Compares one pact with the interface: see {@link auditPact}.
 *
 * @param source the name of the pact, and its text, in which problems get their lines
 */
export function judgePact(
  { consumer, provider, interactions, otherTypes, plugins }: Pact,
  { where, text }: { readonly where?: string | undefined; readonly text?: string | undefined },
): AuditedPact {
  const goodTokens = goodTokensOf(interactions);
  const judged = interactions.map((interaction) => ({
    ...judgeInteraction(interaction, goodTokens),
    unusable: ruleProblems(interaction, plugins.length > 0),
    unknown: unknownMatches(interaction),
  }));
  const lineOf = text === undefined ? () => undefined : lineFinder(text);
  return definedOnly({
    consumer,
    provider,
    where,
    interactions: judged.map(({ interaction, problems, unusable, unknown }) => {
      const pointerTo = pointersIn(interaction);
      const placed = (found: FoundProblem): PactProblem => {
        const { path: _path, section = pactProblemKinds[found.kind].section, ...problem } = found;
        const pointer = pointerTo(found);
        return definedOnly({ ...problem, section, pointer, line: lineOf(pointer) });
      };
      return definedOnly({
        index: interaction.index,
        line: lineOf(`/interactions/${interaction.index}`),
        description: interaction.description,
        states: interaction.states.map((state) => state.name),
        problems: [...unusable, ...problems].map(placed),
        unknown: unknown.map(placed),
      });
    }),
    notCovered: notCoveredBy(judged.flatMap(({ coverage }) => coverage ?? [])),
    notAudited: otherTypes,
    missingPlugins: missingPlugins(plugins).map(({ name, index }) => {
      const pointer = `/metadata/plugins/${index}`;
      return definedOnly({ name, pointer, line: lineOf(pointer) });
    }),
  });
}

/** What a pact says, in a sentence: it may have control characters, and any length. */
function shownInLine(text: string): string {
  return visibleInLine(excerpt(text));
}

interface JudgedInteraction {
  readonly interaction: PactInteraction;
  readonly problems: readonly FoundProblem[];
  /** Left out if it is about another operation. */
  readonly coverage?: Coverage;
}

/** @param goodTokens values of Authorization with which other interactions of the pact expect success */
function judgeInteraction(interaction: PactInteraction, goodTokens: ReadonlySet<string>): JudgedInteraction {
  const problems = operationProblems(interaction);
  if (problems.length > 0) return { interaction, problems };
  const request = judgeRequest(interaction);
  const expected = expectedStatus(interaction);
  return {
    interaction,
    problems: [
      ...statusProblems(interaction, request, expected, goodTokens),
      ...responseProblems(interaction, expected.result, objectOf(interaction.raw.response).body === null),
    ],
    coverage: {
      plant: objectOf(interaction.request.body?.value),
      request,
      expected,
      tokenIs: tokenIs(interaction, request, expected, goodTokens),
    },
  };
}

function tokenIs(
  interaction: PactInteraction,
  { token, plant }: JudgedRequest,
  { result }: ExpectedStatus,
  goodTokens: ReadonlySet<string>,
): Coverage['tokenIs'] {
  const [authorization] = headerValues(interaction.request.headers, 'authorization');
  if (authorization === undefined) return 'missing';
  if (token.length > 0) return 'wrong';
  const isRejected = result === 'rejected' && plant.length === 0;
  return isRejected && rejectionExplainedBy(interaction, goodTokens) === 'token' ? 'wrong' : 'right';
}

function goodTokensOf(interactions: Pact['interactions']): ReadonlySet<string> {
  return new Set(
    interactions
      .filter((interaction) => expectedStatus(interaction).result === 'created')
      .flatMap((interaction) =>
        headerValues(interaction.request.headers, 'authorization').filter(
          (value) => !saysTokenIsInvalid(interaction, value),
        ),
      ),
  );
}

/** Finds the lines of values, from 1, by their pointers. */
function lineFinder(text: string): (pointer: string) => number {
  const bytes = Buffer.from(text);
  const spans = new JsonSpans(bytes);
  const ends: number[] = [];
  for (let end = bytes.indexOf('\n'); end !== -1; end = bytes.indexOf('\n', end + 1)) ends.push(end);
  return (pointer) => {
    const { start } = spans.at(keysIn(pointer)) ?? { start: 0 };
    return linesBefore(start, ends) + 1;
  };
}

/** How many line ends come before a place, by halving: a pact has as many lines as values. */
function linesBefore(place: number, ends: readonly number[]): number {
  let [low, high] = [0, ends.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ends[middle] as number) < place) low = middle + 1;
    else high = middle;
  }
  return low;
}

const SIDES = ['request', 'response'] as const;

function ruleProblems(interaction: PactInteraction, hasPlugins: boolean): FoundProblem[] {
  const { raw } = interaction;
  const generator = unusableGenerator(interaction);
  const rules = SIDES.flatMap((side) =>
    unusableRules(objectOf(raw[side]).matchingRules, hasPlugins).map(({ path, message, breaks }) => {
      const so =
        breaks === 'pact' ? 'so it cannot load the pact' : 'so the rule has no effect, or nothing matches it';
      return foundRule(side, 'matchingRules', path, `Pact cannot use the rule: ${message}, ${so}.`);
    }),
  );
  if (generator === undefined) return rules;
  const { part, path, message } = generator;
  return [...rules, foundRule('request', part, path, `Pact cannot use the generator: ${message}.`)];
}

/** The patterns of an interaction that took too long, as problems that are unknown: whether a value matches is not known. */
function unknownMatches({ raw, request }: PactInteraction): FoundProblem[] {
  const { patterns } = request;
  if (!patterns.hasHitLimit) return [];
  return SIDES.flatMap((side) =>
    patternsIn(objectOf(raw[side]).matchingRules)
      .filter(({ pattern }) => patterns.isOverLimit(pattern))
      .map(({ path }) =>
        foundRule(
          side,
          'matchingRules',
          path,
          'The pattern takes too long, so what it accepts is not known.',
        ),
      ),
  );
}
