import { type Fields, headerValues, secretsOf } from '../../http/fields.js';
import { isOperation } from '../../spec/operation.js';
import { parseBearer } from '../../validation/bearer.js';
import { nothingToJudge, type Source } from '../source.js';
import {
  type Loss,
  type MessageKind,
  type StoredMessage,
  type StoredMessages,
  shownUrl,
} from '../stored-message.js';
import { requestBody, responseBody } from './body.js';
import { type HarValue, readLog } from './log.js';

/** An entry that is a creation. */
interface Creation {
  readonly entry: HarValue;
  readonly url: string;
}

/**
 * The requests or the responses of every `POST …/plants` in a HAR. Of other entries, only the method and the URL are
 * read.
 *
 * @throws ToolkitError `invalid-message` if it cannot be read, `no-message` if there is no such entry
 */
export function harMessages(source: Source, kind: MessageKind): StoredMessages {
  const log = readLog(source);
  const entries = log.member('entries').elements();
  const creations = entries.flatMap(creationIn);
  if (creations.length === 0) throw nothingToJudge(source, noCreationIn(entries.length));
  const isSanitized = kind === 'request' && isFromChrome(log) && !entries.some(hasSensitiveFields);
  return {
    messages: messagesOf(creations, kind, isSanitized),
    secrets: [...new Set(creations.flatMap(({ entry }) => secretsOf(anyFields(entry.member('request')))))],
  };
}

function creationIn(entry: HarValue): Creation[] {
  const request = entry.member('request');
  const url = request.member('url').text();
  return isOperation(request.member('method').text(), url) ? [{ entry, url }] : [];
}

/** One after the other: all bodies at once would take much memory. */
function* messagesOf(
  creations: readonly Creation[],
  kind: MessageKind,
  isSanitized: boolean,
): Iterable<StoredMessage> {
  for (const creation of creations)
    yield kind === 'response' ? responseOf(creation) : requestOf(creation, isSanitized);
}

function hasSensitiveFields(entry: HarValue): boolean {
  return ['request', 'response'].some((side) =>
    anyFields(entry.member(side)).some(([name]) => SENSITIVE.has(name.toLowerCase())),
  );
}

function noCreationIn(entries: number): string {
  if (entries === 0) return 'is a HAR file without entries';
  return `is a HAR file with ${entries === 1 ? '1 entry' : `${entries} entries`}, but none is a POST …/plants`;
}

/** The headers that Chrome leaves out of a HAR by default. The HAR does not say so. */
const SENSITIVE = new Set(['authorization', 'cookie', 'set-cookie']);

function isFromChrome(log: HarValue): boolean {
  try {
    return log.member('creator').member('name').optionalText() === 'WebInspector';
  } catch {
    return false;
  }
}

/** @param isSanitized whether Chrome may have left out headers */
function requestOf({ entry, url }: Creation, isSanitized: boolean): StoredMessage {
  const request = entry.member('request');
  const headers = fieldsOf(request);
  const { body, losses } = requestBody(request, headers);
  return {
    title: `POST ${shownUrl(url)}`,
    place: { pointer: request.pointer },
    message: { kind: 'request', method: 'POST', url, headers, body },
    losses: [...losses, ...authorizationLosses(headers, isSanitized)],
    notes: [],
  };
}

/** What tools write instead of a token. */
const PLACEHOLDER = /redact|sanitis|sanitiz|removed|hidden|filtered|scrubbed|\*{3}|…|•|\$[A-Z_]{4}/i;

function authorizationLosses(headers: Fields, isSanitized: boolean): Loss[] {
  const values = headerValues(headers, 'authorization');
  const loss = (why: string): Loss[] => [{ part: 'header', pointer: '/authorization', why }];
  if (isSanitized && values.length === 0)
    return loss('Chrome leaves the Authorization header out, unless it exports "with sensitive data"');
  const isReplaced = values.some((value) => PLACEHOLDER.test(value) && !parseBearer(value.trim()).ok);
  return isReplaced ? loss('the HAR file has a placeholder for the value of Authorization') : [];
}

function responseOf({ entry, url }: Creation): StoredMessage {
  const response = entry.member('response');
  const status = response.member('status').number();
  const place = { pointer: response.pointer };
  // Browsers write 0 if the request was aborted, blocked by CORS, or never got a response.
  if (status <= 0) {
    const message = { kind: 'response', status, headers: [] } as const;
    const title = `no response to POST ${shownUrl(url)}`;
    return { title, place, message, losses: [], notes: [], leftOut: 'there is no response' };
  }
  const headers = fieldsOf(response);
  const { body, losses } = responseBody(response, headers);
  const message = { kind: 'response', status, headers, body } as const;
  return { title: `${status} to POST ${shownUrl(url)}`, place, message, losses, notes: [] };
}

/** The header fields of a message. Browsers write several fields of one name as lines of one value. */
function fieldsOf(message: HarValue): Fields {
  return message
    .member('headers')
    .elements()
    .flatMap((field) => {
      const name = field.member('name').text();
      const lines = field.member('value').text().split('\n');
      return lines.map((value) => [name, value] as const);
    });
}

/** The header fields of a message; none if they are malformed. */
function anyFields(message: HarValue): Fields {
  try {
    return fieldsOf(message);
  } catch {
    return [];
  }
}
