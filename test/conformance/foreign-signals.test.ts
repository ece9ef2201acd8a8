import { checkConformance } from 'plant-store-contract/conformance';
import { createPlantStore } from 'plant-store-contract/server';
import { afterEach, expect, test, vi } from 'vitest';

afterEach(() => vi.unstubAllGlobals());

/** As in jsdom and happy-dom: Node takes what it gives for no signal of its own. */
class ForeignController {
  readonly signal = Object.assign(Object.create(null), {
    aborted: false,
    addEventListener() {},
    removeEventListener() {},
  });
  abort(): void {}
}

test('a check is made where the signals are not those of Node', async () => {
  const { fetch, token } = createPlantStore();
  const own = AbortController;
  vi.stubGlobal('AbortController', ForeignController);
  const started = checkConformance({
    baseUrl: 'http://localhost',
    fetch,
    token,
    only: ['success'],
    prism: false,
  });
  vi.stubGlobal('AbortController', own);
  expect((await started).conclusion).toBe('conforms');
});
