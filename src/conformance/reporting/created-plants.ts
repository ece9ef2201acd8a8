import { counted } from '../../output/wording.js';
import type { Section } from '../../report/frame.js';
import { type Exchange, isAccepted, type NoResponse } from '../exchange.js';

/** An exchange, whatever it was sent for. */
export type Sent = Omit<Exchange, 'probe'>;

/** The ids of the plants that a check has created, and of those that it may have created. */
export function idsOf(exchanges: readonly Sent[]): {
  readonly createdIds: readonly string[];
  readonly uncertainIds: readonly string[];
} {
  const createdIds = new Set(exchanges.filter(isAccepted).flatMap(sentId));
  const uncertain = new Set(exchanges.filter(mayBeCreated).flatMap(sentId));
  return { createdIds: [...createdIds], uncertainIds: [...uncertain].filter((id) => !createdIds.has(id)) };
}

/** Whether a plant may have been created although no response says so. */
function mayBeCreated({ expectation, request, response, failure }: Sent): boolean {
  if (expectation === 'rejected' || request.elsewhere !== undefined) return false;
  return (response?.status ?? 0) >= 500 || (failure !== undefined && wasSent(failure));
}

/** Whether a request without a response was sent. */
export function wasSent({ kind }: NoResponse): boolean {
  return !['not-sent', 'not-connected', 'proxy', 'unreachable', 'tls'].includes(kind);
}

/** The id of an accepted request, as its body has it. */
function sentId({ request }: Sent): string[] {
  if (request.plant !== undefined) return [String(request.plant.id)];
  const written = /"id"\s*:\s*"?(-?[\d.eE+]+)/.exec(Buffer.from(request.body).toString())?.[1];
  const id = written ?? request.id;
  return id === undefined ? [] : [String(id)];
}

/** The ids, for reference. */
export function createdSection(ids: readonly string[], uncertain: readonly string[]): Section[] {
  const maybe: Section[] =
    uncertain.length === 0
      ? []
      : [
          {
            title: 'Plants that may have been created',
            text: `The response to ${counted(uncertain.length, 'creation')} is missing or a 5xx, so the provider may have these plants. The ids:`,
            items: [uncertain.join(', ')],
            isReference: true,
          },
        ];
  if (ids.length === 0) return maybe;
  const text = `${counted(ids.length, 'plant')} ${ids.length === 1 ? 'was' : 'were'} created and ${ids.length === 1 ? 'is' : 'are'} now in the provider. The ids:`;
  return [{ title: 'Created plants', text, items: [ids.join(', ')], isReference: true }, ...maybe];
}
