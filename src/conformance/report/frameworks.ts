import { readFileSync } from 'node:fs';
import { headerValues } from '../../http/fields.js';
import type { Recipe } from '../../report/frame.js';
import { textOf } from '../body.js';
import type { Exchange, ProviderResponse } from '../exchange.js';
import type { Facts } from '../judge/facts.js';
import type { About } from '../rule.js';
import { rules } from '../topics/index.js';

/** They return failures of their own, and leave others as they are. */
const gateways: ReadonlySet<string> = new Set(['nginx', 'HAProxy', 'Apache']);

/** What a default failure looks like. Everything in it must be so. */
interface Mark {
  /** A framework, or a gateway before a provider. */
  readonly framework: string;
  readonly body: RegExp;
  readonly headers?: Readonly<Record<string, RegExp>>;
  /** The names of all headers as received, with commas between them. */
  readonly names?: RegExp;
  /** How many different statuses must look like this. Default 1. */
  readonly statuses?: number;
  /** Other frameworks have such failures too. It counts only if another failure shows this framework. */
  readonly isCommon?: true;
}

const plain = { 'content-type': /^text\/plain; charset=utf-8$/ };
const json = { 'content-type': /^application\/json(?:;|$)/i };
/** The words of a status, as many frameworks return them. */
const REASON =
  /^(?:Bad Request|Unauthorized|Forbidden|Not Found|Method Not Allowed|Conflict|Unsupported Media Type|Unprocessable (?:Entity|Content)|request entity too large|Payload Too Large|Internal Server Error)$/;

