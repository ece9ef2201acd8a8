import type { Verification } from '../verification/verification.js';

/** A verification as one JSON document, indented. */
export function verificationJson(verification: Verification): string {
  return `${JSON.stringify(verification, null, 2)}\n`;
}
