import type { Behaviour } from '../../report/profile.js';
import { type Exchange, failureBodies, isRejected } from '../exchange.js';
import type { Facts } from '../judge/facts.js';
import type { Probe, RequestRow, Row } from '../probe.js';
import { PLAIN_PLANT, PROPER_HEADERS } from '../row.js';
import {
  type Demand,
  judgeAcceptance,
  judgeRejection,
  type Observation,
  type RuleId,
  type Source,
} from '../rule.js';
import { isLikeDuplicate } from './duplicates.js';

/** Where the interface leaves something open, and in which words. */
export interface Gap {
  readonly source: Source;
  readonly why: string;
  /** What the request has that is the same in every check, so that the provider may have it already. */
  readonly fixed?: 'id' | 'name';
}

/** A response that is recorded and not judged. */
export interface Observed {
  /** The id of the rule that records it, without `unspecified/`. */
  readonly id: string;
  /** What is sent, as the subject of a sentence. */
  readonly subject: string;
  readonly gap: Gap;
  /** The step of its request. Default: the last one. */
  readonly step?: number;
}

/** What is sent for a rule. It may name further rules that it is sent for, in `rules`. */
export interface SentRow extends Row {
  /** Its response is also recorded. */
  readonly observed?: Observed;
}

/** A rule, and what is sent for it: the most telling rows first. */
export interface OwnRule extends Demand {
  readonly rows: readonly SentRow[];
  /** More rows of its kind, for which a check has no time. Exploring draws from them. */
  readonly drawn?: readonly Row[];
}

/** A question about what a provider does, and what is sent for it alone. */
export interface OwnObservation extends Observation {
  readonly rows?: readonly SentRow[];
}

/** Everything about one thing: its rules with what is sent for them, and what is recorded. */
export interface Topic {
  /** What shows whether the other rows prove anything, such as a plain plant. It is sent for no rule. */
  readonly controls?: readonly SentRow[];
  readonly rules?: readonly OwnRule[];
  /** What is sent only to record the responses. */
  readonly open?: readonly SentRow[];
  readonly observations?: readonly OwnObservation[];
}

/** What a rule of its kind need not say. */
type Shared = 'control' | 'nothingToJudge' | 'judge';
type Parts = Omit<OwnRule, Shared> & Partial<Pick<OwnRule, Shared>>;

const shared = { nothingToJudge: 'no such request could be sent' };

/** A rule: the provider rejects certain requests. */
export function rejects(rule: Parts): OwnRule {
  return { ...shared, control: 'for-a-pass', judge: judgeRejection, ...rule };
}

/** A rule: the provider accepts certain requests. */
export function accepts(rule: Parts): OwnRule {
  return { ...shared, control: 'for-any-verdict', judge: judgeAcceptance, ...rule };
}

/** Returns a function that defines rules about responses. They need no control, and judge whatever is sent for other rules. */
export function describes(judges: (probe: Probe) => boolean, nothingToJudge: string) {
  return (rule: Omit<Parts, 'judge' | 'rows'> & Pick<OwnRule, 'judge'> & Partial<OwnRule>): OwnRule => ({
    ...{ nothingToJudge, rows: [], judges, control: 'none' },
    ...rule,
  });
}

/** The rows of a topic. Each names the rules that it is sent for. */
export function rowsOf({ controls = [], rules = [], open = [], observations = [] }: Topic): readonly Row[] {
  const owners: readonly { readonly id?: RuleId; readonly rows?: readonly SentRow[] }[] = [
    { rows: controls },
    ...rules,
    { rows: open },
    ...observations,
  ];
  return merged(owners.flatMap(({ id, rows = [] }) => rows.map((row) => forRule(id, row))));
}

function forRule(id: RuleId | undefined, { observed, rules = [], ...row }: SentRow): Row {
  const recorded = observed === undefined ? [] : [`unspecified/${observed.id}`];
  return { ...row, rules: [...(id === undefined ? [] : [id]), ...rules, ...recorded] };
}

/** Each row once, although several rules own it: it is sent for all of them. */
export function merged(rows: readonly Row[]): readonly Row[] {
  const byName = new Map<string, Row>();
  for (const row of rows) {
    const known = byName.get(row.name)?.rules ?? [];
    byName.set(row.name, { ...row, ...(row.rules && { rules: [...new Set([...known, ...row.rules])] }) });
  }
  return [...byName.values()];
}

