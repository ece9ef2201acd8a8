/**
 * The conformance checker: the rules of the interface, judged on any provider of `POST /plants`.
 * @module
 */

export { headerNames, headerValues } from '../http/fields.js';
export type { ReportedBody, ReportedExchange } from '../report/exchange.js';
export type {
  Case,
  Conclusion,
  Evidence,
  Finding,
  Group,
  Report,
  Section,
  Verdict,
} from '../report/frame.js';
export {
  type Behaviour,
  type DemandedRule,
  type DiscoveredLimit,
  type LimitId,
  type LimitSide,
  type ObservedRule,
  type Profile,
  readProfile,
} from '../report/profile.js';
export { ToolkitError, type ToolkitErrorCode } from '../toolkit-error.js';
export { type CatalogueEntry, catalogue } from './catalogue.js';
export { assertConformance, checkConformance } from './check.js';
export {
  type ComparedProvider,
  type CompareOptions,
  type CompareReport,
  compareProfiles,
  type Difference,
} from './comparison/report.js';
export {
  type Exchange,
  type Expectation,
  type Fields,
  isAccepted,
  isRejected,
  type NoResponse,
  type ProbeRequest,
  type ProviderResponse,
  type Secret,
  type ShellRecipe,
} from './exchange.js';
export type { Exploration, ExploredFailure } from './exploring/exploration.js';
export { failuresText, readFailures } from './exploring/failures-file.js';
export type { ExploreOptions, ExploreProgress } from './exploring/options.js';
export { type ReplayOptions, type ReplayReport, replayFailures } from './exploring/replay.js';
export type { HouseId } from './house/house-id.js';
export {
  type AnsweredExchange,
  defineHouseRule,
  type HouseProbe,
  type HouseRule,
} from './house/house-rule.js';
export type { PrismDisagreement, PrismOpinion } from './judging/prism-opinion.js';
export type { CheckOptions, ExpectedFailure } from './options.js';
export { dryRun, type Plan, type PlannedRequest, planCheck } from './prepare.js';
export type { ControlName, Phase, Probe, ProbeValues } from './probe.js';
export type { CheckedHouseRule, CheckedRule, CheckReport } from './report/check-report.js';
export {
  creation,
  creationWith,
  type PlantToSend,
  requestWith,
  withAuthorization,
  withBody,
  withMediaType,
} from './requests.js';
export { decodedBody, jsonOf } from './response-body.js';
export type { DrawnRow, PlantTemplate, RequestRow, Row } from './row.js';
export type {
  Ambiguous,
  Blocked,
  Context,
  Demand,
  HouseDemand,
  Judgement,
  Level,
  NotApplicable,
  Observation,
  Problem,
  Rule,
  RuleError,
  Source,
} from './rule.js';
export { type DemandId, type ObservationId, type RuleId, rules } from './rules/index.js';
export { objectIn, plantIn } from './rules/responses.js';
export { rulesVersion } from './rules/version.js';
export type { SelectionOptions } from './selection.js';
export type { FetchHandler } from './session/fetch-handler.js';
export { conformanceSuite, type SuiteOptions } from './suite/index.js';
export type { SuiteTest } from './suite/runner.js';
export type { ProviderTarget, StartTarget, SuiteTarget } from './suite/target.js';
export type { Template } from './template.js';
export { probes } from './topics/index.js';
