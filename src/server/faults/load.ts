import type { Fault } from './fault.js';

/**
 * Every fault of the reference server: its name, what it does, and the rules that it breaks. They are loaded
 * only when asked for, because most servers have none.
 *
 * @example
 * import assert from 'node:assert/strict';
 * import { loadFaults, startPlantStore } from 'plant-store-contract/server';
 *
 * const leak = (await loadFaults()).find(({ name }) => name === 'leaks-id');
 * assert.deepEqual(leak?.breaks, ['success/plant-fields-only']);
 *
 * await using store = await startPlantStore({ token: 'secret', faults: ['leaks-id'] });
 * assert.ok(store.port > 0);
 */
export async function loadFaults(): Promise<readonly Fault[]> {
  return (await import('./index.js')).faults;
}
