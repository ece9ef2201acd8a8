import type { Fields } from '../../conformance/exchange.js';
import { secretsOf } from '../../header-fields.js';
import type { JsonValue } from '../../validation/json-value.js';
import { isCreation, shownUrl } from '../creation.js';
import { nothingToJudge, type Source } from '../source.js';
import type { MessageKind, StoredMessage, StoredMessages } from '../stored-message.js';
import { authorizationLosses, isSanitized } from './authorization.js';
import { requestBody, responseBody } from './body.js';
import { Fragment } from './fragment.js';

/** An entry that is a creation. */
interface Creation {
  readonly index: number;
  readonly entry: Fragment;
  readonly url: string;
}

/**
 * The requests or the responses of every `POST …/plants` in a HAR (versions 1.1 and 1.2). Nothing is asked of
 * other entries but their method and URL.
 *
 * @param root the whole document
 * @throws ToolkitError `invalid-message` where it is no HAR, `no-message` where there is no such entry
 */
export function harMessages(source: Source, kind: MessageKind, root: JsonValue): StoredMessages {
  const log = new Fragment(source, '', root).member('log');
  const entries = log.member('entries').elements();
  const creations = entries.flatMap((entry, index): Creation[] => {
    const request = entry.member('request');
    const url = request.member('url').text();
    return isCreation(request.member('method').text(), url) ? [{ index, entry, url }] : [];
  });
  if (creations.length === 0)
    throw nothingToJudge(
      source,
      entries.length === 0
        ? 'is a HAR without entries'
        : `is a HAR of ${entries.length === 1 ? '1 entry' : `${entries.length} entries`}, and none is a POST …/plants`,
    );
  const secrets = creations.flatMap(({ entry }) => secretsOf(anyFields(entry.member('request'))));
  if (kind === 'response') return { messages: creations.map(responseOf), secrets };
  const everyField = entries.flatMap((entry) => [
    ...anyFields(entry.member('request')),
    ...anyFields(entry.member('response')),
  ]);
  const sanitized = isSanitized(anyText(log.member('creator').member('name')), everyField);
  return { messages: creations.map((creation) => requestOf(creation, sanitized)), secrets };
}

function requestOf({ index, entry, url }: Creation, sanitized: boolean): StoredMessage {
  const request = entry.member('request');
  const headers = fieldsOf(request);
  const { body, losses } = requestBody(request, headers);
  return {
    title: `POST ${shownUrl(url)}`,
    place: { entry: index, pointer: request.pointer },
    message: { kind: 'request', method: 'POST', url, headers, body },
    losses: [...losses, ...authorizationLosses(headers, sanitized)],
    notes: [],
  };
}

function responseOf({ index, entry, url }: Creation): StoredMessage {
  const response = entry.member('response');
  const status = response.member('status').number();
  const place = { entry: index, pointer: response.pointer };
  // What a browser writes of a request that was aborted, refused by CORS or never answered.
  if (status <= 0) {
    const message = { kind: 'response', status, headers: [] } as const;
    const title = `no answer to POST ${shownUrl(url)}`;
    return { title, place, message, losses: [], notes: [], leftOut: 'no response came' };
  }
  const headers = fieldsOf(response);
  const { body, losses } = responseBody(response, headers);
  return {
    title: `${status} to POST ${shownUrl(url)}`,
    place,
    message: { kind: 'response', status, headers, body },
    losses,
    notes: [],
  };
}

/** The header fields of a message. Browsers write several of one name as lines of one value. */
function fieldsOf(message: Fragment): Fields {
  return message
    .member('headers')
    .elements()
    .flatMap((field) => {
      const name = field.member('name').text();
      const lines = field.member('value').text().split('\n');
      return lines.map((value) => [name, value] as const);
    });
}

/** The same, where it does not matter whether all of it is as it should be. */
function anyFields(message: Fragment): Fields {
  try {
    return fieldsOf(message);
  } catch {
    return [];
  }
}

function anyText(fragment: Fragment): string | undefined {
  try {
    return fragment.optionalText();
  } catch {
    return undefined;
  }
}
