/**
 * A validating proxy: it forwards the traffic of a plant store, and judges it.
 * @module
 */
export type {
  ForwardedBody,
  ForwardedExchange,
  ForwardedRequest,
  ForwardedResponse,
  RequestHead,
  ResponseHead,
} from '../http/exchange.js';
export type { Fields } from '../http/fields.js';
export { ToolkitError, type ToolkitErrorCode } from '../toolkit-error.js';
export type { JudgedExchange, Judgement, Side, TrafficViolation } from '../validation/exchange.js';
export type { FailedRequest, FailOn, ProxyOptions } from './options.js';
export { type RunningProxy, startProxy } from './proxy.js';
export type { ProxyReport, Traffic } from './report.js';
export type { ViolationKind } from './violation-kinds.js';
