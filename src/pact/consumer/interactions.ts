import type { NewPlant, Plant, PlantStoreError } from '../../spec/types.js';
import { invalidOption } from '../../toolkit-error.js';
import { type WritableJson, writeJson } from '../../validation/json.js';
import { isObject } from '../../validation/json-value.js';
import { validateNewPlant } from '../../validation/schema.js';
import { idParameter, providerStates } from '../states.js';

/** What a consumer needs to create a plant. */
export interface CreationCall {
  /** The base URL of the mock server, without a slash at the end. */
  readonly url: string;
  /** The token to send. It is an example and appears in the pact. */
  readonly token: string;
  /** The plant to create. */
  readonly plant: NewPlant;
  /** The plant that the mock server returns. */
  readonly response: Plant;
}

/** What a consumer needs to make a request that is rejected. */
export interface RejectionCall extends Omit<CreationCall, 'response'> {
  /** The status that the mock server returns. */
  readonly status: number;
  /** The Error that the mock server returns. */
  readonly error: PlantStoreError;
}

/** What a consumer needs to make a request without a token. */
export interface CallWithoutToken extends Omit<RejectionCall, 'token'> {
  /** The consumer must not send an Authorization header. */
  readonly token: null;
}

/** What can be changed in a ready-made interaction. */
export interface Overrides {
  readonly plant?: NewPlant | undefined;
  /** The body of `rejectsInvalidPlant`: any JSON value that the interface does not allow. It is the `plant` of the call. */
  readonly body?: WritableJson | undefined;
  /** An example of a token. Never use a real one: it appears in the pact. */
  readonly token?: string | undefined;
  /** The description of the interaction. Two interactions that differ need two descriptions. */
  readonly description?: string | undefined;
  /**
   * The status of a rejection. By default any 4xx is accepted: the interface documents 400, and does not show which other 4xx
   * a provider may use.
   */
  readonly status?: number | undefined;
}

/** A ready-made interaction: what the pact says, and what the consumer gets besides the URL. */
export interface InteractionSpec<Call> {
  readonly description: string;
  readonly states: readonly State[];
  /** Any token, with an example; exactly one token; or no header at all. */
  readonly authorization: { readonly any: string } | { readonly exactly: string } | undefined;
  /** The bodies, in Pact's notation. */
  readonly request: string;
  readonly response: string;
  /** Left out: any 4xx. */
  readonly status?: number | undefined;
  readonly call: Omit<Call, 'url'>;
}

interface State {
  readonly name: string;
  readonly params: Record<string, string | number>;
}

/** The status of a rejection that the mock server returns if any 4xx is accepted. */
export const USUAL_REJECTION = 400;

const TOKEN = 'example-token';

/** A plant with a tag is created. Pact has no optional matcher, so a plant without a tag is another interaction. */
export function createsPlantWithTag({
  plant = { name: 'Aloe', id: 1001, tag: 'succulent' },
  description = 'a request to create a plant with a tag',
  token = TOKEN,
}: Overrides): InteractionSpec<CreationCall> {
  if (plant.tag === undefined) throw invalidOption('the plant of createsPlantWithTag must have a tag');
  return creation(plant, description, token);
}

/** A plant without a tag is created. */
export function createsPlantWithoutTag({
  plant = { name: 'Fern', id: 1002 },
  description = 'a request to create a plant without a tag',
  token = TOKEN,
}: Overrides): InteractionSpec<CreationCall> {
  if (plant.tag !== undefined) throw invalidOption('the plant of createsPlantWithoutTag must not have a tag');
  return creation(plant, description, token);
}

function creation(plant: NewPlant, description: string, token: string): InteractionSpec<CreationCall> {
  const { id, name, tag } = validPlant(plant);
  const response = { name, ...(tag !== undefined && { tag }) };
  return {
    description,
    states: [noPlantWith(id)],
    authorization: { any: token },
    request: requestTemplate(plant),
    response: plantTemplate(response),
    status: 200,
    call: { token, plant, response },
  };
}

/** An invalid plant is rejected. By default its name is missing. */
export function rejectsInvalidPlant({
  body = { id: 1004 },
  description = 'a request to create an invalid plant',
  token = TOKEN,
  status,
}: Overrides): InteractionSpec<RejectionCall> {
  if (validateNewPlant(body).length === 0)
    throw invalidOption('the body of rejectsInvalidPlant must not be a plant that the interface allows');
  const plant = body as NewPlant;
  return {
    description,
    states: isObject(body) && isId(body.id) ? [noPlantWith(body.id)] : [],
    authorization: { any: token },
    ...rejection({ token, plant }, { error: 2, message: 'the plant is not valid' }, status),
  };
}

