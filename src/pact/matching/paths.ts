const STEP = /\.([^.[\]]+)|\[(?:'([^']*)'|"([^"]*)"|(\d+|\*))\]/y;

/** The steps of a path expression after its `$`; `undefined` if its form is unknown. */
export function stepsOf(expression: string): readonly string[] | undefined {
  const steps: string[] = [];
  STEP.lastIndex = 0;
  while (STEP.lastIndex < expression.length) {
    const step = STEP.exec(expression);
    if (step === null) return undefined;
    steps.push(step[1] ?? step[2] ?? step[3] ?? step[4] ?? '');
  }
  return steps;
}

/** What Pact's verifier accepts as a path: tried with Pact 16.5 (`pact-core` 19.2). */
const PATH =
  /^(?:\$|[\p{Alphabetic}\p{N}][\p{Alphabetic}\p{N}_:#@-]*)?(?:\.(?:\*|[\p{Alphabetic}\p{N}_:#@-]+)|\[(?:'[^']+'|\d+|\*)\])*$/u;

/** Whether Pact can read a path expression. If not, it cannot load the pact. */
export function isPath(expression: string): boolean {
  return expression === '' || (PATH.test(expression) && !/^[.[]/.test(expression));
}
