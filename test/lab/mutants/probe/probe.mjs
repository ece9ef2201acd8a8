// The probe sends a thousand requests to a provider and to its mutant, and compares the responses.
import { readFileSync } from 'node:fs';
import { Agent, request as httpRequest } from 'node:http';
import { digestOf } from '../providers.mjs';
import { violationOf } from './judge.mjs';
import { probeRequests } from './requests.mjs';

const TIMEOUT_MS = 2_000;
/** A provider that hangs or has died is probed no further. */
const MOST_LOST = 12;
const MOST_EXAMPLES = 4;
/** In bytes: providers may answer a larger body before its end. */
const LARGE = 65_536;
/** What differs from response to response. */
const CHANGING = new Set(['date']);

/**
 * @typedef {{ status: number, headers: string[], type: string, body: string } | { lost: string }} Response
 */

/** Another probe gives other results. */
export const PROBE_VERSION = digestOf(
  ...['probe.mjs', 'judge.mjs', 'requests.mjs', 'values.mjs'].map((name) =>
    readFileSync(new URL(name, import.meta.url), 'utf8'),
  ),
);

/**
 * Sends all requests, one after the other, and at the end some plain ones at once.
 *
 * @param {string} url
 * @param {string} token
 * @returns {Promise<Response[]>} in their order; shorter if the provider is gone
 */
export async function probed(url, token) {
  const requests = probeRequests(token);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const responses = [];
  for (const request of requests.filter(({ together }) => !together)) {
    const response = await sent(url, request, agent);
    responses.push(response);
    if (responses.filter(({ lost }) => lost !== undefined).length === MOST_LOST) return responses;
  }
  agent.destroy();
  const crowd = requests.filter(({ together }) => together);
  return responses.concat(await Promise.all(crowd.map((request) => sentOnce(url, request, false))));
}

async function sent(url, request, agent) {
  const response = await sentOnce(url, request, agent);
  // A connection that was closed while it was idle says nothing.
  return response.isIdle ? sentOnce(url, request, agent) : response;
}

function sentOnce(url, { method, path, headers, body, chunked }, agent) {
  const { host } = new URL(url);
  const length = body.length === 0 && method !== 'POST' ? [] : ['Content-Length', String(body.length)];
  const framing = chunked ? ['Transfer-Encoding', 'chunked'] : length;
  const fields = ['Host', host, 'Connection', 'keep-alive', ...headers.flat(), ...framing];
  return new Promise((resolve) => {
    const request = httpRequest(url, { method, path, headers: fields, agent, timeout: TIMEOUT_MS });
    const lose = (cause) =>
      resolve({
        lost: cause.code ?? cause.message,
        isIdle: request.reusedSocket && cause.code === 'ECONNRESET',
      });
    request.once('timeout', () => request.destroy(new Error('no response in time')));
    request.once('error', lose);
    request.once('response', async (response) => {
      try {
        const chunks = [];
        for await (const chunk of response) chunks.push(chunk);
        resolve({
          status: response.statusCode,
          headers: fieldsOf(response.rawHeaders),
          type: response.headers['content-type'] ?? '',
          body: Buffer.concat(chunks).toString('latin1'),
        });
      } catch (cause) {
        lose(cause);
      }
    });
    if (chunked)
      for (const part of [body.subarray(0, 7), body.subarray(7)]) request.write(part.length > 0 ? part : '');
    request.end(chunked ? undefined : body);
  });
}

function fieldsOf(raw) {
  return raw.flatMap((name, at) =>
    at % 2 === 1 || CHANGING.has(name.toLowerCase()) ? [] : [`${name.toLowerCase()}: ${raw[at + 1]}`],
  );
}

/**
 * What a mutant does in another way.
 *
 * @param {Response[][]} right several runs of the provider: what differs among them says nothing
 * @param {Response[]} mutant
 * @param {string} token
 */
export function compared([right, ...again], mutant, token) {
  const differences = probeRequests(token)
    .slice(0, mutant.length)
    .map((request, at) => ({
      request,
      right: right[at],
      mutant: mutant[at],
      others: again.map((run) => run[at]),
    }))
    .filter(({ right, others }) => others.every((other) => partsThatDiffer(right, other).length === 0))
    .map((pair) => ({ ...pair, parts: partsThatDiffer(pair.right, pair.mutant) }))
    .filter(({ request, parts }) => parts.length > 0 && !isLostBeyondLimit(request, parts))
    .map((pair) => ({ ...pair, violation: violationOf(pair.request, pair.mutant) }));
  const violations = differences.filter(({ violation }) => violation !== undefined);
  return {
    sent: mutant.length,
    differences: differences.length,
    parts: [...new Set(differences.flatMap(({ parts }) => parts))].sort(),
    violations: violations.length,
    examples: examplesOf([...violations, ...differences.filter(({ violation }) => violation === undefined)]),
  };
}

/** Those that differ in another way come first. */
function examplesOf(differences) {
  const seen = new Map();
  const turns = differences.map((pair) => {
    const way = [pair.request.kind, pair.right.status, pair.mutant.status, pair.violation].join();
    seen.set(way, (seen.get(way) ?? 0) + 1);
    return { pair, turn: seen.get(way) };
  });
  return turns
    .toSorted((a, b) => a.turn - b.turn)
    .slice(0, MOST_EXAMPLES)
    .map(({ pair: { request, right, mutant, violation } }) => ({
      request: `${request.kind}: ${request.title}`.slice(0, 200),
      right: shown(right),
      mutant: shown(mutant),
      ...(violation === undefined ? {} : { violation }),
    }));
}

/** Whether a response before the end of a large body arrives is a matter of chance. */
function isLostBeyondLimit({ body }, parts) {
  return body.length > LARGE && parts[0] === 'lost';
}

function partsThatDiffer(one, other) {
  if (one.lost !== undefined || other.lost !== undefined) return one.lost === other.lost ? [] : ['lost'];
  return [
    ...(one.status === other.status ? [] : ['status']),
    ...(one.headers.join('\n') === other.headers.join('\n') ? [] : ['header']),
    ...(one.body === other.body ? [] : ['body']),
  ];
}

function shown({ lost, status, type, body }) {
  return lost === undefined
    ? `${status} ${type} ${Buffer.from(body, 'latin1')}`.slice(0, 160)
    : `no response: ${lost}`;
}
