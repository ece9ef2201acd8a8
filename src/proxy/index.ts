/**
 * A validating proxy: it stands in front of a plant store and judges what passes.
 * @module
 */
export type { Fields } from '../header-fields.js';
export { ToolkitError, type ToolkitErrorCode } from '../toolkit-error.js';
export type { JudgedExchange, TrafficViolation } from './judged.js';
export type {
  ForwardedBody,
  ForwardedExchange,
  ForwardedRequest,
  ForwardedResponse,
  RequestHead,
  ResponseHead,
} from './message.js';
export type { FailOn, ProxyOptions, UnansweredRequest } from './options.js';
export { type RunningProxy, startProxy } from './proxy.js';
export type { Reason } from './reasons.js';
export type { ProxyReport } from './report.js';
export { proxyJunit } from './report-junit.js';
export { proxyText } from './report-text.js';
export type { ViolationKind } from './tally.js';
