import { excerpt } from '../../report/exchange.js';
import type { Section } from '../../report/frame.js';
import { capitalised, listed } from '../../report/wording.js';
import { quoted } from '../../validation/violation.js';
import { jsonOf, membersOf, textOf } from '../body.js';
import { type Exchange, isAccepted, isRejected, isThrottled, plantIn } from '../exchange.js';
import { isLikeDuplicate, OF_IDS } from '../judge/duplicates.js';
import type { Facts } from '../judge/facts.js';
import { isAfterWrongTokens } from '../row.js';

/** At most so many facts are listed: a reader has the problems first. */
const MOST = 5;
/** How much of a body is shown. */
const SHOWN = 60;

/**
 * What surprises clients, although the interface allows it: what they may reasonably send and the provider rejects, and what it does with
 * a duplicate. It is never a failure. Each has what was sent and what came back.
 */
export function worthKnowing(facts: Facts): readonly Section[] {
  const all = [...duplicates(facts), ...rejections(facts)];
  return all.length === 0 ? [] : [{ title: 'Worth knowing', items: all.slice(0, MOST) }];
}

/** What is rejected in the same words is one fact. */
function rejections(facts: Facts): readonly string[] {
  const alike = new Map<string, [Rejected, ...Rejected[]]>();
  for (const { name, reasonable, phase } of facts.probes.values()) {
    const exchange = facts.of(name).at(-1);
    if (reasonable === undefined || exchange === undefined || isAfterWrongTokens(phase)) continue;
    if (!isRejected(exchange) || isThrottled(exchange)) continue;
    // The id may exist already.
    if (exchange.request.idMayExist === true && isLikeDuplicate(exchange, facts)) continue;
    const rejected = { what: reasonable, exchange };
    const key = `${/^(?:a|the) (?:name|tag)/.exec(reasonable)?.[0] ?? 'id'}: ${answerIn(exchange)}`;
    const known = alike.get(key);
    if (known === undefined) alike.set(key, [rejected]);
    else known.push(rejected);
  }
  return Array.from(alike.values(), (all) => {
    const [{ exchange }] = all;
    const what = capitalised(listed(all.map((one) => one.what)));
    return `${what} ${all.length === 1 ? 'is' : 'are'} rejected: ${sentAndReceived(exchange)}.`;
  });
}

/** What a client may reasonably send, and the exchange in which it was rejected. */
interface Rejected {
  readonly what: string;
  readonly exchange: Exchange;
}

/** Another plant with an id that exists may replace the first one, or be lost. */
function duplicates(facts: Facts): readonly string[] {
  const [first, , another] = facts.of(OF_IDS.once);
  if (first === undefined || another === undefined || !isAccepted(first) || !isAccepted(another)) return [];
  const isOld = plantIn(another)?.name === first.request.plant?.name;
  const then = isOld ? 'the first one' : 'its own name, and may replace the first one';
  return [
    `A duplicate id is accepted: another plant with the id of the first one gets ${another.response?.status} with ${then}.`,
  ];
}

function sentAndReceived(exchange: Exchange): string {
  const body = excerpt(Buffer.from(exchange.request.body).toString(), SHOWN);
  return `${body} gets ${exchange.response?.status} ${answerIn(exchange)}`.trimEnd();
}

/** The message of a rejection, or the beginning of its body. */
function answerIn({ response }: Exchange): string {
  if (response === undefined) return '';
  const message = membersOf(jsonOf(response))?.message;
  return typeof message === 'string' ? quoted(message) : excerpt(textOf(response), SHOWN);
}
