/**
 * The conformance checker: the rules of the interface, judged on any provider of `POST /plants`.
 * @module
 */
export { ToolkitError, type ToolkitErrorCode } from '../toolkit-error.js';
export { type CatalogueEntry, catalogue } from './catalogue.js';
export { assertConformance, checkConformance } from './check.js';
export type {
  Exchange,
  Expectation,
  Fields,
  NoResponse,
  ProbeRequest,
  ProviderResponse,
  Secret,
  ShellRecipe,
} from './exchange.js';
export { exitCode } from './exit-code.js';
export { type Explanation, explanations } from './explanations.js';
export type { Verdict } from './judging/judge.js';
export type { PrismDifference, PrismOpinion } from './judging/prism-opinion.js';
export type { CheckOptions, ExpectedFailure, Implementation } from './options.js';
export { dryRun, type Plan, type PlannedRequest, planCheck } from './plan.js';
export type { Phase, Probe, ProbeMaterial } from './probe.js';
export { probes } from './probes/index.js';
export type {
  Conclusion,
  Profile,
  Report,
  ReportedBody,
  ReportedExchange,
  ReportedFailure,
  ReportedFinding,
  ReportedRule,
} from './reporting/report.js';
export type {
  Behaviour,
  Blocked,
  Context,
  Demand,
  Judgement,
  Level,
  NotApplicable,
  Observation,
  Problem,
  Rule,
  Source,
} from './rule.js';
export { type DemandId, type RuleId, rules } from './rules/index.js';
export type { SelectionOptions } from './selection.js';
export type { FetchHandler } from './sending/fetch-handler.js';
export { conformanceSuite, type SuiteOptions } from './suite/index.js';
export type { SuiteTest } from './suite/runner.js';
export type { ProviderTarget, SuiteTarget } from './suite/target.js';
