import { type Fault, type FaultName, loadFaults } from 'plant-store-contract/server';
import type { Mistake } from './breaking.js';
import { errorFaults } from './errors.js';
import { fieldFaults } from './fields.js';
import { jsonTextFaults } from './json-texts.js';
import { keyFaults } from './keys.js';
import { sequenceFaults } from './sequences.js';
import { errorFaults as simpleErrorFaults } from './simple/errors.js';
import { inputFaults as simpleInputFaults } from './simple/input.js';
import { responseFaults as simpleResponseFaults } from './simple/responses.js';
import { stateFaults as simpleStateFaults } from './simple/state.js';
import { tokenFaults as simpleTokenFaults } from './simple/tokens.js';
import { stringFaults } from './strings.js';
import { tokenFaults } from './tokens.js';
import { idFaults, typeFaults } from './types.js';

// The faults of the package are those that the author of a client, a gateway or a test suite wants to see. These complete them:
// with the simple ones, each rule has a fault; the others show that a check also finds what is rarer, and each proves that a row is
// needed.

const moreFaults = {
  ...simpleTokenFaults,
  ...simpleInputFaults,
  ...simpleResponseFaults,
  ...simpleErrorFaults,
  ...simpleStateFaults,
  ...tokenFaults,
  ...fieldFaults,
  ...keyFaults,
  ...jsonTextFaults,
  ...idFaults,
  ...typeFaults,
  ...stringFaults,
  ...errorFaults,
  ...sequenceFaults,
};

/** The name of a fault of the package, or of one that only the tests have. */
export type AnyFaultName = FaultName | keyof typeof moreFaults;

/** Every fault: those of the package, then those of the tests. */
export const allFaults: readonly (Fault & { readonly name: AnyFaultName })[] = [
  ...(await loadFaults()),
  ...Object.entries<Mistake>(moreFaults).map(([name, mistake]) => ({
    name: name as keyof typeof moreFaults,
    title: name,
    ...mistake,
  })),
];

/** Faults by their names, for the option `faults` of a server. */
export function faultsNamed(...names: readonly AnyFaultName[]): Fault[] {
  return allFaults.filter(({ name }) => names.includes(name));
}
