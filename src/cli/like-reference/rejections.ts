import type { Profile } from '../../conformance/profiles/profile.js';
import type { ObservationId } from '../../conformance/rules/index.js';
import { errorCodes } from '../../server/error-codes.js';
import type { PlantStoreOptions, RejectionReason, RejectionResponse } from '../../server/options.js';
import type { KnownProvider } from './known-provider.js';

/** Which observations show how the server rejects for a reason. The first one that is a rejection counts. */
const SHOWN_BY: Readonly<Partial<Record<RejectionReason, readonly ObservationId[]>>> = {
  'authorization-missing': ['unspecified/missing-token'],
  'authorization-malformed': ['unspecified/wrong-token'],
  'authorization-duplicate': ['unspecified/two-authorizations', 'unspecified/wrong-token'],
  'token-wrong': ['unspecified/wrong-token'],
  'unknown-path': ['unspecified/unknown-path'],
  'method-not-allowed': ['unspecified/get', 'unspecified/options'],
  'media-type': ['unspecified/text-plain', 'unspecified/json-suffix', 'unspecified/no-media-type'],
  'content-encoding': ['unspecified/compressed-body'],
  'body-too-large': ['unspecified/large-body'],
  'body-missing': ['unspecified/empty-body'],
  'json-malformed': ['unspecified/malformed-json'],
  'json-duplicate-key': ['unspecified/repeated-key'],
  'json-too-deep': ['unspecified/deep-nesting'],
  'body-not-an-object': ['unspecified/wrong-type'],
  'name-missing': ['unspecified/missing-field'],
  'id-missing': ['unspecified/missing-field'],
  'name-invalid': ['unspecified/wrong-type'],
  'id-invalid': ['unspecified/wrong-type'],
  'id-out-of-range': ['unspecified/wrong-type'],
  'tag-invalid': ['unspecified/wrong-type'],
  'field-unknown': ['unspecified/unknown-field'],
  'name-not-allowed': ['unspecified/empty-name'],
  'tag-not-allowed': ['unspecified/empty-tag'],
  'id-not-allowed': ['unspecified/id-negative', 'unspecified/id-near-lower-end', 'unspecified/id-zero'],
  'id-duplicate': ['unspecified/repeated-id', 'unspecified/repeated-id-with-another-name'],
  'name-duplicate': ['unspecified/repeated-name'],
};

/** Reasons that no observation shows. Their status is that of a similar one, and so is their "error", if all are known. */
const SIMILAR: ReadonlySet<RejectionReason> = new Set([
  'authorization-malformed',
  'authorization-duplicate',
  'body-not-an-object',
  'id-missing',
  'id-invalid',
  'id-out-of-range',
  'tag-invalid',
]);

/** If no observation shows a reason, the rejection of this limit does; it has no "error". */
const LIMIT_OF = {
  'name-not-allowed': ['longest-name'],
  'tag-not-allowed': ['longest-tag'],
  'body-too-large': ['largest-body'],
} as const;

const OF_AUTHENTICATION = new Set<RejectionReason>([
  'authorization-missing',
  'authorization-malformed',
  'authorization-duplicate',
  'token-wrong',
]);
/** What the server does without an option. */
const USUAL_STATUS: Readonly<Partial<Record<RejectionReason, number>>> = {
  'unknown-path': 404,
  'method-not-allowed': 405,
};

type RejectionOptions = Pick<
  PlantStoreOptions,
  'authenticationFailureStatus' | 'challenge' | 'errorCodes' | 'rejections'
>;

/** The options that make the server reject with the statuses and the "error" of a provider. */
export function rejectionsLike(provider: KnownProvider): RejectionOptions {
  const codes = codesOf(provider.profile);
  const forToken = provider.status('unspecified/wrong-token');
  const authenticationFailureStatus = forToken === 401 || forToken === 403 ? forToken : undefined;
  const rejections: Partial<Record<RejectionReason, RejectionResponse>> = {};
  for (const reason of Object.keys(SHOWN_BY) as RejectionReason[]) {
    const { status, error } = shown(provider, reason);
    if (status === undefined) continue;
    const usual = (OF_AUTHENTICATION.has(reason) ? authenticationFailureStatus : USUAL_STATUS[reason]) ?? 400;
    const ownError = codes === undefined ? errorCodes[reason] : codes === 'status' ? status : codes;
    const response = {
      ...(status !== usual && { status }),
      ...(error !== undefined && error !== ownError && isInt32(error) && { error }),
    };
    if (Object.keys(response).length > 0) rejections[reason] = response;
  }
  const challenge = provider.value('unspecified/challenge');
  return {
    ...(authenticationFailureStatus !== undefined && { authenticationFailureStatus }),
    ...(challenge === 'none' && { challenge: false as const }),
    ...(challenge !== undefined && isSendable(challenge) && { challenge }),
    ...(codes !== undefined && { errorCodes: codes }),
    ...(Object.keys(rejections).length > 0 && { rejections }),
  };
}

/** Whether it is a challenge that the server can send, and not what it sends anyway. */
function isSendable(challenge: string): boolean {
  const isUsual = challenge === 'none' || challenge === 'Bearer';
  return !isUsual && /^[!-~](?:[\t -~]*[!-~])?$/.test(challenge);
}

function shown(provider: KnownProvider, reason: RejectionReason): RejectionResponse {
  for (const rule of SHOWN_BY[reason] ?? []) {
    const status = provider.rejection(rule);
    if (status === undefined) continue;
    const error = provider.error(rule);
    const isKnown = provider.hasSteadyErrors && (!SIMILAR.has(reason) || provider.hasOnlyKnownErrors);
    return { status, ...(error !== undefined && isKnown && { error }) };
  }
  const limits = reason in LIMIT_OF ? LIMIT_OF[reason as keyof typeof LIMIT_OF] : [];
  const status = limits.map((id) => provider.rejectionOfLimit(id)).find((one) => one !== undefined);
  return status === undefined ? {} : { status };
}

/** What the "error" of all rejections is, if it is not one for each reason. */
function codesOf({ behaviours }: Profile): 'status' | number | undefined {
  const rule: ObservationId = 'unspecified/error-codes';
  const value = behaviours.find((one) => one.rule === rule)?.value;
  if (value === 'status') return value;
  return value !== undefined && /^-?\d{1,10}$/.test(value) && isInt32(Number(value))
    ? Number(value)
    : undefined;
}

function isInt32(value: number): boolean {
  return Number.isInteger(value) && value >= -(2 ** 31) && value < 2 ** 31;
}
