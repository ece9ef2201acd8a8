import { definedOnly } from '../defined-only.js';
import { headerValues } from '../http/fields.js';
import { HOUSE_LEVEL } from '../report/conclusion.js';
import { excerpt } from '../report/exchange.js';
import type { Impact } from '../report/frame.js';
import type { Behaviour } from '../report/profile.js';
import { capitalised, listed } from '../report/wording.js';
import { operation } from '../spec/operation.js';
import { pointerTo } from '../validation/json-value.js';
import type { Severity } from '../validation/violation.js';
import {
  type Exchange,
  failureBodies,
  isAccepted,
  isOverloaded,
  isRejected,
  isUnprocessed,
  type Judgement,
  type Problem,
  responseInWords,
} from './exchange.js';
import type { Facts } from './judge/facts.js';
import {
  type HouseId,
  isHouseProbe,
  PLAIN_PLANT,
  PROPER_HEADERS,
  type Probe,
  type RequestRow,
  type Row,
} from './row.js';

/**
 * What the interface says about a rule. `documented`: it says it. `implied`: it follows from what it says.
 * `unspecified`: it says "not shown", so a provider may behave as it likes.
 */
export type Level = 'documented' | 'implied' | 'unspecified';

/** The levels, from the most to the least explicit. */
export const levels: readonly Level[] = ['documented', 'implied', 'unspecified'];

/** Where the interface says it: `openapi.yaml#/components/schemas/Plant`. The package has this file in `spec`. */
export function placeOf({ source }: { readonly source: string }): string {
  return `openapi.yaml#${source}`;
}

/** The id of a rule: `topic/requirement`. */
export type RuleId = `${string}/${string}`;

/** What every rule has, whoever demands it. */
export interface RuleBase<Id extends RuleId> {
  /** `topic/requirement`. It never changes. */
  readonly id: Id;
  /** The requirement as a sentence. For the level `unspecified`, the question that the profile answers. */
  readonly title: string;
  /** Why it is required. For the level `implied`, why no reading of the interface allows the contrary. */
  readonly why: string;
  /** What is sent for it: the most telling rows first. */
  readonly rows?: readonly { readonly name: string }[];
  /** What it judges besides what is sent for it. Default: nothing. */
  readonly judges?: (probe: Probe) => boolean;
  /** Other probes whose exchanges it looks at. It does not judge them. */
  readonly dependsOn?: readonly string[];
}

/** What a rule may look at besides the exchange that it judges. */
export interface Context {
  readonly probe: Probe;
  /** The exchanges of the same attempt of the probe, with this one, in the order of its requests. */
  readonly sequence: readonly Exchange[];
  readonly facts: Facts;
}

/** What rules are about, as far as `report/causes.ts` knows mistakes that break several rules of this kind. */
export type About =
  | 'plant'
  | 'object'
  | 'required fields'
  | 'type of name'
  | 'type of id'
  | 'type of tag'
  | 'tag of null'
  | 'size of ids'
  | 'equal ids'
  | 'rejection'
  | 'media type'
  | 'body'
  | 'state';

/** An exchange that breaks a rule. */
export interface Broken extends Problem {
  readonly exchange: Exchange;
}

/** How a rule that demands something judges exchanges, and what it means if one breaks it. */
export interface Judging {
  readonly severity: Severity;
  /** Who is hurt if it is broken. */
  readonly hurts: Impact;
  /** What happened if it is broken, as a sentence: what a reader must know if there is room for nothing else. */
  readonly fact: string | ((broken: Broken, facts: Facts) => string);
  /**
   * Whether clients break it by everyday mistakes, such as a missing field. A request that breaks it then gets a 4xx, and a 5xx or
   * no response is an error. Default false.
   */
  readonly everyday?: true;
  /**
   * What depends on the controls of its probes. `for-a-pass`: if the control is not accepted, a rejection proves
   * nothing. `for-any-verdict`: then a failure proves nothing either.
   */
  readonly control: 'none' | 'for-a-pass' | 'for-any-verdict';
  /** Why the verdict is `blocked` if no exchange had anything to judge. A clause without a full stop. */
  readonly nothingToJudge: string;
  /**
   * Whether it judges requests that got no response: as long as the provider responds to others, or also after the
   * provider stopped. Other rules that the request was sent for are blocked.
   */
  readonly onNoResponse?: 'judge' | 'judge-even-after-stop';
  /** Whether it also judges the exchanges of a probe that was then sent again. Default false. */
  readonly everyAttempt?: boolean;
  /** Judges one exchange. It is pure and never throws. */
  judge(exchange: Exchange, context: Context): Judgement;
}

