import { isSuccess, type JudgedInteraction, type JudgedPact } from './judge.js';

/** What shows whether a provider can be tested. */
export interface Evidence {
  readonly judged: readonly JudgedPact[];
  /** Whether the provider has accepted a plant that a state or a control needed. */
  readonly hasCreated: boolean;
  /** Why a control was not accepted, if one was sent. */
  readonly rejectedControl: string | undefined;
}

/** The verdicts on all pacts, if there are any. */
export interface Testability {
  readonly judged: readonly JudgedPact[];
  /** Why the provider could not be tested. Then no interaction has a verdict. */
  readonly untestable: string | undefined;
}

/** Whether nothing was accepted. Then nothing shows whether the token is right. */
export function needsControl(judged: readonly JudgedPact[]): boolean {
  const responses = judged
    .flatMap(({ interactions }) => interactions)
    .flatMap(({ exchange }) => exchange?.response ?? []);
  return responses.length > 0 && !responses.some(({ status }) => isSuccess(status));
}

/** Takes the verdicts back if the provider could not be tested. */
export function testabilityOf({ judged, hasCreated, rejectedControl }: Evidence): Testability {
  const untestable = hasCreated
    ? undefined
    : (whyNotTestable(judged.flatMap(({ interactions }) => interactions)) ?? controlInWords(rejectedControl));
  return { untestable, judged: untestable === undefined ? judged : judged.map(unjudged) };
}

/** If the provider cannot be tested, no interaction has a verdict. */
function unjudged({ interactions, ...pact }: JudgedPact): JudgedPact {
  return {
    ...pact,
    interactions: interactions.map(({ hint: _hint, ...interaction }) => ({
      ...interaction,
      verdict: 'blocked',
      violations: [],
      reason: 'the provider could not be tested',
    })),
  };
}

/**
 * Why the provider cannot be judged: it does not respond, or it rejects every creation that a consumer expects, so that
 * its rejections prove nothing.
 */
function whyNotTestable(interactions: readonly JudgedInteraction[]): string | undefined {
  const sent = interactions.flatMap((one) =>
    one.exchange === undefined ? [] : [{ ...one, exchange: one.exchange }],
  );
  const [first] = sent;
  if (first !== undefined && sent.every(({ exchange }) => exchange.response === undefined))
    return first.exchange.failure;
  const creations = sent.filter(({ expectsCreation }) => expectsCreation);
  const [creation] = creations;
  const isJudged = (status = 0): boolean => isSuccess(status) || status >= 500;
  if (creation === undefined || creations.some(({ exchange }) => isJudged(exchange.response?.status)))
    return undefined;
  const { response, failure } = creation.exchange;
  const how = response === undefined ? failure : `got the status ${response.status}`;
  return `it accepted no creation that a pact expects; "${creation.description}" ${how}`;
}

function controlInWords(why: string | undefined): string | undefined {
  return (
    why && `no pact expects a creation, and a control was not accepted, so rejections prove nothing: ${why}`
  );
}
