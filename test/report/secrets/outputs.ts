import { createPlantClient } from 'plant-store-contract/client';
import { checkConformance } from 'plant-store-contract/conformance';
import { type Report, reporters } from 'plant-store-contract/reporters';
import { validateResponse } from 'plant-store-contract/validation';
import { exchangeLines, failedLine, requestLog } from '../../../src/cli/request-log.js';
import type { ForwardedExchange } from '../../../src/http/exchange.js';
import { verifySettings } from '../../../src/pact/verification/options.js';
import { verifyReport } from '../../../src/pact/verification/report.js';
import { judgeMessages } from '../../../src/proxy/messages/judge.js';
import { proxySettings } from '../../../src/proxy/options.js';
import { reportOf } from '../../../src/proxy/report.js';
import { TrafficCounts } from '../../../src/proxy/traffic-counts.js';
import { Redactor } from '../../../src/report/redaction.js';
import { Engine } from '../../../src/server/engine.js';
import { settingsFrom } from '../../../src/server/options.js';
import { storeOf } from '../../../src/server/plant-store.js';
import { judgeExchange, redactedJudgement } from '../../../src/validation/exchange.js';
import type { Spelling } from './spellings.js';

export const token = 'Tk/9+aZ_b-4q7Xw==';

/** @param size of a group: a body is quoted up to a length, and has 10 violations at most */
export function groupsOf<T>(all: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, at) =>
    all.slice(at * size, (at + 1) * size),
  );
}

/** As in JSON. A spelling may be escaped already, as some servers put it together. */
const quoted = ({ text }: Spelling): string =>
  text.startsWith('"') ? text : `"${text.replace(/(?<!\\)"/g, '\\"')}"`;

const HEADERS = [
  ['Authorization', `Bearer ${token}`],
  ['Content-Type', 'application/json'],
] as const;

/** A percent sign stays: what is encoded twice is not promised to be hidden. */
export const inTarget = (text: string): string => encodeURI(text).replaceAll('%25', '%');

/** What a client sends, with a group of spellings wherever it can have some. */
function requestWith(group: readonly Spelling[], id: number) {
  const texts = group.map(({ text }) => text);
  return {
    method: 'POST',
    target: `/${inTarget(texts[0] ?? '')}/plants?${texts.map((text) => `token=${inTarget(text)}`).join('&')}`,
    headers: [...HEADERS, ...texts.map((text) => ['X-Sent', text] as const)],
    body: `{"name":"Aloe","id":${id % 2 === 0 ? id : quoted(group[0] as Spelling)},${membersOf(group)}}`,
  };
}

/** What a provider sends back: a plant, an error, or what is no JSON, in turn. */
function responseWith(group: readonly Spelling[], at: number) {
  const texts = group.map(({ text }) => text);
  const headers = [['Content-Type', 'application/json'], ...texts.map((text) => ['X-Seen', text])] as [
    string,
    string,
  ][];
  if (at % 3 === 0) return { status: 200, reason: '', headers, body: `{"name":"Aloe",${membersOf(group)}}` };
  if (at % 3 === 1) {
    const message = group.map((one) => quoted(one).slice(1, -1)).join(' ');
    return { status: 400, reason: texts[0] ?? '', headers, body: `{"error":1,"message":"${message}"}` };
  }
  return { status: 500, reason: '', headers, body: `no such token: ${texts.join(' ')}` };
}

const membersOf = (group: readonly Spelling[]): string =>
  group.map((one) => `${quoted(one)}:${quoted(one)}`).join();

function exchangeWith(group: readonly Spelling[], at: number): ForwardedExchange {
  const whole = <T extends { readonly body: string }>(message: T) => {
    const body = Buffer.from(message.body);
    return { ...message, body, bodyLength: body.length, trailers: [], complete: true };
  };
  return { request: whole(requestWith(group, at)), response: whole(responseWith(group, at)), durationMs: 1 };
}

/** A report in every format. */
function formatsOf(report: Report): Record<string, string> {
  return Object.fromEntries(
    Object.entries(reporters).map(([format, reporter]) => [format, reporter(report)]),
  );
}

/** Texts that could show a token, by their names. */
export type Outputs = Readonly<Record<string, string>>;

/** A provider that sends a group of spellings back with each response. */
function echo(groups: readonly Spelling[][]): () => Response {
  let count = 0;
  return () => {
    const { status, headers, body } = responseWith(groups[count % groups.length] ?? [], count++);
    return new Response(body, { status, headers });
  };
}