/** How the failures of frameworks look by default. The first mark that matches counts. */
export const marks: readonly Mark[] = [
  {
    framework: 'Express',
    body: /^<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>Error<\/title>\n<\/head>\n<body>\n<pre>/,
  },
  // sendStatus() sends the words of the status.
  { framework: 'Express', body: REASON, headers: { ...plain, 'x-powered-by': /^Express$/ } },
  { framework: 'Fastify', body: /^\{"statusCode":\d{3},"code":"FST_\w+","error":"/ },
  {
    framework: 'Fastify',
    body: /^\{"message":"Route [A-Z]+:.* not found","error":"Not Found","statusCode":404\}$/,
  },
  // The words of its validator.
  {
    framework: 'Fastify',
    body: /^\{"statusCode":\d{3},"error":"[^"]*","message":"body[/.]\w+ (?:must|should) /,
  },
  {
    framework: 'Fastify',
    body: /^\{"statusCode":\d{3},(?:"code":"\w+",)?"error":"[^"]*","message":"/,
    isCommon: true,
  },
  { framework: 'NestJS', body: /^\{"message":(?:"|\[).*,"error":"[^"]*","statusCode":\d{3}\}$/ },
  { framework: 'NestJS', body: /^\{"message":"[^"]*","statusCode":\d{3}\}$/ },
  { framework: 'NestJS', body: /^\{"statusCode":\d{3},"message":"[^"]*"\}$/ },
  { framework: 'Hono', body: /^404 Not Found$/, headers: { 'content-type': /^text\/plain; charset=UTF-8$/ } },
  {
    framework: 'Hono',
    body: REASON,
    headers: { 'content-type': /^text\/plain; ?charset=UTF-8$/ },
    isCommon: true,
  },
  // A server of Node that sets the type and then the length itself. One such failure may be written by hand.
  {
    framework: 'Koa',
    body: REASON,
    headers: plain,
    names: /^(?:Allow,)?Content-Type,Content-Length,Date,Connection(?:,Keep-Alive)?$/,
    statuses: 2,
  },
  { framework: 'Koa', body: REASON, headers: plain, isCommon: true },
  {
    framework: 'FastAPI',
    body: /^\{"detail":(?:\[\{"type":"|"(?:Not authenticated|There was an error parsing the body)")/,
  },
  { framework: 'FastAPI', body: /^\{"detail":/, headers: json, isCommon: true },
  { framework: 'FastAPI', body: /^Internal Server Error$/, headers: plain, isCommon: true },
  {
    framework: 'Flask (Werkzeug)',
    body: /^<!doctype html>\n<html lang=en>\n<title>\d{3} [^<]*<\/title>\n<h1>/,
  },
  {
    framework: 'Django',
    body: /^\n<!doctype html>\n<html lang="en">\n<head>\n {2}<title>(?:Not Found|Server Error \(500\)|Bad Request \(400\)|403 Forbidden)<\/title>\n<\/head>\n<body>\n {2}<h1>/,
  },
  { framework: 'Django', body: /<p>\s*You’re seeing this error because you have <code>DEBUG = True<\/code>/ },
  {
    framework: 'Django',
    body: /^$/,
    headers: { 'content-type': /^text\/html; charset=utf-8$/ },
    isCommon: true,
  },
  { framework: 'Spring Boot', body: /^\{"timestamp":[^,]*,"status":\d{3},"error":"[^"]*".*"path":"/ },
  { framework: 'Spring Boot', body: /Whitelabel Error Page/ },
  { framework: 'Gin', body: /^404 page not found$/, headers: { 'content-type': /^text\/plain$/ } },
  { framework: 'Gin', body: /^$/, isCommon: true },
  {
    framework: 'Echo',
    body: /^\{"message":"(?:Not Found|Method Not Allowed|Unsupported Media Type|Unmarshal type error: |Syntax error: |missing key in request header|missing or malformed jwt|invalid key)[^\n]*"\}\n$/,
    headers: json,
  },
  { framework: 'Echo', body: /^\{"message":[^\n]*\}\n$/, headers: json, isCommon: true },
  {
    framework: "Go's net/http",
    body: /^(?:404 page not found|Method Not Allowed)\n$/,
    headers: { ...plain, 'x-content-type-options': /^nosniff$/ },
  },
  {
    framework: "Go's net/http",
    body: /^[^\n]*\n$/,
    headers: { ...plain, 'x-content-type-options': /^nosniff$/ },
    isCommon: true,
  },
  { framework: 'nginx', body: /<center>(?:nginx|openresty)(?:\/[\d.]+)?<\/center>/ },
  { framework: 'HAProxy', body: /^<html><body><h1>\d{3} [^<]*<\/h1>\n[^<]*\n<\/body><\/html>\n$/ },
  {
    framework: 'Apache',
    body: /^<!DOCTYPE HTML PUBLIC "-\/\/(?:W3C\/\/DTD HTML 4\.01|IETF\/\/DTD HTML 2\.0)\/\/EN"[^>]*>\n<html><head>\n<title>\d{3} /,
  },
];

/**
 * The framework or the gateway whose default failure this is. `undefined`: no mark matches. The header of a framework
 * alone shows nothing: the body may be the provider's own.
 *
 * @param framework that of the provider: see {@link frameworkOf}
 */
export function authorOf(response: ProviderResponse, framework: string | undefined): string | undefined {
  const found = marks.filter((mark) => fits(mark, response));
  const isOwn = ({ isCommon, statuses = 1 }: Mark): boolean => isCommon === undefined && statuses === 1;
  return found.find((mark) => isOwn(mark) || mark.framework === framework)?.framework;
}

/** The framework of a provider: its responses have a mark that no other framework has, or a header with its name. */
export function frameworkOf({ everyAttempt }: Facts): string | undefined {
  const responses = everyAttempt.flatMap(({ response }) => (response === undefined ? [] : [response]));
  const statusesThatFit = (mark: Mark): number =>
    new Set(responses.filter((response) => fits(mark, response)).map(({ status }) => status)).size;
  const found = marks.find(
    (mark) =>
      mark.isCommon === undefined &&
      !gateways.has(mark.framework) &&
      statusesThatFit(mark) >= (mark.statuses ?? 1),
  );
  if (found !== undefined) return found.framework;
  // Express names itself, whatever the body is.
  const namesExpress = responses.some(({ headers }) =>
    headerValues(headers, 'x-powered-by').includes('Express'),
  );
  return namesExpress ? 'Express' : undefined;
}

function fits({ body, headers = {}, names }: Mark, response: ProviderResponse): boolean {
  if (response.status < 400) return false;
  if (names !== undefined && !names.test(response.headers.map(([name]) => name).join())) return false;
  const hasHeaders = Object.entries(headers).every(([name, value]) =>
    headerValues(response.headers, name).some((text) => value.test(text)),
  );
  return hasHeaders && body.test(textOf(response, LONGEST));
}

/** The bytes of a body that are looked at: each mark looks again. */
const LONGEST = 20_000;

// A recipe is a fix as code. Each was applied to a provider that had the finding, and the finding was gone.
//
// In the files, `# Express` begins the recipes of a framework, and `## request/body-is-json, inexact ids` the recipe for these
// findings: a paragraph says what the code does and where it belongs, and the code begins with its imports. What every
// application of the framework has, such as `app`, it leaves out. Of two recipes for a finding, the later one counts.
// `# Part: name` defines code that stands wherever a line of code in the file is `<name>`.

/** Where the recipes are. They are read when a report first needs one. */
const FILES = ['javascript', 'nestjs', 'python', 'go', 'java', 'gateways'].map(
  (name) => new URL(`./recipes/${name}.md`, import.meta.url),
);

/** The findings that one mistake causes: those of causes, and of the rules about these things. */
interface Group {
  readonly ids: readonly string[];
  readonly about?: readonly About[];
}

const TYPES: readonly About[] = ['type of name', 'type of id', 'type of tag'];

/** Names for the findings that one mistake causes. */
const GROUPS: Readonly<Record<string, Group>> = {
  // A value of another type is converted to that of the field.
  'converted types': { ids: ['types-are-converted'], about: TYPES },
  // Nobody looks at the body before it is used.
  'unchecked bodies': {
    ids: [
      'types-are-converted',
      'types-are-not-checked',
      'nothing-is-checked',
      'missing-fields-are-accepted',
    ],
    about: [...TYPES, 'tag of null', 'object', 'required fields', 'rejection'],
  },
  // The id is read into a type that does not hold every int64, and only them.
  'inexact ids': { ids: ['id-through-a-double'], about: ['size of ids', 'equal ids'] },
  // The response has more than a Plant.
  'whole records': { ids: ['absent-tag-is-null', 'success/plant-fields-only'] },
};

/** The ids of the findings that a heading names: by a group, or by itself. */
function findingsOf(name: string): readonly string[] {
  const group = GROUPS[name];
  if (group === undefined) return [name];
  const { ids, about = [] } = group;
  const ofRules = rules.filter(
    (rule) => 'about' in rule && rule.about !== undefined && about.includes(rule.about),
  );
  return [...ids, ...ofRules.map(({ id }) => id)];
}

type ByFinding = ReadonlyMap<string, Recipe>;

/**
 * The recipe for a finding, if the framework is known.
 *
 * @param finding the id of the finding: of its cause, or of its rule
 * @param exchange the exchange that fails
 * @param framework that of the provider
 */
export function recipeFor(
  finding: string,
  { response }: Exchange,
  framework: string | undefined,
): Recipe | undefined {
  // A gateway has failures of its own, so a failure itself says first where it comes from.
  const author = response === undefined ? undefined : authorOf(response, framework);
  for (const one of [author, framework]) {
    const found = one === undefined ? undefined : recipes().get(one)?.get(finding);
    if (found !== undefined) return found;
  }
  return undefined;
}

let known: ReadonlyMap<string, ByFinding> | undefined;

/** All recipes. */
export function recipes(): ReadonlyMap<string, ByFinding> {
  known ??= new Map(FILES.flatMap((file) => [...recipesIn(readFileSync(file, 'utf8'))]));
  return known;
}

/** A heading, the paragraph beneath it, and a block of code if there is one. */
const SECTION = /^(#{1,2}) (.+)\n\n(.+)\n(?:\n```(\w+)\n([\s\S]*?)\n```\n)?/gm;

function recipesIn(markdown: string): ReadonlyMap<string, ByFinding> {
  const found = new Map<string, ByFinding>();
  const parts = new Map<string, string>();
  let framework = '';
  let ofFramework = new Map<string, Recipe>();
  for (const [, level, heading = '', text = '', language = '', written = ''] of markdown.matchAll(SECTION)) {
    const code = written.replace(/^<([\w ]+)>$/gm, (line, name: string) => parts.get(name) ?? line);
    if (heading.startsWith('Part: ')) parts.set(heading.slice('Part: '.length), code);
    else if (level === '#') {
      framework = heading;
      ofFramework = new Map();
      found.set(framework, ofFramework);
    } else {
      for (const finding of heading.split(', ').flatMap(findingsOf))
        ofFramework.set(finding, { framework, text, language, code });
    }
  }
  return found;
}
