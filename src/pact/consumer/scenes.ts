import type { NewPlant, PlantStoreError } from '../../spec/types.js';
import { invalidOption } from '../../toolkit-error.js';
import { parseBearer } from '../../validation/bearer.js';
import { validateNewPlant } from '../../validation/schema.js';
import { isObject } from '../pact-file.js';
import { providerStates } from '../states.js';
import type {
  CallWithoutToken,
  CreationCall,
  CreationOverrides,
  InvalidPlantOverrides,
  MissingTokenOverrides,
  RefusalCall,
  RefusalOverrides,
} from './calls.js';
import { errorTemplate, isId, plantTemplate, requestTemplate } from './matching.js';

/** An interaction before it is built: what stands in the pact, and what the consumer is told beside the URL. */
export interface Scene<Call> {
  readonly description: string;
  readonly states: readonly State[];
  /** Any token, with an example; exactly one; or no header at all. */
  readonly authorization: { readonly any: string } | { readonly exactly: string } | undefined;
  /** The bodies, as Pact takes them. */
  readonly request: string;
  readonly response: string;
  readonly status: Status;
  readonly call: Omit<Call, 'url'>;
}

interface State {
  readonly name: string;
  readonly params: Record<string, string | number>;
}

/** What may answer: exactly one status, or one as an example of its class. */
export interface Status {
  readonly example: number;
  readonly any4xx: boolean;
}

const TOKEN = 'example-token';

/** The creation of a plant that has a tag: Pact has no optional matcher, so one without is another interaction. */
export function createsPlantWithTag({
  plant = { name: 'Aloe', id: 1001, tag: 'succulent' },
  description = 'a request to create a plant with a tag',
  token = TOKEN,
}: CreationOverrides<Required<NewPlant>>): Scene<CreationCall<Required<NewPlant>>> {
  if (plant.tag === undefined) throw invalidOption('the plant of createsPlantWithTag has no tag');
  return creation(plant, description, token);
}

/** The creation of a plant that has none. */
export function createsPlantWithoutTag({
  plant = { name: 'Fern', id: 1002 },
  description = 'a request to create a plant without a tag',
  token = TOKEN,
}: CreationOverrides<Omit<NewPlant, 'tag'>>): Scene<CreationCall<Omit<NewPlant, 'tag'>>> {
  if ((plant as NewPlant).tag !== undefined)
    throw invalidOption('the plant of createsPlantWithoutTag has a tag');
  return creation(plant, description, token);
}

function creation<Created extends NewPlant>(
  plant: Created,
  description: string,
  token: string,
): Scene<CreationCall<Created>> {
  const { id, name, tag } = rightPlant(plant);
  const answer = { name, ...(tag !== undefined && { tag }) };
  return {
    description,
    states: [noPlantWith(id)],
    authorization: anyToken(token),
    request: requestTemplate({ ...plant }),
    response: plantTemplate(answer),
    status: { example: 200, any4xx: false },
    call: { token, plant, answer },
  };
}

/** A plant whose id is taken. What comes of it is not shown: this is for consumers who know it of their provider. */
export function refusesRepeatedId(
  {
    plant = { name: 'Monstera', id: 1003, tag: 'climber' },
    description = 'a request to create a plant whose id exists',
    token = TOKEN,
    status,
  }: RefusalOverrides,
  usual: Status,
): Scene<RefusalCall> {
  const { id, name, tag } = rightPlant(plant);
  const params = { id: idParameter(id), name, ...(tag !== undefined && { tag }) };
  return {
    description,
    states: [{ name: providerStates.plantWithIdExists, params }],
    authorization: anyToken(token),
    request: requestTemplate({ ...plant }),
    ...refusal({ token, plant }, { error: 1, message: 'the id exists' }, status, usual),
  };
}

/** What is no plant: it lacks a name, unless another body is given. */
export function refusesInvalidPlant(
  {
    body = { id: 1004 },
    description = 'a request to create an invalid plant',
    token = TOKEN,
    status,
  }: InvalidPlantOverrides,
  usual: Status,
): Scene<RefusalCall> {
  if (validateNewPlant(body).length === 0)
    throw invalidOption('the body of refusesInvalidPlant is a plant that the interface allows');
  const plant = body as NewPlant;
  return {
    description,
    states: isObject(body) && isId(body.id) ? [noPlantWith(body.id)] : [],
    authorization: anyToken(token),
    request: requestTemplate(body),
    ...refusal({ token, plant }, { error: 2, message: 'the plant is not valid' }, status, usual),
  };
}

/** A plant that is right, without a token. */
export function refusesMissingToken(
  {
    plant = { name: 'Cactus', id: 1005 },
    description = 'a request to create a plant without a token',
    status,
  }: MissingTokenOverrides,
  usual: Status,
): Scene<CallWithoutToken> {
  return {
    description,
    states: [noPlantWith(rightPlant(plant).id)],
    authorization: undefined,
    request: requestTemplate({ ...plant }),
    ...refusal({ token: null, plant }, { error: 3, message: 'the token is missing' }, status, usual),
  };
}

/** A plant that is right, with a token that nobody has given out. */
export function refusesWrongToken(
  {
    plant = { name: 'Ivy', id: 1006, tag: 'climber' },
    description = 'a request to create a plant with a wrong token',
    token = 'wrong-token',
    status,
  }: RefusalOverrides,
  usual: Status,
): Scene<RefusalCall> {
  return {
    description,
    states: [noPlantWith(rightPlant(plant).id), { name: providerStates.tokenIsNotValid, params: { token } }],
    authorization: { exactly: rightToken(token) },
    request: requestTemplate({ ...plant }),
    ...refusal({ token, plant }, { error: 4, message: 'the token is not valid' }, status, usual),
  };
}

/** How all refusals are answered. The number in an Error is an example: what it stands for is not shown. */
function refusal<Told>(told: Told, error: PlantStoreError, exactly: number | undefined, usual: Status) {
  const status = exactly === undefined ? usual : refusalStatus(exactly);
  return { response: errorTemplate(error), status, call: { ...told, status: status.example, error } };
}

/**
 * @param status the one that refusals have; without it, any 4xx will do
 * @throws ToolkitError `invalid-option` where it is no 4xx: nothing else is a refusal
 */
export function refusalStatus(status: number | 'any-4xx'): Status {
  if (status === 'any-4xx') return { example: 400, any4xx: true };
  if (Number.isInteger(status) && status >= 400 && status < 500) return { example: status, any4xx: false };
  throw invalidOption(`the status of a refusal must be a 4xx; got ${status}`);
}

/** Nothing but the defect of a request may be why it is refused. */
function noPlantWith(id: number | bigint): State {
  return { name: providerStates.noPlantWithId, params: { id: idParameter(id) } };
}

/** Most readers of JSON would round an id beyond 2^53: it is a text of digits then. */
function idParameter(id: number | bigint): number | string {
  return Number.isSafeInteger(Number(id)) ? Number(id) : String(id);
}

function anyToken(token: string): { readonly any: string } {
  return { any: rightToken(token) };
}

function rightToken(token: string): string {
  if (parseBearer(`Bearer ${token}`).ok) return token;
  throw invalidOption(
    'the token of an interaction must be of the characters A-Z a-z 0-9 - . _ ~ + / (then =)',
  );
}

function rightPlant(plant: NewPlant): NewPlant {
  const [violation] = validateNewPlant(plant);
  if (violation === undefined) return plant;
  throw invalidOption(`the plant of an interaction is none: ${violation.message}`);
}
