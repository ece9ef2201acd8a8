import type { RejectionResponse } from '../../server/options.js';
import type { BehaviourOptions } from './options.js';

/** The flags of `serve` that give these options. */
export function flagsFor(options: BehaviourOptions): string[] {
  const { limits = {}, rejections = {}, challenge, mediaTypes } = options;
  const flags: string[] = [];
  const add = (flag: string, value: unknown): void => {
    // A value may begin with a hyphen.
    if (value !== undefined) flags.push(`--${flag}=${value}`);
  };
  add('authentication-status', options.authenticationFailureStatus);
  if (challenge === false) flags.push('--no-challenge');
  else add('challenge', challenge);
  add('authorization-syntax', options.authorizationSyntax);
  add('duplicate-authorization', options.duplicateAuthorization);
  add('error-codes', options.errorCodes);
  for (const [response, reasons] of byResponse(rejections))
    add('rejection', `${reasons.join(',')}=${response}`);
  add('duplicate-id', options.duplicateId);
  add('duplicate-name', options.duplicateName);
  add('unknown-fields', options.unknownFields);
  add('duplicate-keys', options.duplicateKeys);
  add('fractional-ids', options.fractionalIds);
  add('byte-order-mark', options.byteOrderMark);
  add('media-type', mediaTypes?.join(','));
  add('name-pattern', patternText(options.namePattern));
  add('tag-pattern', patternText(options.tagPattern));
  add('shortest-name', limits.shortestName);
  add('longest-name', limits.longestName);
  add('shortest-tag', limits.shortestTag);
  add('longest-tag', limits.longestTag);
  add('smallest-id', limits.smallestId);
  add('requests-per-second', limits.requestsPerSecond);
  add('body-limit', limits.bodyBytes);
  return flags;
}

/** A command line for a POSIX shell. */
export function commandLine(words: readonly string[]): string {
  return words.map((word) => (/^[\w./:=,+-]+$/.test(word) ? word : quotedWord(word))).join(' ');
}

function quotedWord(word: string): string {
  const [, flag = '', value = word] = /^(--[a-z-]+=)(.*)$/s.exec(word) ?? [];
  return `${flag}'${value.replaceAll("'", "'\\''")}'`;
}

/** Reasons with the same response share a flag. */
function byResponse(rejections: NonNullable<BehaviourOptions['rejections']>): Map<string, string[]> {
  const reasons = new Map<string, string[]>();
  for (const [reason, response] of Object.entries(rejections)) {
    const words = inWords(response);
    reasons.set(words, [...(reasons.get(words) ?? []), reason]);
  }
  return reasons;
}

function inWords({ status, error }: RejectionResponse): string {
  return `${status ?? ''}${error === undefined ? '' : `:${error}`}`;
}

function patternText(pattern: string | RegExp | undefined): string | undefined {
  return typeof pattern === 'object' ? pattern.source : pattern;
}
