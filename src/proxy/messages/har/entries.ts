import { type Fields, headerValues, secretsOf } from '../../../http/fields.js';
import { isOperation } from '../../../spec/operation.js';
import { parseBearer } from '../../../validation/bearer.js';
import { nothingToJudge, type Source } from '../source.js';
import {
  type MessageKind,
  type MissingPart,
  type StoredMessage,
  shownUrl,
  storedMistake,
} from '../stored-message.js';
import type { ReadAttached } from './attached.js';
import { requestBody, responseBody } from './body.js';
import { type HarNode, readLog } from './log.js';

/**
 * Reads the requests or the responses of every `POST …/plants` in a HAR. Of other entries, only the method and the URL
 * are read.
 *
 * @param attached reads the files with bodies
 * @param take is given each message as it is read
 * @returns the secrets in them
 * @throws ToolkitError `invalid-message` if it cannot be read, `no-message` if there is no such entry
 */
export function readHar(
  source: Source,
  kind: MessageKind,
  attached: ReadAttached,
  take: (message: StoredMessage) => void,
): string[] {
  const isSanitized = kind === 'request' && isSanitizedByChrome(source);
  const secrets = new Set<string>();
  let [entries, creations, keepsTokens] = [0, 0, false];
  readLog(source, (entry) => {
    entries++;
    const request = entry.member('request');
    const url = request.member('url').text();
    if (!isOperation(request.member('method').text(), url)) return;
    creations++;
    const fields = anyFields(request);
    for (const secret of secretsOf(fields)) secrets.add(secret);
    take(
      kind === 'response'
        ? responseOf(entry, url, attached, keepsTokens)
        : requestOf(entry, url, attached, isSanitized),
    );
    keepsTokens ||= headerValues(fields, 'authorization').length > 0;
  });
  if (creations === 0) throw nothingToJudge(source, noCreationIn(entries));
  return [...secrets];
}

function noCreationIn(entries: number): string {
  if (entries === 0) return 'is a HAR file without entries';
  return `is a HAR file with ${entries === 1 ? '1 entry' : `${entries} entries`}, but none is a POST …/plants`;
}

/** The headers that Chrome leaves out of a HAR by default. The HAR does not say so. */
const SENSITIVE = new Set(['authorization', 'cookie', 'set-cookie']);

/** Whether Chrome may have left out headers: its name may come after the entries. */
function isSanitizedByChrome(source: Source): boolean {
  let hasSensitiveFields = false;
  const log = readLog(source, (entry) => {
    hasSensitiveFields ||= ['request', 'response'].some((side) =>
      anyFields(entry.member(side)).some(([name]) => SENSITIVE.has(name.toLowerCase())),
    );
  });
  return isFromChrome(log) && !hasSensitiveFields;
}

function isFromChrome(log: HarNode): boolean {
  try {
    return log.member('creator').member('name').optionalText() === 'WebInspector';
  } catch {
    return false;
  }
}

/** @param isSanitized whether Chrome may have left out headers */
function requestOf(entry: HarNode, url: string, attached: ReadAttached, isSanitized: boolean): StoredMessage {
  const request = entry.member('request');
  const headers = fieldsOf(request);
  const { body, missing } = requestBody(request, headers, attached);
  return {
    title: `POST ${shownUrl(url)}`,
    place: { pointer: request.pointer },
    message: { kind: 'request', method: 'POST', url, headers, body },
    missing: [...missing, ...missingAuthorization(headers, isSanitized)],
    notes: [],
  };
}

/** What tools write instead of a token. */
const PLACEHOLDER = /redact|sanitis|sanitiz|removed|hidden|filtered|scrubbed|\*{3}|…|•|\$[A-Z_]{4}/i;

function missingAuthorization(headers: Fields, isSanitized: boolean): MissingPart[] {
  const values = headerValues(headers, 'authorization');
  const part = (why: string): MissingPart[] => [{ part: 'header', pointer: '/authorization', why }];
  if (isSanitized && values.length === 0)
    return part('Chrome leaves the Authorization header out, unless it exports "with sensitive data"');
  const isReplaced = values.some((value) => PLACEHOLDER.test(value) && !parseBearer(value.trim()).ok);
  return isReplaced ? part('the HAR file has a placeholder for the value of Authorization') : [];
}

/** @param keepsTokens whether there is a token in a request before it */
function responseOf(
  entry: HarNode,
  url: string,
  attached: ReadAttached,
  keepsTokens: boolean,
): StoredMessage {
  const response = entry.member('response');
  const status = response.member('status').number();
  const place = { pointer: response.pointer };
  // Browsers write 0 if the request was aborted, blocked by CORS, or never got a response.
  if (status <= 0) {
    const message = { kind: 'response', status, headers: [] } as const;
    const title = `no response to POST ${shownUrl(url)}`;
    return { title, place, message, missing: [], notes: [], leftOut: 'there is no response' };
  }
  const headers = fieldsOf(response);
  const { body, missing } = responseBody(response, headers, attached);
  const message = { kind: 'response', status, headers, body } as const;
  // Only a success accepts a request. To read it takes time.
  const mistake = status < 300 ? mistakeBefore(entry, attached, keepsTokens) : undefined;
  return { title: `${status} to POST ${shownUrl(url)}`, place, message, missing, notes: [], mistake };
}

/** Why the request of a response must be rejected; nothing if it cannot be read, since only the response is judged. */
function mistakeBefore(
  entry: HarNode,
  attached: ReadAttached,
  keepsTokens: boolean,
): StoredMessage['mistake'] {
  try {
    const request = entry.member('request');
    const headers = fieldsOf(request);
    const { body, missing } = requestBody(request, headers, attached);
    return storedMistake({ headers, body }, missing, keepsTokens);
  } catch {
    return undefined;
  }
}

/** The header fields of a message. Browsers write several fields of one name as lines of one value. */
function fieldsOf(message: HarNode): Fields {
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
function anyFields(message: HarNode): Fields {
  try {
    return fieldsOf(message);
  } catch {
    return [];
  }
}