/** A valid plant without a token is rejected. */
export function rejectsMissingToken({
  plant = { name: 'Cactus', id: 1005 },
  description = 'a request to create a plant without a token',
  status,
}: Overrides): InteractionSpec<CallWithoutToken> {
  return {
    description,
    states: [noPlantWith(validPlant(plant).id)],
    authorization: undefined,
    ...rejection({ token: null, plant }, { error: 3, message: 'the token is missing' }, status),
  };
}

/** A valid plant with an unknown token is rejected. */
export function rejectsWrongToken({
  plant = { name: 'Ivy', id: 1006, tag: 'climber' },
  description = 'a request to create a plant with a wrong token',
  token = 'wrong-token',
  status,
}: Overrides): InteractionSpec<RejectionCall> {
  return {
    description,
    states: [noPlantWith(validPlant(plant).id), { name: providerStates.tokenIsNotValid, params: { token } }],
    authorization: { exactly: token },
    ...rejection({ token, plant }, { error: 4, message: 'the token is not valid' }, status),
  };
}

/** What all rejections share. The number in an Error is an example: the interface does not show what it means. */
function rejection<Given extends { readonly plant: NewPlant }>(
  given: Given,
  error: PlantStoreError,
  status: number | undefined,
) {
  if (status !== undefined && !(Number.isInteger(status) && status >= 400 && status < 500))
    throw invalidOption(`the status of a rejection must be a 4xx; got ${status}`);
  return {
    request: requestTemplate(given.plant),
    response: errorTemplate(error),
    status,
    call: { ...given, status: status ?? USUAL_REJECTION, error },
  };
}

/** The defect of a request must be the only reason why it is rejected. */
function noPlantWith(id: number | bigint): State {
  return { name: providerStates.noPlantWithId, params: { id: idParameter(id) } };
}

function validPlant(plant: NewPlant): NewPlant {
  const [violation] = validateNewPlant(plant);
  if (violation === undefined) return plant;
  throw invalidOption(`the plant of an interaction is not valid: ${violation.message}`);
}

// Pact accepts a body as JSON in which an object with "pact:matcher:type" replaces a value. In this form an int64 stays
// exact, in the pact and in the mock server.

/** Any value of the same JSON type as the example. */
function like(value: WritableJson): WritableJson {
  return { 'pact:matcher:type': 'type', value };
}

/**
 * An id that a provider state may choose. If the state returns an `id`, that is sent, otherwise the one in its
 * parameters. It may be a string of digits there: `dataType` turns it into a number. In the consumer's request any
 * integer matches, but beyond 2^53 only this one: a client that rounds ids must fail.
 */
function idFromState(value: number | bigint): WritableJson {
  return {
    'pact:matcher:type': Number.isSafeInteger(Number(value)) ? 'integer' : 'equality',
    'pact:generator:type': 'ProviderState',
    expression: `\${${'id'}}`,
    dataType: 'INTEGER',
    value,
  };
}

/** Whether a value is the id of a plant: an int64. */
function isId(id: unknown): id is number | bigint {
  return (
    (typeof id === 'number' || typeof id === 'bigint') && validateNewPlant({ name: '', id }).length === 0
  );
}

/** The body of a request. A valid value matches others of its kind. An invalid one matches only itself. */
function requestTemplate(body: unknown): string {
  if (!isObject(body)) return writeJson(body as WritableJson);
  const template = Object.entries(body).map(([key, value]): [string, WritableJson] => {
    if (key === 'id' && isId(value)) return [key, idFromState(value)];
    return [key, (key === 'name' || key === 'tag') && typeof value === 'string' ? like(value) : value];
  });
  return writeJson(Object.fromEntries(template));
}

/** The body of a 200. A consumer relies on the types of its fields only. */
function plantTemplate({ name, tag }: Plant): string {
  return writeJson({ name: like(name), ...(tag !== undefined && { tag: like(tag) }) });
}

function errorTemplate({ error, message }: PlantStoreError): string {
  return writeJson({ error: { 'pact:matcher:type': 'integer', value: error }, message: like(message) });
}
