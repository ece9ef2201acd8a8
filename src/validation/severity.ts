import type { Severity } from './violation.js';
import { warnings } from './warnings.generated.js';

/** The severity of a rule of a check. The rule says it, and this is made of the rules. */
export function severityOf(rule: string): Severity {
  return warnings.has(rule) ? 'warning' : 'error';
}
