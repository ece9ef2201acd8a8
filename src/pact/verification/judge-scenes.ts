import type { ForwardedExchange } from '../../proxy/message.js';
import { decodeContent } from '../../validation/content-coding.js';
import { parseMediaType } from '../../validation/media-type.js';
import { headerValues } from '../../validation/message.js';
import { validateResponse } from '../../validation/response.js';
import type { Violation } from '../../validation/violation.js';
import type { Pact, PactInteraction } from '../pact-file.js';
import { providerStates } from '../states.js';
import type { Mismatch, NativeInteraction, NativeResult } from './native-result.js';
import type { Scene } from './scenes.js';
import type { VerifiedInteraction } from './verification.js';

/** One interaction with what Pact and the interface say of it, before it is known what may be shown of it. */
export interface JudgedInteraction extends Omit<VerifiedInteraction, 'exchange'> {
  readonly exchange?: ForwardedExchange;
  /** Whether its consumer relies on a creation; where pacts come from a broker, nobody here knows. */
  readonly expectsSuccess: boolean;
}

/** The interactions of a pact, judged. */
export interface Judged {
  readonly where: string;
  readonly consumer: string | undefined;
  readonly interactions: readonly JudgedInteraction[];
  /** What Pact says beside the interactions. */
  readonly errors: readonly string[];
  readonly notices: readonly string[];
}

/** What is known of the verification of one pact. */
export interface Verified {
  readonly where: string;
  /** `undefined` where a broker gave it. */
  readonly pact: Pact | undefined;
  readonly scenes: readonly Scene[];
  readonly result: NativeResult;
  readonly settings: { readonly validate: boolean };
}

/** Brings together what Pact says of each interaction, and what was seen of it on its way. Pure. */
export function judgeScenes({ where, pact, scenes, result, settings }: Verified): Judged {
  const results = result.interactions.map((native, index) => ({ native, scene: scenes[index] }));
  const interactions =
    pact === undefined
      ? results.map(({ native, scene }) => judge(undefined, native, scene, settings.validate))
      : pact.interactions.map((interaction) => {
          // In the order of the file; a filter in the environment leaves some out.
          const isNext = results[0]?.native.description === interaction.description;
          const next = isNext ? results.shift() : undefined;
          return judge(interaction, next?.native, next?.scene, settings.validate);
        });
  return { where, consumer: pact?.consumer, interactions, errors: result.errors, notices: result.notices };
}

function judge(
  interaction: PactInteraction | undefined,
  native: NativeInteraction | undefined,
  scene: Scene | undefined,
  validate: boolean,
): JudgedInteraction {
  const exchange = scene?.exchange;
  const states = interaction?.states.map(({ name }) => name) ?? scene?.states.map(({ name }) => name) ?? [];
  const expectsSuccess = interaction !== undefined && expectsCreation(interaction);
  const base = {
    description: interaction?.description ?? native?.description ?? '',
    ...{ states, expectsSuccess },
    pending: interaction?.pending === true || native?.isPending === true,
    ...(exchange !== undefined && { exchange }),
  };
  const blocked = whyBlocked(native, scene);
  if (blocked !== undefined)
    return { ...base, verdict: 'blocked', mismatches: [], violations: [], reason: blocked };
  const said = native?.mismatches ?? [];
  const mismatches =
    exchange?.failure === undefined
      ? said.filter((mismatch) => !isCaseOfMediaType(mismatch))
      : [{ part: 'request', message: exchange.failure } as const];
  const isOk = native?.isOk === true || (said.length > 0 && mismatches.length === 0);
  const violations = validate && exchange !== undefined ? violationsIn(exchange, states, isOk) : [];
  const hint = hintFor(interaction, scene, isOk);
  return {
    ...base,
    verdict: isOk && violations.length === 0 ? 'pass' : 'fail',
    ...{ mismatches, violations },
    ...(hint !== undefined && { hint }),
  };
}

/** Pact tells `Application/JSON` from `application/json`, which are the same (RFC 9110, section 8.3.1). */
function isCaseOfMediaType({ part, path, expected, actual }: Mismatch): boolean {
  if (part !== 'header' || path?.toLowerCase() !== 'content-type') return false;
  const [wanted, got] = [expected, actual].map((value) => parseMediaType(value ?? ''));
  return wanted !== undefined && wanted.essence === got?.essence;
}

function expectsCreation({ request, response }: PactInteraction): boolean {
  return request.method === 'POST' && request.path.endsWith('/plants') && isSuccess(response.status);
}

/** Why an interaction has not been verified, whatever Pact says of it. */
function whyBlocked(native: NativeInteraction | undefined, scene: Scene | undefined): string | undefined {
  if (scene?.problem !== undefined) return scene.problem;
  if (native === undefined) return 'Pact did not verify it';
  if (scene?.exchange !== undefined) return undefined;
  const [said] = native.mismatches;
  return `no request was sent${said === undefined ? '' : `: ${said.message}`}`;
}

/** What the interface says of an answer to `POST …/plants`, which Pact cannot. */
function violationsIn(
  { request, response }: ForwardedExchange,
  states: readonly string[],
  satisfiesPact: boolean,
): readonly Violation[] {
  const [path = ''] = request.target.split('?');
  if (response === undefined || request.method !== 'POST' || !path.endsWith('/plants')) return [];
  const { status, headers } = response;
  const body = decodeContent(response.body, headerValues(headers, 'content-encoding'), LONGEST_BODY);
  const violations = validateResponse({
    status,
    headers,
    body: typeof body === 'string' ? response.body : body,
  });
  // What a repeated id gets is not shown, nor what other states may mean: there the pact knows better.
  const isOpen = satisfiesPact && states.some((name) => name !== providerStates.noPlantWithId);
  return isOpen ? violations.filter(({ part }) => part !== 'status') : violations;
}

const LONGEST_BODY = 16 * 2 ** 20;

function hintFor(
  interaction: PactInteraction | undefined,
  scene: Scene | undefined,
  isOk: boolean,
): string | undefined {
  const status = scene?.exchange?.response?.status;
  if (isOk || status === undefined || scene?.tokenSwapped !== true) return undefined;
  if (status === 401 || status === 403) return 'The token was refused: is it right?';
  if (!isSuccess(status) || interaction === undefined || interaction.response.status < 400) return undefined;
  return `The pact's token was replaced. If the pact means one that is not valid, its state says so: "${providerStates.tokenIsNotValid}".`;
}

/** Whether a status is a 2xx. */
export function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}
