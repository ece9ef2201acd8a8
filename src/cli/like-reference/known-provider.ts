import type { DiscoveredLimit, LimitId } from '../../conformance/limits/limit.js';
import type { Profile } from '../../conformance/profiles/profile.js';
import type { ObservationId } from '../../conformance/rules/index.js';

const ERROR_CODES: ObservationId = 'unspecified/error-codes';

/** A profile, and questions that it answers. */
export class KnownProvider {
  constructor(readonly profile: Profile) {}

  /** What was observed for a rule. */
  value(rule: ObservationId): string | undefined {
    return this.profile.behaviours.find((one) => one.rule === rule)?.value;
  }

  /** The status that was observed for a rule. */
  status(rule: ObservationId): number | undefined {
    const value = this.value(rule) ?? '';
    return /^\d{3}$/.test(value) ? Number(value) : undefined;
  }

  /** The "error" that was observed for a rule. */
  error(rule: ObservationId): number | undefined {
    return this.profile.behaviours.find((one) => one.rule === rule)?.error;
  }

  accepts(rule: ObservationId): boolean {
    const status = this.status(rule) ?? 0;
    return status >= 200 && status < 300;
  }

  /** The 4xx with which a request was rejected. */
  rejection(rule: ObservationId): number | undefined {
    const status = this.status(rule);
    return status !== undefined && isRejection(status) ? status : undefined;
  }

  rejects(rule: ObservationId): boolean {
    return this.rejection(rule) !== undefined;
  }

  /** Whether the "error" of a rejection is the same the next time. */
  get hasSteadyErrors(): boolean {
    return this.value(ERROR_CODES) !== 'another each time';
  }

  /** Whether each "error" of the provider was seen in an observation. */
  get hasOnlyKnownErrors(): boolean {
    const seen = new Set(this.profile.behaviours.map(({ error }) => String(error)));
    return (this.value(ERROR_CODES) ?? '').split(', ').every((code) => seen.has(code));
  }

  limit(id: LimitId): DiscoveredLimit | undefined {
    return this.profile.limits?.find((limit) => limit.id === id);
  }

  /** The value of a limit that was found. */
  found(id: LimitId): string | undefined {
    const limit = this.limit(id);
    return limit?.outcome === 'found' ? limit.value : undefined;
  }

  /** The 4xx with which a request beyond a limit was rejected. */
  rejectionOfLimit(id: LimitId): number | undefined {
    const status = Number(this.limit(id)?.rejected?.got);
    return isRejection(status) ? status : undefined;
  }
}

function isRejection(status: number): boolean {
  return status >= 400 && status < 500;
}
