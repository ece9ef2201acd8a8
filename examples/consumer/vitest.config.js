// vitest.config.js
export default { test: { globalSetup: ['plant-store-contract/pact/global-setup'] } };
