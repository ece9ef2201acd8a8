// JavaScript, and no TypeScript: Node 20 starts it as it stands, from the sources as well as from dist/.
// @ts-check

/**
 * @typedef {object} Task
 * @property {string} core the path of pact-core
 * @property {Record<string, unknown>} options of its verifier
 */

process.on('message', async (/** @type {Task | 'end'} */ task) => {
  // Pact's own threads would keep the process from ending by itself.
  if (task === 'end') process.exit();
  const { createRequire } = await import('node:module');
  const { default: pactCore } = createRequire(import.meta.url)(task.core);
  try {
    process.send?.({ result: await pactCore.verifyPacts(task.options) });
  } catch (problem) {
    // Where interactions failed, the message is the result.
    process.send?.({ result: problem instanceof Error ? problem.message : String(problem) });
  }
});
process.on('disconnect', () => process.exit());
process.send?.({ ready: true });