/** Where the interface leaves something open, and what it does not show. */
export interface Gap {
  /** JSON pointer into the OpenAPI document. */
  readonly source: string;
  readonly why: string;
}

/** A response that is recorded and not judged. */
export interface Observed {
  readonly gap: Gap;
  /** The id of the rule that records it, without `unspecified/`. Default: the name of its row. */
  readonly id?: string;
  /** What is sent, as the subject of a sentence. Default: the title of its row. */
  readonly subject?: string;
  /** The step of its request. Default: the last one. */
  readonly step?: number;
}

/** What is sent for a rule. It may name further rules that it is sent for, in `rules`. */
export interface SentRow extends Row {
  /** Its response is also recorded. */
  readonly observed?: Observed;
}

/** A rule that the interface demands. */
export interface Demand extends RuleBase<RuleId>, Judging {
  readonly level: 'documented' | 'implied';
  /** Where the interface says it: a JSON pointer into the OpenAPI document. */
  readonly source: string;
  readonly rows: readonly SentRow[];
  /** How it is usually broken. A sentence. */
  readonly usualCause: string;
  /** How to fix that. A sentence in the imperative. */
  readonly fix: string;
  readonly about?: About;
}

/** A rule that the user of a check demands, ready to judge. See {@link HouseRule}. */
export interface HouseDemand extends RuleBase<HouseId>, Judging {
  readonly level: typeof HOUSE_LEVEL;
  readonly usualCause?: string;
  readonly fix?: string;
}

/** A rule of the level `unspecified`. It demands nothing: it records what a provider does. */
export interface Observation extends RuleBase<RuleId> {
  readonly level: 'unspecified';
  /** What it leaves open: a JSON pointer into the OpenAPI document. */
  readonly source: string;
  readonly rows?: readonly SentRow[];
  /** Says what the exchanges of its probes show. `undefined`: they show nothing. */
  observe(exchanges: readonly Exchange[], facts: Facts): Behaviour | undefined;
}

/** One thing that the interface demands, or leaves open. */
export type Rule = Demand | Observation;

/** A rule that demands something: of the interface, or of the user. */
export type AnyDemand = Demand | HouseDemand;

/** A rule of the interface, or of the user. */
export type AnyRule = Rule | HouseDemand;

/** The first part of a rule's id. Reports group rules by it. */
export function topicOf({ id }: { readonly id: string }): string {
  return id.slice(0, id.indexOf('/'));
}

/** Whether a probe is sent for a rule. */
export function isSentFor({ id }: AnyRule, { rules }: Probe): boolean {
  return rules?.some((rule) => rule === id) === true;
}

/** Whether a rule judges the exchanges of a probe. What the user's own probes show says nothing about the interface. */
export function concerns(rule: AnyRule, probe: Probe): boolean {
  if (isHouseProbe(probe.name) && rule.level !== HOUSE_LEVEL) return false;
  return isSentFor(rule, probe) || rule.judges?.(probe) === true;
}

/**
 * Requires that an invalid request is not accepted. The form of the rejection (a 4xx, and not a 5xx, a redirect, a
 * reset or no response) is the subject of `failure/refusal-is-4xx`.
 */
export function judgeRejection(exchange: Exchange): Judgement {
  if (exchange.expectation !== 'rejected' || isUnprocessed(exchange)) return 'nothing-to-judge';
  if (isOverloaded(exchange)) return { blocked: whyFailed(exchange) };
  return isAccepted(exchange)
    ? { expected: 'a rejection: a 4xx with an Error', actual: responseInWords(exchange) }
    : undefined;
}

/**
 * Requires that a valid creation is not rejected. Which 2xx it gets is the subject of `success/status-is-200`, and whether
 * the provider fails that of `success/valid-plant-is-processed`.
 */
export function judgeAcceptance(exchange: Exchange): Judgement {
  if (exchange.expectation !== 'created' || isUnprocessed(exchange)) return 'nothing-to-judge';
  if (isAccepted(exchange)) return undefined;
  return isRejected(exchange)
    ? { expected: '200', actual: responseInWords(exchange) }
    : { blocked: whyFailed(exchange) };
}

/** Why an exchange proves nothing: the provider neither accepted nor rejected the request. */
function whyFailed({ response, failure }: Exchange): string {
  return response === undefined
    ? `there was no response: ${failure?.message}`
    : `the response is ${response.status}`;
}

