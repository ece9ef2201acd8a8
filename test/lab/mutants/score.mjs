/**
 * What is known of a mutant without any tool:
 *
 * - `same`: the probe sees no difference
 * - `texts`, `open`, `limits`: only texts, what the interface leaves open, or a limit differ
 * - `documented`: the documented behaviour differs
 * - `unread`: it differs, breaks nothing that the probe judges, and is not in classification.json yet
 *
 * @typedef {'same' | 'texts' | 'open' | 'limits' | 'documented' | 'unread'} Effect
 */

/** @returns {Effect} */
export function effectOf(probe, classified) {
  if (classified !== undefined) return classified.effect;
  if (probe.violations > 0) return 'documented';
  return probe.differences > 0 ? 'unread' : 'same';
}

/**
 * Whether a tool notices a mutant: it says something that it does not say about the right provider, or it fails and does not
 * fail there. If it fails there too, and only here without a word, it noticed something: mostly, it was waiting until its
 * time was over.
 */
export function isNoticed(run, rights) {
  const said = new Set(rights.flatMap(({ findings }) => findings));
  const fails = ({ failed }) => failed;
  const failsSilently = ({ failed, findings }) => failed && findings.length === 0;
  return (
    run.findings.some((finding) => !said.has(finding)) ||
    [fails, failsSilently].some((test) => test(run) && !rights.some(test))
  );
}

/** What the check says about a mutant. */
export function verdictOf(run) {
  if (!run.isStarted) return 'not started';
  if (run.failed) return 'killed';
  return run.findings.length > 0 ? 'warned' : 'survived';
}

/**
 * The score of a tool over mutants that started.
 *
 * @param {readonly { effect: Effect, run: object, rights: object[] }[]} tried
 * @param {readonly object[]} rights all runs against right providers
 */
export function scoreOf(tried, rights) {
  const isReal = ({ effect }) => effect === 'documented';
  const noticed = ({ run, rights: own }) => isNoticed(run, own);
  const real = tried.filter(isReal);
  const harmless = tried.filter((one) => !isReal(one));
  const failing = new Set(rights.filter(({ failed }) => failed).map(({ provider }) => provider.kind));
  return {
    mutants: tried.length,
    real: real.length,
    noticed: real.filter(noticed).length,
    harmless: harmless.length,
    blamed: harmless.filter(noticed).length,
    rights: new Set(rights.map(({ provider }) => provider.kind)).size,
    rightsBlamed: failing.size,
    seconds: medianOf([...tried.map(({ run }) => run), ...rights].map(({ seconds }) => seconds)),
  };
}

export function medianOf(values) {
  const known = values.filter((value) => value !== undefined).toSorted((a, b) => a - b);
  return known[known.length >> 1];
}