/** The rows that only exploring sends: a list for each rule that has some. */
export function drawnOf({ rules = [] }: Topic): readonly (readonly Row[])[] {
  return rules.flatMap(({ id, drawn }) =>
    drawn === undefined ? [] : [drawn.map((row) => ({ ...row, rules: [id] }))],
  );
}

/** The questions of a topic: those of its rows, and its own. */
export function observationsOf({
  controls = [],
  rules = [],
  open = [],
  observations = [],
}: Topic): readonly Observation[] {
  const rows = [...controls, ...rules.flatMap((rule) => rule.rows), ...open];
  const recorded = rows.flatMap(({ observed }) => observed ?? []);
  return [...recorded.map(recording), ...observations];
}

/** A request that the interface neither allows nor forbids. It is sent with the invalid ones. */
export function observed(
  name: string,
  title: string,
  subject: string,
  gap: Gap,
  request: Partial<RequestRow>,
): SentRow {
  return {
    ...{ name, title, expectation: 'open', phase: 'invalid' },
    observed: { id: name, subject, gap },
    requests: [{ body: PLAIN_PLANT, ...request }],
  };
}

const DUPLICATES = { id: 'repeated-id', name: 'repeated-name' } as const;

/** The rule that records a response. */
export function recording({ id, subject, gap, step = -1 }: Observed): OwnObservation {
  const { fixed, ...source } = gap;
  return {
    id: `unspecified/${id}`,
    level: 'unspecified',
    title: `What does ${withinSentence(subject)} return?`,
    ...source,
    ...(fixed !== undefined && { dependsOn: [DUPLICATES[fixed]] }),
    observe(exchanges, facts) {
      const exchange = exchanges.at(step);
      if (exchange === undefined) return undefined;
      const { response, failure } = exchange;
      if (response !== undefined)
        return {
          sentence: `${subject} returns ${response.status}.`,
          value: String(response.status),
          ...errorOf(exchange),
          ...(fixed !== undefined && mayExist(exchange, facts, fixed) && { caveat: caveatOf(fixed) }),
        };
      const value = failure?.kind ?? 'no-response';
      return { sentence: `${subject} gets no response (${failure?.message ?? value}).`, value };
    },
  };
}

/** Whether a provider rejects a request as it rejects a duplicate. */
export function mayExist(exchange: Exchange, facts: Facts, fixed: 'id' | 'name'): boolean {
  return isRejected(exchange) && isLikeDuplicate(exchange, facts, DUPLICATES[fixed]);
}

function caveatOf(fixed: 'id' | 'name'): string {
  return `The ${fixed} may exist from an earlier check: the response is like that to a duplicate ${fixed}.`;
}

function errorOf(exchange: Exchange): Pick<Behaviour, 'error'> {
  const [body] = failureBodies([exchange]);
  return Number.isSafeInteger(body?.error) ? { error: body?.error as number } : {};
}

/** Begins with a small letter, unless it begins with a name such as GET. */
function withinSentence(subject: string): string {
  return /^[A-Z][a-z]*\b/.test(subject) ? subject.charAt(0).toLowerCase() + subject.slice(1) : subject;
}

/**
 * The rows of a table: one a line, with two spaces or more between its columns.
 *
 * @throws Error if a line has another number of columns
 */
export function table(text: string, columns: number): readonly (readonly string[])[] {
  const rows = text
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/ {2,}/));
  const wrong = rows.find(({ length }) => length !== columns);
  if (wrong !== undefined) throw new Error(`not ${columns} columns: ${wrong.join(' | ')}`);
  return rows;
}

/** The header fields of a request. */
export type HeaderFields = NonNullable<RequestRow['headers']>;

/**
 * Header fields: `Name: value` in each line. Several names before one colon have the same value.
 *
 * @throws Error if a line has no colon
 */
export function fieldsIn(text: string): HeaderFields {
  return text
    .trim()
    .split('\n')
    .flatMap((line) => {
      const [, names, value = ''] = /^\s*([^:]*): *(.*)$/.exec(line) ?? [];
      if (names === undefined) throw new Error(`not a header field: ${line}`);
      return names.split(' ').map((name) => [name, value] as const);
    });
}

/** The media type of the interface. */
export const [, JSON_TYPE] = PROPER_HEADERS;