/** Everything about one thing: its rules with what is sent for them, and what is recorded. */
export interface Topic {
  /** What shows whether the other rows prove anything, such as a plain plant. It is sent for no rule. */
  readonly controls?: readonly SentRow[];
  readonly rules?: readonly Demand[];
  /** What is sent only to record the responses. */
  readonly open?: readonly SentRow[];
  readonly observations?: readonly Observation[];
  /** How often exploring draws one of its rows, beside those of other topics. Default 3. */
  readonly drawn?: number;
}

/** A rule without what it need not say. */
type Without<Keys extends keyof Demand> = Omit<Demand, Keys> & Partial<Pick<Demand, Keys>>;

/** What a rule is unless it says otherwise. */
const USUAL = { level: 'documented', severity: 'error' } as const;
const NOTHING_SENT = 'no such request could be sent';

/** What a rule about single requests need not say. */
type OfRequests = Without<'level' | 'severity' | 'hurts' | 'fact' | 'control' | 'nothingToJudge' | 'judge'>;

/**
 * A rule: the provider rejects certain requests. It is `documented`, and an error, unless it says otherwise. Its fact is the title of
 * the row that fails, with what the provider did: `A plant whose name is 7 is accepted.`
 */
export function rejects(rule: OfRequests): Demand {
  return {
    ...USUAL,
    hurts: 'input',
    fact: factOfRequest,
    control: 'for-a-pass',
    nothingToJudge: NOTHING_SENT,
    judge: judgeRejection,
    ...rule,
  };
}

/**
 * A rule: the provider accepts certain requests. It is `documented`, and an error, unless it says otherwise. Its fact is the title of
 * the row that fails, with what the provider did: `A plain plant without a tag returns 400 instead of 200.`
 */
export function accepts(rule: OfRequests): Demand {
  return {
    ...USUAL,
    hurts: 'clients',
    fact: factOfRequest,
    control: 'for-any-verdict',
    nothingToJudge: NOTHING_SENT,
    judge: judgeAcceptance,
    ...rule,
  };
}

/** A rule that judges responses in its own way, without a control. It is `documented`, and an error, unless it says otherwise. */
export function demands(rule: Without<'level' | 'severity' | 'control'>): Demand {
  return { ...USUAL, control: 'none', ...rule };
}

/** Returns a function that defines rules about responses: they judge whatever is sent for other rules. */
export function describes(
  judges: (probe: Probe) => boolean,
  usual: Pick<Demand, 'hurts' | 'nothingToJudge'>,
): (rule: Without<'level' | 'severity' | 'hurts' | 'control' | 'nothingToJudge' | 'rows'>) => Demand {
  return (rule) => demands({ judges, rows: [], ...usual, ...rule });
}

/** The fact of a rule about single requests: `A plain plant without an Authorization header is accepted.` */
export function factOfRequest({ exchange }: Broken, facts: Facts): string {
  const title = capitalised(facts.titleOf(exchange));
  const sent = facts.attemptOf(exchange).length === 1 ? title : `${title}: one of them`;
  if (exchange.expectation !== 'rejected') return `${sent} ${endInWords(exchange)} instead of 200.`;
  return isAccepted(exchange) ? `${sent} is accepted.` : `${sent} ${endInWords(exchange)} instead of a 4xx.`;
}

/** The fact of a rule about the media type of responses. */
export function factOfMediaType({ exchange: { response } }: Broken): string {
  const types =
    response === undefined ? [] : headerValues(response.headers, 'content-type').map((type) => excerpt(type));
  const [type] = types;
  if (response?.received === 0) return `A ${response.status} has no body.`;
  if (type === undefined) return `A ${response?.status} has a body without a Content-Type.`;
  if (types.length > 1)
    return `A ${response?.status} has ${types.length} Content-Type fields: ${listed(types)}.`;
  return `The media type of a ${response?.status} is ${type} instead of application/json.`;
}

