/** Prism's logger is pino. It would slow Prism down and fill the output. */
export const silent = {
  ...Object.fromEntries(
    ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'success'].map((level) => [level, () => {}]),
  ),
  child: () => silent,
};
