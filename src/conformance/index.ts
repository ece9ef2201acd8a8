/**
 * The conformance checker: the rules of the interface, judged on any provider of `POST /plants`.
 * @module
 */
export { ToolkitError, type ToolkitErrorCode } from '../toolkit-error.js';
export { assertConformance, checkConformance } from './check.js';
export type { Exchange, Fields, NoResponse, ProbeRequest, ProviderResponse } from './exchange.js';
export { exitCode } from './exit-code.js';
export type { Verdict } from './judge.js';
export type { CheckOptions } from './options.js';
export { type Plan, planCheck } from './plan.js';
export type { Phase, Probe, ProbeMaterial } from './probe.js';
export { probes } from './probes/index.js';
export type {
  Conclusion,
  Report,
  ReportedBody,
  ReportedExchange,
  ReportedFailure,
  ReportedRule,
} from './report.js';
export type { Judgement, Level, Problem, Rule, Source } from './rule.js';
export { rules } from './rules/index.js';
