import { JsonNumber } from '../../validation/json-number.js';
import type { JsonObject, JsonValue } from '../../validation/json-value.js';
import type { PactInteraction } from '../pact-file.js';
import { providerStates } from '../states.js';
import { headerValuesOf, isGenerated } from './body.js';

/** Whether the token of a request is one with which nobody may create plants: see {@link providerStates}. */
export function saysTokenIsInvalid(interaction: PactInteraction, authorization: string): boolean {
  const said = paramsOf(interaction, providerStates.tokenIsNotValid);
  if (said === undefined) return false;
  const { token } = said;
  if (typeof token !== 'string' || isGenerated(interaction.request, 'header', 'authorization')) return true;
  return authorization.endsWith(token);
}

/** Whether a plant with the id of a request exists already: see {@link providerStates}. */
export function saysIdIsTaken(interaction: PactInteraction, id: JsonValue | undefined): boolean {
  const said = paramsOf(interaction, providerStates.plantWithIdExists);
  if (said === undefined) return false;
  const taken = digitsOf(said.id);
  return taken === undefined || isGenerated(interaction.request, 'body', 'id') || taken === digitsOf(id);
}

function paramsOf({ states }: PactInteraction, name: string): JsonObject | undefined {
  return states.find((state) => state.name === name)?.params;
}

/** An id is a number, or a text of digits. */
function digitsOf(id: JsonValue | undefined): string | undefined {
  const isId = ['string', 'number', 'bigint'].includes(typeof id) || id instanceof JsonNumber;
  return isId ? String(id) : undefined;
}

/** Words with which people say that a request is refused for its token. */
const ABOUT_TOKENS =
  /token|auth|credential|bearer|log.?in|sign.?in|session|expire|revoke|forbid|permi|allow|access|secret/i;

/** What a token is called that is meant to be wrong. */
const WRONG_TOKEN =
  /wrong|valid|bad|not|no|expire|revoke|fake|false|old|other|unknown|fail|deni|miss|none|foo|xx/i;

/**
 * Whether a request may be refused although it is a valid creation by all that stands in it: an unknown state may
 * bring about anything, and whether a token was ever given out does not show. A false alarm is worse than a miss.
 *
 * @param goodTokens values of Authorization with which success is expected elsewhere in the pact
 */
export function refusalExplainedBy(
  interaction: PactInteraction,
  goodTokens: ReadonlySet<string>,
): 'state' | 'token' | undefined {
  const { states, description, request } = interaction;
  const known: readonly string[] = Object.values(providerStates);
  const unknown = states.filter(({ name }) => !known.includes(name));
  if (unknown.some(({ name }) => ABOUT_TOKENS.test(name))) return 'token';
  const [authorization = ''] = headerValuesOf(request, 'authorization');
  const isGood = goodTokens.has(authorization) && !isGenerated(request, 'header', 'authorization');
  const isSaid = ABOUT_TOKENS.test(description) || WRONG_TOKEN.test(authorization.replace(/^bearer +/i, ''));
  if (!isGood && isSaid) return 'token';
  return unknown.length > 0 ? 'state' : undefined;
}
