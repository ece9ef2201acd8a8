import { decodedBody, type ProviderResponse } from '../exchange.js';

/** A pattern in the body of a failure. */
interface Mark {
  readonly framework: string;
  readonly body: RegExp;
}

/** How the failures of frameworks look by default. The first mark that matches counts. */
const MARKS: readonly Mark[] = [
  {
    framework: 'Express',
    body: /<pre>(?:Cannot (?:GET|POST)|\w*Error:|Bad Request|Unauthorized|Unsupported)/,
  },
  { framework: 'Fastify', body: /^\{"statusCode":\d{3},(?:"code":"FST_\w+",)?"error":"/ },
  {
    framework: 'Fastify',
    body: /^\{"message":"Route [A-Z]+:.* not found","error":"Not Found","statusCode":404\}$/,
  },
  { framework: 'NestJS', body: /^\{"message":.*,"error":"[^"]*","statusCode":\d{3}\}$/ },
  { framework: 'Spring Boot', body: /"timestamp":.*"status":\d{3},"error":"[^"]*".*"path":"/ },
  { framework: 'Spring Boot', body: /Whitelabel Error Page/ },
  { framework: 'ASP.NET Core', body: /"type":"https:\/\/tools\.ietf\.org\/html\/rfc\d+#section-/ },
  {
    framework: 'FastAPI',
    body: /^\{"detail":(?:\[\{"type":"|"(?:Not authenticated|There was an error parsing the body)")/,
  },
  {
    framework: 'Django REST framework',
    body: /^\{"detail":"(?:Authentication credentials|Invalid token|JSON parse error|Unsupported media)/,
  },
  { framework: 'Flask (Werkzeug)', body: /<!doctype html>\s*<html lang=(?:")?en(?:")?>\s*<title>\d{3} / },
  { framework: "Python's http.server", body: /Error code explanation: / },
  {
    framework: 'Ruby on Rails',
    body: /<title>(?:Action Controller: Exception caught|The page you were looking for)/,
  },
  { framework: 'nginx', body: /<center>nginx(?:\/[\d.]+)?<\/center>/ },
  { framework: 'Tomcat', body: /<h1>HTTP Status \d{3}/ },
  { framework: 'Prism', body: /"type":"https:\/\/stoplight\.io\/prism\/errors#/ },
];

/** The framework whose default body a failure has. `undefined`: no mark matches. Headers alone show nothing about a body. */
export function frameworkOfBody(response: ProviderResponse): string | undefined {
  const bytes = decodedBody(response);
  const text = typeof bytes === 'string' ? '' : Buffer.from(bytes).toString('latin1', 0, 20_000);
  return MARKS.find(({ body }) => body.test(text))?.framework;
}
