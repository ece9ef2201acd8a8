import type { NewPlant, PlantStoreError } from '../../spec/types.js';
import { invalidOption } from '../../toolkit-error.js';
import { parseBearer } from '../../validation/bearer.js';
import { isObject } from '../../validation/json-value.js';
import { validateNewPlant } from '../../validation/schema.js';
import { idParameter, providerStates } from '../states.js';
import type * as calls from './calls.js';
import { errorTemplate, isId, plantTemplate, requestTemplate } from './matching.js';

/** A ready-made interaction: what the pact says, and what the consumer gets besides the URL. */
export interface InteractionSpec<Call> {
  readonly description: string;
  readonly states: readonly State[];
  /** Any token, with an example; exactly one token; or no header at all. */
  readonly authorization: { readonly any: string } | { readonly exactly: string } | undefined;
  /** The bodies, in Pact's notation. */
  readonly request: string;
  readonly response: string;
  readonly status: ResponseStatus;
  readonly call: Omit<Call, 'url'>;
}

interface State {
  readonly name: string;
  readonly params: Record<string, string | number>;
}

/** The status of a response: exactly this one, or any 4xx with this one as the example. */
export interface ResponseStatus {
  readonly example: number;
  readonly any4xx: boolean;
}

const TOKEN = 'example-token';

/** A plant with a tag is created. Pact has no optional matcher, so a plant without a tag is another interaction. */
export function createsPlantWithTag({
  plant = { name: 'Aloe', id: 1001, tag: 'succulent' },
  description = 'a request to create a plant with a tag',
  token = TOKEN,
}: calls.CreationOverrides<Required<NewPlant>>): InteractionSpec<calls.CreationCall<Required<NewPlant>>> {
  if (plant.tag === undefined) throw invalidOption('the plant of createsPlantWithTag must have a tag');
  return creation(plant, description, token);
}

/** A plant without a tag is created. */
export function createsPlantWithoutTag({
  plant = { name: 'Fern', id: 1002 },
  description = 'a request to create a plant without a tag',
  token = TOKEN,
}: calls.CreationOverrides<Omit<NewPlant, 'tag'>>): InteractionSpec<
  calls.CreationCall<Omit<NewPlant, 'tag'>>
> {
  if ((plant as NewPlant).tag !== undefined)
    throw invalidOption('the plant of createsPlantWithoutTag must not have a tag');
  return creation(plant, description, token);
}

function creation<Created extends NewPlant>(
  plant: Created,
  description: string,
  token: string,
): InteractionSpec<calls.CreationCall<Created>> {
  const { id, name, tag } = validPlant(plant);
  const response = { name, ...(tag !== undefined && { tag }) };
  return {
    description,
    states: [noPlantWith(id)],
    authorization: { any: validToken(token) },
    request: requestTemplate(plant),
    response: plantTemplate(response),
    status: { example: 200, any4xx: false },
    call: { token, plant, response },
  };
}

/** A plant whose id exists is rejected. The interface does not show this: use it only if your provider does so. */
export function rejectsDuplicateId(
  {
    plant = { name: 'Monstera', id: 1003, tag: 'climber' },
    description = 'a request to create a plant whose id exists',
    token = TOKEN,
    status,
  }: calls.RejectionOverrides,
  usual: ResponseStatus,
): InteractionSpec<calls.RejectionCall> {
  const { id, name, tag } = validPlant(plant);
  const params = { id: idParameter(id), name, ...(tag !== undefined && { tag }) };
  return {
    description,
    states: [{ name: providerStates.plantWithIdExists, params }],
    authorization: { any: validToken(token) },
    ...rejection({ token, plant }, { error: 1, message: 'the id exists' }, status, usual),
  };
}

/** An invalid plant is rejected. By default its name is missing. */
export function rejectsInvalidPlant(
  {
    body = { id: 1004 },
    description = 'a request to create an invalid plant',
    token = TOKEN,
    status,
  }: calls.InvalidPlantOverrides,
  usual: ResponseStatus,
): InteractionSpec<calls.RejectionCall> {
  if (validateNewPlant(body).length === 0)
    throw invalidOption('the body of rejectsInvalidPlant must not be a plant that the interface allows');
  const plant = body as NewPlant;
  return {
    description,
    states: isObject(body) && isId(body.id) ? [noPlantWith(body.id)] : [],
    authorization: { any: validToken(token) },
    ...rejection({ token, plant }, { error: 2, message: 'the plant is not valid' }, status, usual),
  };
}

/** A valid plant without a token is rejected. */
export function rejectsMissingToken(
  {
    plant = { name: 'Cactus', id: 1005 },
    description = 'a request to create a plant without a token',
    status,
  }: calls.MissingTokenOverrides,
  usual: ResponseStatus,
): InteractionSpec<calls.CallWithoutToken> {
  return {
    description,
    states: [noPlantWith(validPlant(plant).id)],
    authorization: undefined,
    ...rejection({ token: null, plant }, { error: 3, message: 'the token is missing' }, status, usual),
  };
}

/** A valid plant with an unknown token is rejected. */
export function rejectsWrongToken(
  {
    plant = { name: 'Ivy', id: 1006, tag: 'climber' },
    description = 'a request to create a plant with a wrong token',
    token = 'wrong-token',
    status,
  }: calls.RejectionOverrides,
  usual: ResponseStatus,
): InteractionSpec<calls.RejectionCall> {
  return {
    description,
    states: [noPlantWith(validPlant(plant).id), { name: providerStates.tokenIsNotValid, params: { token } }],
    authorization: { exactly: validToken(token) },
    ...rejection({ token, plant }, { error: 4, message: 'the token is not valid' }, status, usual),
  };
}

/** What all rejections share. The number in an Error is an example: the interface does not show what it means. */
function rejection<Given extends { readonly plant: NewPlant }>(
  given: Given,
  error: PlantStoreError,
  exactly: number | undefined,
  usual: ResponseStatus,
) {
  const status = exactly === undefined ? usual : rejectionStatus(exactly);
  return {
    request: requestTemplate(given.plant),
    response: errorTemplate(error),
    status,
    call: { ...given, status: status.example, error },
  };
}

/** @throws ToolkitError `invalid-option` if the status is not a 4xx */
export function rejectionStatus(status: number | 'any-4xx'): ResponseStatus {
  if (status === 'any-4xx') return { example: 400, any4xx: true };
  if (Number.isInteger(status) && status >= 400 && status < 500) return { example: status, any4xx: false };
  throw invalidOption(`the status of a rejection must be a 4xx; got ${status}`);
}

/** The defect of a request must be the only reason why it is rejected. */
function noPlantWith(id: number | bigint): State {
  return { name: providerStates.noPlantWithId, params: { id: idParameter(id) } };
}

function validToken(token: string): string {
  if (parseBearer(`Bearer ${token}`).ok) return token;
  throw invalidOption(
    'the token of an interaction must consist of the characters A-Z a-z 0-9 - . _ ~ + / and may end with =',
  );
}

function validPlant(plant: NewPlant): NewPlant {
  const [violation] = validateNewPlant(plant);
  if (violation === undefined) return plant;
  throw invalidOption(`the plant of an interaction is not valid: ${violation.message}`);
}
