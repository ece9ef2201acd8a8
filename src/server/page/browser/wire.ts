/** What the server tells the page. Nothing of it holds a token. */

/**
 * The verdict on an exchange: it conforms; its response does not; its response accepts a request that must be rejected; its
 * response conforms, and its request does not; its response is the failure that was asked for; or there was nothing to judge.
 */
export type Verdict = 'conforms' | 'response' | 'accepted' | 'request' | 'asked-for' | 'not-judged';

/** One way in which an exchange does not conform. */
export interface Problem {
  readonly side: 'request' | 'response';
  /** Whose opinion it is. Prism's never counts. */
  readonly judge: 'interface' | 'prism';
  /** `body /id` */
  readonly where: string;
  readonly message: string;
  readonly expected: string;
  readonly actual: string;
}

/** An exchange in the list. */
export interface Row {
  /** 1 for the first one. */
  readonly number: number;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly method: string;
  /** Path and query; the beginning of it. */
  readonly target: string;
  /** 0 if there was no response. */
  readonly status: number;
  readonly verdict: Verdict;
  /** The first problems that count, in words, and how many there are. */
  readonly problem?: string;
  readonly problems: number;
  /** The beginnings of both bodies; empty if they are encoded. */
  readonly sent: string;
  readonly received: string;
  /** The failure on demand that applied, or why there was no response. */
  readonly failure?: string;
  /** Why the request was rejected; only of a server. */
  readonly rejection?: string;
  /** How long it took; only of a proxy. */
  readonly microseconds?: number;
}

/** A body: text, or base64 if it is not UTF-8, or why it is not here. */
export interface ShownBody {
  readonly text?: string;
  readonly base64?: string;
  readonly missing?: string;
  /** Its length as it was sent. */
  readonly bytes: number;
  /** What was done to it, in words: its content codings were undone, it was cut. */
  readonly note?: string;
  /** Whether only its beginning is here. */
  readonly cut?: boolean;
}

export type ShownFields = readonly (readonly [name: string, value: string])[];

export interface ShownMessage {
  readonly headers: ShownFields;
  readonly body: ShownBody;
  readonly trailers: ShownFields;
  /** Whether all of it came. */
  readonly complete: boolean;
}

/** One exchange, whole. */
export interface ShownExchange extends Row {
  readonly request: ShownMessage;
  readonly response?: ShownMessage & { readonly reason: string };
  readonly all: readonly Problem[];
  /** What was not judged and why, why there was no response; sentences. */
  readonly notes: readonly string[];
  /** Lines for a shell that send the request again. */
  readonly curl: string;
}

/** Who is watched: the first event of a stream. */
export interface Hello {
  readonly kind: 'serve' | 'proxy';
  readonly url: string;
  /** Where a proxy forwards to. */
  readonly upstream?: string;
  readonly version: string;
  /** How many exchanges are kept. */
  readonly most: number;
}

/** What is new: a further event of a stream. */
export interface Batch {
  /** How many exchanges there were in all. */
  readonly total: number;
  /** The number of the first exchange that is not forgotten. */
  readonly first: number;
  readonly rows: readonly Row[];
}

/** How often something happened in each span of time. */
export interface Spans {
  readonly from: number;
  readonly spanMs: number;
  readonly counts: readonly number[];
}

export interface Kind extends Problem {
  readonly count: number;
  readonly overTime: Spans;
}

/** The last plants of a server. */
export interface ShownPlants {
  readonly total: number;
  readonly plants: readonly { readonly id: string; readonly name: string; readonly tag?: string }[];
}

/** A failure that is set, as the flag `--fail` takes it. */
export interface ShownFailure {
  readonly number: number;
  readonly text: string;
}

/** What a proxy found so far. */
export interface Violations {
  readonly exchanges: Spans;
  readonly kinds: readonly Kind[];
  /** Violations of further kinds. */
  readonly others: number;
  readonly withoutResponse: readonly Reason[];
  readonly rejected: readonly Reason[];
}

export interface Reason {
  readonly reason: string;
  readonly count: number;
}
