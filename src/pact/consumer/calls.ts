import type { NewPlant, Plant, PlantStoreError } from '../../spec/types.js';
import type { WritableJson } from '../../validation/json-writer.js';

/** What a consumer needs to create a plant: where, with which token, and which plant. */
export interface CreationCall<Created extends NewPlant = NewPlant> {
  /** The base URL of the mock server, without a slash at the end. */
  readonly url: string;
  /** The token to send: an example, which stands in the pact. */
  readonly token: string;
  /** The plant to create. */
  readonly plant: Created;
  /** What the mock server answers. */
  readonly answer: Plant;
}

/** What a consumer needs to make a request that is refused. */
export interface RefusalCall {
  /** The base URL of the mock server, without a slash at the end. */
  readonly url: string;
  /** The token to send. */
  readonly token: string;
  /**
   * The plant to send. Where the interaction is about what is no plant, it is that, and a `NewPlant` by its type only,
   * so that a typed client takes it.
   */
  readonly plant: NewPlant;
  /** The status that the mock server answers. */
  readonly status: number;
  /** The Error that it answers. */
  readonly error: PlantStoreError;
}

/** What a consumer needs to make a request without a token. */
export interface CallWithoutToken extends Omit<RefusalCall, 'token'> {
  /** There is none: the consumer may send no Authorization header. */
  readonly token: null;
}

/** What may be changed in a creation. */
export interface CreationOverrides<Created extends NewPlant = NewPlant> {
  readonly plant?: Created;
  /** The example of a token; never a real one, since it stands in the pact. */
  readonly token?: string;
  /** What the interaction is called; where a ready one is used twice with different content, one needs another name. */
  readonly description?: string;
}

/** What may be changed in a refusal. */
export interface RefusalOverrides extends CreationOverrides {
  /** Asks for exactly this 4xx. */
  readonly status?: number;
}

/** What may be changed in the refusal of a request without a token. */
export type MissingTokenOverrides = Omit<RefusalOverrides, 'token'>;

/** What may be changed in the refusal of what is no plant. */
export interface InvalidPlantOverrides extends Omit<RefusalOverrides, 'plant'> {
  /** What is sent: any JSON value that the interface does not allow. */
  readonly body?: WritableJson;
}
