import { operation } from '../../spec/operation.js';
import { pointerTo } from '../../validation/json-value.js';
import {
  type Exchange,
  isAccepted,
  isOverloaded,
  isRejected,
  isUnprocessed,
  type Judgement,
  responseInWords,
} from '../exchange.js';
import type { Probe } from '../probe.js';
import { type Demand, defineRule } from '../rule.js';

type Shared = 'control' | 'nothingToJudge' | 'judge';
/** A rule without the parts that rules of its kind share. They can be replaced. */
type RuleParts<Id extends string> = Omit<Demand<Id>, Shared> & Partial<Pick<Demand<Id>, Shared>>;

const shared = { nothingToJudge: 'no such request could be sent' };

/** Defines a rule: the provider rejects certain requests. */
export function rejects<const Id extends string>(rule: RuleParts<Id>): Demand<Id> {
  return defineRule({ ...shared, control: 'for-a-pass', judge: judgeRejection, ...rule });
}

/** Defines a rule: the provider accepts certain requests. */
export function accepts<const Id extends string>(rule: RuleParts<Id>): Demand<Id> {
  return defineRule({ ...shared, control: 'for-any-verdict', judge: judgeAcceptance, ...rule });
}

/** Returns a function that defines rules about responses. They need no control. */
export function describes(judges: (probe: Probe) => boolean, nothingToJudge: string) {
  return <const Id extends string>(
    rule: Omit<Demand<Id>, 'judges' | 'control' | 'nothingToJudge'> & { nothingToJudge?: string },
  ): Demand<Id> => defineRule({ nothingToJudge, ...rule, judges, control: 'none' });
}

/**
 * Requires that an invalid request is not accepted. The form of the rejection (a 4xx, and not a 5xx, a redirect, a
 * reset or no response) is the subject of `failure/refusal-is-4xx`.
 */
export function judgeRejection(exchange: Exchange): Judgement {
  if (exchange.expectation !== 'rejected' || isUnprocessed(exchange)) return 'nothing-to-judge';
  if (isOverloaded(exchange)) return { blocked: whyFailed(exchange) };
  return isAccepted(exchange)
    ? { expected: 'a rejection: a 4xx with an Error', actual: responseInWords(exchange) }
    : undefined;
}

/**
 * Requires that a valid creation is not rejected. Which 2xx it gets is the subject of `success/status-is-200`, and whether
 * the provider fails that of `success/valid-plant-is-processed`.
 */
export function judgeAcceptance(exchange: Exchange): Judgement {
  if (exchange.expectation !== 'created' || isUnprocessed(exchange)) return 'nothing-to-judge';
  if (isAccepted(exchange)) return undefined;
  return isRejected(exchange)
    ? { expected: '200', actual: responseInWords(exchange) }
    : { blocked: whyFailed(exchange) };
}

/** Why an exchange proves nothing: the provider neither accepted nor rejected the request. */
function whyFailed({ response, failure }: Exchange): string {
  return response === undefined
    ? `there was no response: ${failure?.message}`
    : `the response is ${response.status}`;
}

/** A heading of the interface document. */
export const RESOURCES = 'Resources and their fields';

/** Where the operation and its parts are in the OpenAPI document, as JSON pointers. */
export const OPERATION = pointerTo(['paths', operation.path, operation.method.toLowerCase()]);
export const REQUEST_BODY = `${OPERATION}/requestBody`;
export const REQUEST_JSON = `${REQUEST_BODY}/content/application~1json`;
export const RESPONSES = `${OPERATION}/responses`;
export const RESPONSE_200 = `${RESPONSES}/200`;
export const RESPONSE_400 = `${RESPONSES}/400`;

/** Where the schemas are in the OpenAPI document. NEW_PLANT is the part that it adds to PLANT. */
export const PLANT = '/components/schemas/Plant';
export const NEW_PLANT = '/components/schemas/NewPlant/allOf/1';
export const ERROR = '/components/schemas/Error';
export const BEARER = '/components/securitySchemes/bearerAuth';
