/** Prism's logger is pino; nothing that it says is wanted here. */
export const silent = {
  ...Object.fromEntries(
    ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'success'].map((level) => [level, () => {}]),
  ),
  child: () => silent,
};
