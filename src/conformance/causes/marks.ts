/** A framework, or a gateway before a provider. */
export type Framework =
  | 'Express'
  | 'Fastify'
  | 'Koa'
  | 'Hono'
  | 'NestJS'
  | 'FastAPI'
  | 'Flask (Werkzeug)'
  | 'Django'
  | 'Django REST framework'
  | "Python's http.server"
  | 'Spring Boot'
  | 'Tomcat'
  | "Go's net/http"
  | 'Gin'
  | 'Echo'
  | 'ASP.NET Core'
  | 'Ruby on Rails'
  | 'Prism'
  | 'nginx'
  | 'HAProxy'
  | 'Apache'
  | 'Caddy';

/** They return failures of their own, and leave others as they are. */
export const gateways: ReadonlySet<Framework> = new Set(['nginx', 'HAProxy', 'Apache', 'Caddy']);

/** What a default failure looks like. Everything in it must be so. */
export interface Mark {
  readonly framework: Framework;
  readonly body: RegExp;
  readonly status?: readonly number[];
  readonly headers?: Readonly<Record<string, RegExp>>;
  readonly without?: readonly string[];
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
  // A server of Node that sets the length itself. One such failure may be written by hand.
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
    framework: 'Django REST framework',
    body: /^\{"detail":"(?:Authentication credentials|Invalid token|JSON parse error|Unsupported media)/,
  },
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
  { framework: "Python's http.server", body: /Error code explanation: / },
  { framework: 'Spring Boot', body: /^\{"timestamp":[^,]*,"status":\d{3},"error":"[^"]*".*"path":"/ },
  { framework: 'Spring Boot', body: /Whitelabel Error Page/ },
  { framework: 'Tomcat', body: /<h1>HTTP Status \d{3}/ },
  {
    framework: 'Gin',
    status: [404],
    body: /^404 page not found$/,
    headers: { 'content-type': /^text\/plain$/ },
  },
  { framework: 'Gin', body: /^$/, without: ['content-type', 'server', 'x-powered-by'], isCommon: true },
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
  { framework: 'ASP.NET Core', body: /"type":"https:\/\/tools\.ietf\.org\/html\/rfc\d+#section-/ },
  {
    framework: 'Ruby on Rails',
    body: /<title>(?:Action Controller: Exception caught|The page you were looking for)/,
  },
  { framework: 'Prism', body: /"type":"https:\/\/stoplight\.io\/prism\/errors#/ },
  { framework: 'nginx', body: /<center>(?:nginx|openresty)(?:\/[\d.]+)?<\/center>/ },
  { framework: 'HAProxy', body: /^<html><body><h1>\d{3} [^<]*<\/h1>\n[^<]*\n<\/body><\/html>\n$/ },
  {
    framework: 'Apache',
    body: /^<!DOCTYPE HTML PUBLIC "-\/\/(?:W3C\/\/DTD HTML 4\.01|IETF\/\/DTD HTML 2\.0)\/\/EN"[^>]*>\n<html><head>\n<title>\d{3} /,
  },
  // Caddy's own failures have no body. It adds its name to those of a provider too, but no provider returns these statuses.
  {
    framework: 'Caddy',
    status: [413, 502, 503, 504],
    body: /^$/,
    headers: { server: /^Caddy$/ },
    without: ['content-type', 'via'],
  },
];
