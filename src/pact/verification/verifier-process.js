// JavaScript, not TypeScript: Node 20 runs it unchanged, from src/ and from dist/.
// @ts-check

/**
 * @typedef {object} Task
 * @property {string} core the path of pact-core
 * @property {Record<string, unknown>} options of its verifier
 */

process.on('message', async (/** @type {Task} */ task) => {
  const { createRequire } = await import('node:module');
  const { default: pactCore } = createRequire(import.meta.url)(task.core);
  try {
    process.send?.({ result: await pactCore.verifyPacts(task.options) });
  } catch (problem) {
    // If interactions fail, the message is the result.
    process.send?.({ result: problem instanceof Error ? problem.message : String(problem) });
  }
});
process.on('disconnect', () => process.exit());
