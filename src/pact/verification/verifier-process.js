// JavaScript, and no TypeScript: Node 20 starts it as it stands, from the sources as well as from dist/.
// @ts-check

/**
 * @typedef {object} Task
 * @property {string} core the path of pact-core
 * @property {Record<string, unknown>} options of its verifier
 */

process.on('message', async (/** @type {Task} */ { core, options }) => {
  const { createRequire } = await import('node:module');
  const { default: pactCore } = createRequire(import.meta.url)(core);
  try {
    process.send?.({ result: await pactCore.verifyPacts(options) });
  } catch (problem) {
    // Where interactions failed, the message is the result.
    process.send?.({ result: problem instanceof Error ? problem.message : String(problem) });
  }
});
process.send?.({ ready: true });
