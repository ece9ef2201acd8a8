import { headerValues } from '../../http/fields.js';
import { JsonNumber, type JsonObject, type JsonValue, objectOf } from '../../validation/json-value.js';
import type { PactInteraction } from '../pact-file.js';
import { providerStates } from '../states.js';

/** Whether a state says that the token of a request is not valid: see {@link providerStates}. */
export function saysTokenIsInvalid(interaction: PactInteraction, authorization: string): boolean {
  const params = paramsOf(interaction, providerStates.tokenIsNotValid);
  if (params === undefined) return false;
  const { token } = params;
  if (typeof token !== 'string' || interaction.request.generated.has('header', 'authorization')) return true;
  return authorization.endsWith(token);
}

/** Whether a state says that a plant with the id of a request exists: see {@link providerStates}. */
export function saysIdExists(interaction: PactInteraction): boolean {
  const params = paramsOf(interaction, providerStates.plantWithIdExists);
  if (params === undefined) return false;
  const existing = digitsOf(params.id);
  return (
    existing === undefined ||
    interaction.request.generated.has('body', 'id') ||
    existing === digitsOf(objectOf(interaction.request.body?.value).id)
  );
}

function paramsOf({ states }: PactInteraction, name: string): JsonObject | undefined {
  return states.find((state) => state.name === name)?.params;
}

/** An id is a number or a string of digits. */
function digitsOf(id: JsonValue | undefined): string | undefined {
  const isId = ['string', 'number', 'bigint'].includes(typeof id) || id instanceof JsonNumber;
  return isId ? String(id) : undefined;
}

/** Words that people use if a request is rejected because of its token. */
const ABOUT_TOKENS =
  /token|auth|credential|bearer|log.?in|sign.?in|session|expire|revoke|forbid|permi|allow|access|secret/i;

/** Parts of the names that people give to wrong tokens. */
const WRONG_TOKEN =
  /wrong|valid|bad|not|no|expire|revoke|fake|false|old|other|unknown|fail|deni|miss|none|foo|xx/i;

/**
 * What may explain that a creation is rejected although its request is valid. An unknown state may mean anything, and
 * nothing shows whether a token was ever issued. A false alarm is worse than a missed problem.
 *
 * @param goodTokens values of Authorization with which other interactions of the pact expect success
 */
export function rejectionExplainedBy(
  interaction: PactInteraction,
  goodTokens: ReadonlySet<string>,
): 'state' | 'token' | undefined {
  const { states, description, request } = interaction;
  const known: readonly string[] = Object.values(providerStates);
  const unknown = states.filter(({ name }) => !known.includes(name));
  if (unknown.some(({ name }) => ABOUT_TOKENS.test(name))) return 'token';
  const [authorization = ''] = headerValues(request.headers, 'authorization');
  const isGood = goodTokens.has(authorization) && !request.generated.has('header', 'authorization');
  const isNamed = ABOUT_TOKENS.test(description) || WRONG_TOKEN.test(authorization.replace(/^bearer +/i, ''));
  if (!isGood && isNamed) return 'token';
  return unknown.length > 0 ? 'state' : undefined;
}
