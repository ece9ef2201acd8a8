/** How an exchange breaks a rule. */
export interface Problem {
  readonly expected: string;
  readonly actual: string;
}

/** Why the interface allows the provider to behave so that there is nothing to judge. A clause without a full stop. */
export interface NotApplicable {
  readonly notApplicable: string;
}

/** What failed, so that an exchange proves nothing. A clause without a full stop. */
export interface Blocked {
  readonly blocked: string;
}

/**
 * Why an exchange may look the same whether the provider satisfies the rule or breaks it. The rule then cannot pass. It
 * does not apply, unless another exchange breaks it. A clause without a full stop.
 */
export interface Ambiguous {
  readonly ambiguous: string;
}

/** Why the rule itself could not judge. Its verdict is `error`, which never counts against the provider. */
export interface RuleError {
  /** A clause without a full stop. */
  readonly error: string;
}

/** `undefined`: the exchange satisfies the rule. `nothing-to-judge`: it says nothing about the rule. */
export type Judgement =
  | Problem
  | undefined
  | NotApplicable
  | Ambiguous
  | Blocked
  | RuleError
  | 'nothing-to-judge';