/** Everything that this package writes about exchanges with these spellings of the token, without a socket. */
export const OUTPUTS: Readonly<Record<string, (groups: readonly Spelling[][]) => Promise<Outputs>>> = {
  async check(groups) {
    // A few rules send some forty requests.
    const spellings = groups.flat();
    const fetch = echo(groupsOf(spellings, Math.ceil(spellings.length / 40)));
    const how = { baseUrl: 'http://store', fetch, token, prism: false, only: ['request'] };
    const report = await checkConformance(how);
    if (report.exchanges.length < 40) throw new Error(`only ${report.exchanges.length} exchanges`);
    return formatsOf(report);
  },

  async verify(groups) {
    const settings = await verifySettings({ baseUrl: 'http://store', token });
    const interactions = groups.map((group, index) => {
      const exchange = exchangeWith(group, index);
      const { status, headers, body } = responseWith(group, index);
      const message = `Expected a Plant, got ${body}`;
      return {
        ...({
          index,
          description: `creation ${index}`,
          states: [],
          verdict: 'fail',
          pending: false,
        } as const),
        mismatches: [{ part: 'body', path: '$', expected: '{}', actual: body, message } as const],
        violations: validateResponse({ status, headers, body }),
        exchange,
      };
    });
    const pact = { source: { where: 'a.json', text: '{}' }, consumer: 'garden', interactions, errors: [] };
    const seen = { judged: [pact], untestable: undefined, leftOut: [], published: undefined };
    return formatsOf(verifyReport({ ...seen, startedAt: new Date() }, settings));
  },

  async proxy(groups) {
    let lines = '';
    const secrets = new Redactor();
    // A report lists 200 kinds of violations.
    const reports = groupsOf(groups.map(exchangeWith), 20).map((exchanges) => {
      const counts = new TrafficCounts();
      for (const [index, exchange] of exchanges.entries()) {
        secrets.see(exchange.request.headers);
        const judged = { exchange, ...redactedJudgement(judgeExchange(exchange), secrets.message) };
        counts.add(judged, index);
        lines += exchangeLines(judged, secrets, false);
        const reason = `no response: ${exchange.response?.reason}`;
        lines += failedLine({ request: exchange.request, reason }, secrets, false);
      }
      return formatsOf(
        reportOf(proxySettings({ upstream: 'http://store', failOn: 'both' }), counts, secrets, new Date()),
      );
    });
    const all = Object.keys(reporters).map((format) => [
      format,
      reports.map((report) => report[format]).join('\n'),
    ]);
    return { ...Object.fromEntries(all), lines };
  },

  async validate(groups) {
    const entries = groups.map(exchangeWith).map(({ request, response }) => {
      const headersOf = (fields: ForwardedExchange['request']['headers']) =>
        fields.map(([name, value]) => ({ name, value }));
      return {
        request: {
          ...{ method: 'POST', url: `http://store${request.target}`, headers: headersOf(request.headers) },
          postData: { mimeType: 'application/json', text: String(request.body) },
        },
        response: {
          ...{ status: response?.status, headers: headersOf(response?.headers ?? []) },
          content: { text: String(response?.body) },
        },
      };
    });
    const har = Buffer.from(JSON.stringify({ log: { entries } }));
    const [requests, responses] = (['request', 'response'] as const).map((kind) =>
      formatsOf(judgeMessages(har, { file: 'a.har', kind })),
    );
    return {
      ...Object.fromEntries(
        Object.entries(requests ?? {}).map(([format, text]) => [`${format} of requests`, text]),
      ),
      ...responses,
    };
  },

  async serve(groups) {
    const written = { text: '', json: '' };
    const forms = ['text', 'json'] as const;
    const logs = forms.map((form) => requestLog(form, { write: (text) => (written[form] += text) }));
    const settings = settingsFrom({ token, receivedRequests: 1_000 });
    const engine = new Engine(settings);
    engine.events.on('received', (received) => logs.forEach((log) => void log(received)));
    const store = storeOf(engine, settings);
    for (const [id, group] of groups.entries()) {
      const { method, target, headers, body } = requestWith(group, id);
      const fields = headers.map(([name, value]): [string, string] => [name, value]);
      await store.fetch(new Request(`http://store${target}`, { method, headers: fields, body }));
    }
    const received = store
      .received()
      .map(({ body, ...record }) => JSON.stringify(record) + Buffer.from(body));
    return { ...written, received: received.join('\n') };
  },

  async client(groups) {
    const errors: unknown[] = [];
    for (const spelling of groups.flat()) {
      const { status, headers, body } = responseWith([spelling], 1);
      const fetch = async (): Promise<Response> => new Response(body, { status, headers });
      const client = createPlantClient({ baseUrl: 'http://store', token, fetch });
      await client.createPlant({ name: 'Aloe', id: 7 }).catch((error) => errors.push(error));
    }
    return { errors: errors.map((error) => JSON.stringify(error) + String(error)).join('\n') };
  },
};
