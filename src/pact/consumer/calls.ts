import type { NewPlant, Plant, PlantStoreError } from '../../spec/types.js';
import type { WritableJson } from '../../validation/json-writer.js';

/** What a consumer needs to create a plant. */
export interface CreationCall<Created extends NewPlant = NewPlant> {
  /** The base URL of the mock server, without a slash at the end. */
  readonly url: string;
  /** The token to send. It is an example and appears in the pact. */
  readonly token: string;
  /** The plant to create. */
  readonly plant: Created;
  /** The plant that the mock server returns. */
  readonly response: Plant;
}

/** What a consumer needs to make a request that is rejected. */
export interface RejectionCall {
  /** The base URL of the mock server, without a slash at the end. */
  readonly url: string;
  /** The token to send. */
  readonly token: string;
  /**
   * The plant to send. For an invalid plant this is the invalid value. Its type is `NewPlant` all the same, so that a
   * typed client accepts it.
   */
  readonly plant: NewPlant;
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

/** What can be changed in a ready-made creation. */
export interface CreationOverrides<Created extends NewPlant = NewPlant> {
  readonly plant?: Created;
  /** An example of a token. Never use a real one: it appears in the pact. */
  readonly token?: string;
  /** The description of the interaction. Two interactions that differ need two descriptions. */
  readonly description?: string;
}

/** What can be changed in a ready-made rejection. */
export interface RejectionOverrides extends CreationOverrides {
  /** Expects exactly this status, a 4xx. */
  readonly status?: number;
}

/** What can be changed in the rejection of a request without a token. */
export type MissingTokenOverrides = Omit<RejectionOverrides, 'token'>;

/** What can be changed in the rejection of an invalid plant. */
export interface InvalidPlantOverrides extends Omit<RejectionOverrides, 'plant'> {
  /** The body to send: any JSON value that the interface does not allow. */
  readonly body?: WritableJson;
}
