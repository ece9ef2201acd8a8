import { type Fault, type FaultName, loadFaults } from 'plant-store-contract/server';
import { errorFaults } from './errors.js';
import { fieldFaults } from './fields.js';
import { jsonTextFaults } from './json-texts.js';
import { keyFaults } from './keys.js';
import { rareInputFaults } from './rare-input.js';
import { sequenceFaults } from './sequences.js';
import { stringFaults } from './strings.js';
import { tokenFaults } from './tokens.js';
import { idFaults, typeFaults } from './types.js';

// The faults of the package teach what a rule means, and each rule has one. These show that a check also finds what is
// rarer: each proves that a row is needed.

const moreFaults = {
  ...tokenFaults,
  ...fieldFaults,
  ...keyFaults,
  ...jsonTextFaults,
  ...idFaults,
  ...typeFaults,
  ...stringFaults,
  ...errorFaults,
  ...sequenceFaults,
  ...rareInputFaults,
};

/** The name of a fault of the package, or of one that only the tests have. */
export type AnyFaultName = FaultName | keyof typeof moreFaults;

/** Every fault: those of the package, then those of the tests. */
export const allFaults: readonly (Fault & { readonly name: AnyFaultName })[] = [
  ...(await loadFaults()),
  ...Object.entries(moreFaults).map(([name, fault]) => ({ name: name as keyof typeof moreFaults, ...fault })),
];

/** Faults by their names, for the option `faults` of a server. */
export function faultsNamed(...names: readonly AnyFaultName[]): Fault[] {
  return allFaults.filter(({ name }) => names.includes(name));
}