/** How an exchange ends, as the end of a sentence: `returns 500`. */
export function endInWords({ response, failure }: Exchange): string {
  if (response !== undefined) return `returns ${response.status}`;
  return failure?.kind === 'timeout' ? 'gets no response in time' : 'gets no response';
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
  const recorded = observed === undefined ? [] : [`unspecified/${observed.id ?? row.name}`];
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

/** The questions of a topic: those of its rows, and its own. */
export function observationsOf({
  controls = [],
  rules = [],
  open = [],
  observations = [],
}: Topic): readonly Observation[] {
  const rows = [...controls, ...rules.flatMap((rule) => rule.rows), ...open];
  const recorded = rows.flatMap(({ name, title, observed }) =>
    observed === undefined ? [] : [recording({ id: name, subject: capitalised(title), ...observed })],
  );
  return [...recorded, ...observations];
}

/** Makes a row with one request of each line of a table: of its name, its title, and its body. */
export function rowsLike(
  row: Omit<SentRow, 'name' | 'title' | 'requests'>,
): (text: string) => readonly SentRow[] {
  return (text) =>
    table(text, 3).map(([name = '', title = '', body = '']) => ({
      ...row,
      name,
      title,
      requests: [{ body }],
    }));
}

/** Rows that a provider must accept, one for each line of a table. */
export const created = rowsLike({ expectation: 'created' });
/** Rows that a provider must reject. */
export const rejected = rowsLike({ expectation: 'rejected' });

/** Rows that the interface neither allows nor forbids, and whose responses are recorded. They are sent with the invalid ones. */
export function observed(gap: Gap): (text: string) => readonly SentRow[] {
  return rowsLike({ expectation: 'open', phase: 'invalid', observed: { gap } });
}

/** A plain plant in a request about which the interface says nothing. */
export function observedRequest(
  gap: Gap,
  name: string,
  title: string,
  request: Partial<RequestRow>,
): SentRow {
  return {
    name,
    title,
    expectation: 'open',
    phase: 'invalid',
    observed: { gap },
    requests: [{ body: PLAIN_PLANT, ...request }],
  };
}

/** The rule that records a response. */
export function recording({
  id,
  subject,
  gap,
  step = -1,
}: Observed & Required<Pick<Observed, 'id' | 'subject'>>): Observation {
  return {
    id: `unspecified/${id}`,
    level: 'unspecified',
    title: `What does ${withinSentence(subject)} return?`,
    ...gap,
    observe(exchanges) {
      const exchange = exchanges.at(step);
      if (exchange === undefined) return undefined;
      const { response, failure } = exchange;
      if (response !== undefined)
        return {
          sentence: `${subject} returns ${response.status}.`,
          value: String(response.status),
          ...errorOf(exchange),
        };
      const value = failure?.kind ?? 'no-response';
      return { sentence: `${subject} gets no response (${failure?.message ?? value}).`, value };
    },
  };
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

/** One field of each name, the last one. Two of them would make another request. */
export function distinct(fields: HeaderFields): HeaderFields {
  return [...new Map(fields.map((field) => [field[0].toLowerCase(), field])).values()];
}

/** A request as a text: its name and its title in the first line, and then its query, its body, and header fields. */
export function requestIn(text: string): {
  readonly name: string;
  readonly title: string;
  readonly fields: HeaderFields;
  readonly parts: Pick<Partial<RequestRow>, 'query' | 'body'>;
} {
  const [head = '', ...lines] = text.trim().split(/\n */);
  const [name = '', title = ''] = head.split(': ');
  const query = lines.find((line) => line.startsWith('?'));
  const body = lines.find((line) => line.startsWith('{'));
  const fields = lines.filter((line) => line !== query && line !== body).flatMap(fieldsIn);
  return { name, title, fields, parts: definedOnly({ query, body }) };
}

/** The media type of the interface. */
export const [, JSON_TYPE] = PROPER_HEADERS;

/** Where the operation and its parts are in the OpenAPI document, as JSON pointers. */
const OPERATION = pointerTo(['paths', operation.path, operation.method.toLowerCase()]);
export const REQUEST_BODY = `${OPERATION}/requestBody`;
export const REQUEST_JSON = `${REQUEST_BODY}/content/application~1json`;
export const RESPONSES = `${OPERATION}/responses`;
export const RESPONSE_200 = `${RESPONSES}/200`;
export const RESPONSE_400 = `${RESPONSES}/400`;

/** Where the schemas are in the OpenAPI document. NEW_PLANT is the part that it adds to PLANT. */
export const PLANT = '/components/schemas/Plant';
export const NEW_PLANT = '/components/schemas/NewPlant/allOf/1';
export const ERROR = '/components/schemas/Error';
export const BEARER = '/components/securitySchemes/bearerAuth';

/** When a request fails, and how. */
export const FAILURES: Gap = {
  source: ERROR,
  why: 'The conditions that produce a 400, and any other error statuses, are not shown.',
};

/** Which plants a provider rejects although they are valid. */
export const CONSTRAINTS: Gap = {
  source: '/components/schemas/NewPlant',
  why: 'Further constraints on name, tag and id (length, allowed characters, ranges, uniqueness) are not shown.',
};

/** Where parsers of JSON differ. */
export const JSON_PARSERS: Gap = {
  source: `${REQUEST_BODY}/content`,
  why: 'The body is JSON. JSON parsers differ here, and RFC 8259 allows them to.',
};
