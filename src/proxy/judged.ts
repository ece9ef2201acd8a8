import type { Fields } from '../header-fields.js';
import type { Violation } from '../validation/violation.js';
import type {
  ForwardedBody,
  ForwardedExchange,
  ForwardedResponse,
  RequestHead,
  ResponseHead,
} from './message.js';

/** One way in which traffic departs from the interface. */
export interface TrafficViolation extends Violation {
  readonly side: 'request' | 'response';
  /** Who says so: the validators of this package, or Prism, whose opinion is kept apart. */
  readonly judge: 'interface' | 'prism';
}

/** What is said of one exchange. */
export interface JudgedExchange {
  readonly exchange: ForwardedExchange;
  /**
   * Empty where all is well. No token stands in it. A response that is shorter or longer than it says has one with the
   * keyword `framing`.
   */
  readonly violations: readonly TrafficViolation[];
  /** What could not be judged, as sentences. */
  readonly notes: readonly string[];
  /** The sides that could be judged: there may be no answer, a request may break off, a body may be too long. */
  readonly sides: readonly TrafficViolation['side'][];
}

/** The part of a message that is judged. */
export type JudgedPart<Head> = Head &
  Pick<ForwardedBody, 'body' | 'bodyLength' | 'complete'> & { readonly headers: Fields };

/** The part of a request that is judged. */
export type JudgedRequest = JudgedPart<Pick<RequestHead, 'method' | 'target'>>;

/** The part of a response that is judged. */
export type JudgedResponse = JudgedPart<Pick<ResponseHead, 'status'>> & Pick<ForwardedResponse, 'surplus'>;

/** What an exchange is judged by. */
export interface JudgedParts {
  readonly request: JudgedRequest;
  readonly response?: JudgedResponse;
}

/** What is said of an exchange. */
export type Judgement = Omit<JudgedExchange, 'exchange'>;
