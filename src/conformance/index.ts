/**
 * The conformance checker: the rules of the interface, judged on any provider of `POST /plants`.
 * @module
 */

export { headerNames, headerValues } from '../http/fields.js';
export type { RouteOptions, TlsSettings } from '../http/route.js';
export type { ReportedBody, ReportedExchange } from '../report/exchange.js';
export type {
  Case,
  Conclusion,
  Evidence,
  Finding,
  Group,
  Impact,
  Recipe,
  Report,
  Section,
  Verdict,
} from '../report/frame.js';
export type {
  Behaviour,
  DemandedRule,
  ObservedRule,
  Profile,
} from '../report/profile.js';
export type { Secret } from '../report/redaction.js';
export { ToolkitError, type ToolkitErrorCode } from '../toolkit-error.js';
export type { Severity } from '../validation/violation.js';
export { type BodyContent, decodedBody, jsonOf } from './body.js';
export { type CatalogueEntry, catalogue } from './catalogue.js';
export { assertConformance, checkConformance } from './check.js';
export {
  type Blocked,
  type Exchange,
  type Expectation,
  type Fields,
  isAccepted,
  isRejected,
  type Judgement,
  type NoResponse,
  type NotApplicable,
  objectIn,
  type ProbeRequest,
  type Problem,
  type ProviderResponse,
  plantIn,
  type RequestShape,
  type RuleError,
  type SentContent,
  type Transfer,
} from './exchange.js';
export type {
  Exploration,
  ExploredFailure,
  ExploreOptions,
} from './exploring/exploration.js';
export type { AnsweredExchange, HouseRow, HouseRule } from './house.js';
export type { Facts, IntermittentFailures, Stop } from './judge/facts.js';
export type { PrismOpinion } from './judge/prism.js';
export type { CheckOptions, ExpectedFailure } from './options.js';
export { type Plan, planCheck } from './prepare.js';
export type { CheckedRule, CheckReport } from './report/check-report.js';
export type { ControlName, HouseId, Phase, Probe, RequestRow, Row } from './row.js';
export type {
  About,
  Broken,
  Context,
  Demand,
  Gap,
  HouseDemand,
  Judging,
  Level,
  Observation,
  Observed,
  Rule,
  RuleBase,
  RuleId,
  SentRow,
} from './rule.js';
export type { SelectionOptions } from './selection.js';
export type { FetchHandler } from './send/handler.js';
export {
  conformanceSuite,
  type ProviderTarget,
  type StartTarget,
  type SuiteOptions,
  type SuiteTarget,
  type SuiteTest,
} from './suite.js';
export { probes, rules, rulesVersion } from './topics/index.js';
