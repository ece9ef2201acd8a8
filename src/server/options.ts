import type { NewPlant } from '../spec/types.js';
import type { Behaviour, RuntimeOptions, TokenVerifier } from './behaviour.js';
import type { Failure } from './failures/failure.js';
import type { Fault } from './faults/fault.js';
import type { FaultName } from './faults/index.js';
import type { ReceivedRequest } from './journal.js';

/** Options of the reference server. Everything that the interface calls "not shown" is an option with a default. */
export interface PlantStoreOptions extends RuntimeOptions {
  /**
   * The accepted token, several tokens, or a function that decides. Default: a random token, which `token` of the
   * server returns.
   */
  readonly token?: string | readonly string[] | TokenVerifier | undefined;
  /** The path before `/plants`, as in `/v1`. Default: none. */
  readonly basePath?: string | undefined;
  /** Whether pages of other origins may call the server, also with credentials. Default false. */
  readonly cors?: boolean | undefined;
  /** Plants that are stored from the start, and again after a reset. Default: none. */
  readonly plants?: readonly NewPlant[] | undefined;
  /** Called for each request when it is answered. Tokens are redacted. */
  readonly logger?: ((entry: ReceivedRequest) => void) | undefined;
  /** Failures on demand that are set from the start. Default: none. */
  readonly failures?: readonly Failure[] | undefined;
  /** Faults that make the server nonconforming: names of {@link loadFaults}, or faults of your own. */
  readonly faults?: readonly (FaultName | Fault)[] | undefined;
  /** Largest body in bytes. The interface documents no limits; these are limits of the server. Default 1,048,576. */
  readonly bodyBytes?: number | undefined;
  /** Milliseconds for a whole request to arrive. Default 30,000. */
  readonly requestTimeoutMs?: number | undefined;
}

/** Options of {@link startPlantStore}: options of the server, and where it listens. */
export interface ListenOptions extends PlantStoreOptions {
  /** Default 127.0.0.1. */
  readonly host?: string | undefined;
  /** Default 0: a free port. */
  readonly port?: number | undefined;
}

/** Options with every default filled in. */
export interface Settings extends Behaviour {
  readonly plants: readonly NewPlant[];
  readonly logger: ((entry: ReceivedRequest) => void) | undefined;
  readonly failures: readonly Failure[];
  readonly faults: readonly (FaultName | Fault)[];
  readonly requestTimeoutMs: number;
  readonly host: string;
  readonly port: number;
}
