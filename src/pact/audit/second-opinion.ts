import { JsonNumber } from '../../validation/json-number.js';
import type { JsonValue } from '../../validation/json-value.js';
import { isObject, type PactInteraction, type PactMessage } from '../pact-file.js';
import { wireBody } from './body.js';
import { type Difference, differencesOf } from './comparator.js';
import type { Finding, PactProblemKind, ProblemPlace } from './problem.js';
import type { StatusDemand } from './status.js';

/** A finding, and what the comparator calls it where it reports the same. */
export interface SeenFinding extends Finding {
  readonly comparatorCode?: string;
}

/** What a code of the comparator is about, and which of our kinds say the same. */
interface Meaning extends Pick<ProblemPlace, 'side' | 'part'> {
  readonly kinds: readonly PactProblemKind[];
}

/**
 * The codes that our own judges have an opinion about as well. Where these say nothing, the comparator is wrong:
 * it knows no matching rules, no generators, no states and no base URL, and its numbers are rounded.
 */
const MEANINGS: Readonly<Record<string, Meaning>> = {
  'request.path-or-method.unknown': { side: 'request', part: 'path', kinds: ['unknown-operation'] },
  'request.authorization.missing': { side: 'request', part: 'header', kinds: ['no-valid-token'] },
  'request.accept.incompatible': { side: 'request', part: 'header', kinds: ['media-type'] },
  'request.content-type.incompatible': {
    side: 'request',
    part: 'header',
    kinds: ['media-type', 'not-shown'],
  },
  'request.content-type.missing': { side: 'request', part: 'header', kinds: ['media-type', 'not-shown'] },
  'request.header.unknown': { side: 'request', part: 'header', kinds: [] },
  'request.query.unknown': { side: 'request', part: 'query', kinds: ['unknown-parameter'] },
  'request.body.incompatible': { side: 'request', part: 'body', kinds: ['invalid-request'] },
  'request.body.unknown': { side: 'request', part: 'header', kinds: ['media-type'] },
  'response.status.unknown': {
    side: 'response',
    part: 'status',
    kinds: ['undocumented-status', 'not-shown'],
  },
  'response.content-type.incompatible': { side: 'response', part: 'header', kinds: ['media-type'] },
  'response.header.undefined': { side: 'response', part: 'header', kinds: ['unpromised-header'] },
  'response.header.unknown': { side: 'response', part: 'header', kinds: ['unpromised-header'] },
  'response.body.incompatible': { side: 'response', part: 'body', kinds: ['wrong-body', 'unknown-field'] },
};

/**
 * Asks the comparator about an interaction, and joins what it says with our own findings: one matter is said once.
 * Errors that have a code of a later version are findings of their own.
 */
export async function withSecondOpinion(
  interaction: PactInteraction,
  demand: StatusDemand,
  findings: readonly Finding[],
): Promise<readonly SeenFinding[]> {
  const differences = await differencesOf(plainPact(interaction, demand));
  const seen = findings.map((finding): SeenFinding => {
    const same = differences.find((difference) => isSame(difference, finding));
    return same === undefined ? finding : { ...finding, comparatorCode: same.code };
  });
  const others = differences.filter(({ type, code }) => type === 'error' && !Object.hasOwn(MEANINGS, code));
  return [...seen, ...others.map(asFinding)];
}

function isSame(difference: Difference, { kind, side, part, field }: Finding): boolean {
  const meaning = MEANINGS[difference.code];
  if (meaning?.side !== side || !meaning.kinds.includes(kind)) return false;
  // It does not tell a wrong method from a wrong path.
  if (kind === 'unknown-operation') return true;
  if (meaning.part !== part) return false;
  return part === 'status' || fieldOf(difference, part) === field;
}

function fieldOf({ code, message, mockDetails }: Difference, part: ProblemPlace['part']): string | undefined {
  if (code === 'request.authorization.missing') return 'authorization';
  if (code === 'request.body.unknown') return 'content-type';
  const missingOrMore = /required property '(.*)'$|additional properties - (.*)$/.exec(message);
  const named = missingOrMore?.[1] ?? missingOrMore?.[2];
  if (named !== undefined) return named;
  const within = mockDetails?.location.replace(/^\[root\]\.interactions\[0\]\.\w+\.\w+\.?/, '');
  return within === '' ? undefined : part === 'header' ? within?.toLowerCase() : within;
}

function asFinding({ code, message }: Difference): SeenFinding {
  return {
    kind: 'other-difference',
    side: code.startsWith('response') ? 'response' : 'request',
    part: 'whole',
    message: `${message}.`,
    comparatorCode: code,
  };
}

/** A pact of this interaction alone, in the one writing that needs no reading: specification 3, values plain. */
function plainPact(interaction: PactInteraction, demand: StatusDemand): object {
  const { request, response, description } = interaction;
  // Of the statuses that the consumer takes, the one that the document has.
  const status = [200, 400].find((documented) => demand.accepts(documented)) ?? response.status;
  const { query } = request;
  return {
    metadata: { pactSpecification: { version: '3.0.0' } },
    interactions: [
      {
        description,
        request: {
          method: request.method,
          path: request.path.endsWith('/plants') ? '/plants' : request.path,
          ...(typeof query === 'string' && { query }),
          ...(isObject(query) && { query: plainRecord(Object.entries(query)) }),
          ...plainMessage(request),
        },
        response: { status, ...plainMessage(response) },
      },
    ],
  };
}

function plainMessage({ headers, body }: PactMessage): object {
  const wire = wireBody(body);
  const declared = headers.some(([name]) => name.toLowerCase() === 'content-type');
  const type = body?.contentType;
  return {
    headers: plainRecord([
      ...headers,
      ...(!declared && type !== undefined ? [['Content-Type', type] as const] : []),
    ]),
    ...(wire !== undefined && { body: wire.value === undefined ? wire.text : plainValue(wire.value) }),
  };
}

function plainRecord(entries: readonly (readonly [string, JsonValue])[]): Record<string, string[]> {
  const record: Record<string, string[]> = {};
  for (const [name, value] of entries)
    record[name] = [...(record[name] ?? []), ...(Array.isArray(value) ? value : [value]).map(String)];
  return record;
}

function plainValue(value: JsonValue): unknown {
  if (typeof value === 'bigint') return Number(value);
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof JsonNumber) return Number(value.text);
  if (Array.isArray(value)) return value.map(plainValue);
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, plainValue(member)]));
}
