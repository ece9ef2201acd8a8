export type { AspectId, InterfaceAspect } from './aspects.js';
export {
  type AuditedInteraction,
  type AuditOptions,
  auditExitCode,
  auditPact,
  type PactAudit,
  type PactAuditConclusion,
} from './audit.js';
export { auditText } from './audit-text.js';
export {
  type PactProblem,
  type PactProblemKind,
  type ProblemPlace,
  pactProblemKinds,
} from './problem.js';
