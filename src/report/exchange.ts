import type { Fields } from '../http/fields.js';

/** A body as text, or in base64 if it is not UTF-8. */
export interface ReportedBody {
  readonly encoding: 'utf-8' | 'base64';
  readonly text: string;
  /** The length of the whole body in bytes, if only its beginning is here. */
  readonly wholeBytes?: number;
}

/** One exchange in a report. It holds no secret. */
export interface ReportedExchange {
  /** What it was sent for: the name of a probe, or the description of an interaction. */
  readonly name: string;
  /**
   * `judged`; `superseded`: sent again with new ids, since it proved nothing; `confirmation`: sent to see whether a
   * failure shows again; `split`: its parts were sent alone, to see which of them its response is about.
   */
  readonly role: 'judged' | 'superseded' | 'confirmation' | 'split';
  readonly request: {
    readonly method: string;
    readonly url: string;
    readonly headers: Fields;
    readonly body: ReportedBody;
  };
  readonly response?: {
    readonly status: number;
    readonly headers: Fields;
    readonly body: ReportedBody;
    /** Whether the body came to its end. */
    readonly complete: boolean;
  };
  /** Why there is no response. */
  readonly failure?: { readonly kind: string; readonly message: string };
  /** Milliseconds since the start of the run. */
  readonly startMs: number;
  readonly durationMs: number;
}
