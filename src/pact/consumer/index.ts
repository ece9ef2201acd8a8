export type {
  CallWithoutToken,
  CreationCall,
  CreationOverrides,
  InvalidPlantOverrides,
  MissingTokenOverrides,
  RefusalCall,
  RefusalOverrides,
} from './calls.js';
export { type CollectedPact, collectPacts, type FinishCollection, type RunOutcome } from './collection.js';
export type { ExecutableInteraction, InteractionBuilder, PactMock } from './execute.js';
export {
  type PlantStorePact,
  type PlantStorePactOptions,
  plantStorePact,
  type ReadyInteraction,
} from './plant-store-pact.js';
