import { ERROR, REQUEST_BODY } from '../rule.js';
import type { Gap } from './topic.js';

/** When a request fails, and how. */
export const FAILURES: Gap = {
  source: { section: 'Errors', rule: 2, pointer: ERROR },
  why: 'The conditions that produce a 400, and any other error statuses, are not shown.',
};

/** Where parsers of JSON differ. */
export const JSON_PARSERS: Gap = {
  source: { section: 'Endpoints', pointer: `${REQUEST_BODY}/content` },
  why: 'The body is JSON. JSON parsers differ here, and RFC 8259 allows them to.',
};
