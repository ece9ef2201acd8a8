import { limits } from '../../http/limits.js';
import { visibleInLine } from '../../output/escape.js';
import { verdicts } from '../../report/frame.js';
import { invalidOption, reasonOf } from '../../toolkit-error.js';
import { isObject } from '../../validation/json-value.js';
import type { CheckReport } from '../reporting/report.js';

/** The members that a report of a check must have, and what they are. */
const MEMBERS: Readonly<Record<string, (value: unknown) => boolean>> = {
  subject: isString,
  startedAt: (value) => /^\d{4}-/.test(String(value)) && !Number.isNaN(Date.parse(String(value))),
  durationMs: (value) => Number.isSafeInteger(value),
  conclusion: isString,
  warning: isOptional(isString),
  notes: listOf(isString),
  remarks: listOf(isString),
  groups: listOf((group) => isObject(group) && isString(group.title) && listOf(isCase)(group.cases)),
  findings: listOf((one) => isObject(one) && isString(one.id) && listOf(isString)(one.cases)),
  sections: listOf((one) => isObject(one) && isString(one.title) && listOf(isString)(one.items)),
  rules: listOf(isRule),
  houseRules: isOptional(listOf(isRule)),
  profile: isObject,
  createdIds: listOf(isString),
  exchanges: listOf(isExchange),
  exploration: (value) => value === undefined || isExploration(value),
};

/**
 * Reads a JSON report of `check`.
 *
 * @param file how errors name it
 * @throws ToolkitError `invalid-option`, with a sentence that says what is wrong
 */
export function readCheckReport(bytes: Uint8Array, file: string): CheckReport {
  if (bytes.length > limits.report)
    throw invalidOption(`${file} is longer than the limit of ${limits.report} bytes`);
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (cause) {
    throw invalidOption(`${file} is not JSON: ${visibleInLine(reasonOf(cause))}`, { cause });
  }
  if (!isObject(value) || value.kind !== 'check' || value.reportVersion !== 1)
    throw invalidOption(`${file} is not a report of \`plant-store check --reporter json\``);
  const report: Readonly<Record<string, unknown>> = value;
  const wrong = Object.entries(MEMBERS).find(([name, isRight]) => !isRight(report[name]));
  if (wrong !== undefined)
    throw invalidOption(`${file} is not a report of a check: "${wrong[0]}" is not as it must be`);
  return value as unknown as CheckReport;
}

function isVerdict(value: unknown): boolean {
  return verdicts.some((verdict) => verdict === value);
}

function isRule(value: unknown): boolean {
  return isObject(value) && isString(value.id) && isVerdict(value.verdict);
}

function isCase(value: unknown): boolean {
  return (
    isObject(value) &&
    [value.id, value.title].every(isString) &&
    isVerdict(value.verdict) &&
    [value.level, value.detail, value.source].every(isOptional(isString)) &&
    [value.place, value.excuse].every(isOptional(isObject)) &&
    isOptional(listOf(isString))(value.notes) &&
    listOf(isEvidence)(value.evidence)
  );
}

function isEvidence(value: unknown): boolean {
  return (
    isObject(value) &&
    isString(value.actual) &&
    Number.isSafeInteger(value.finding) &&
    [value.sent, value.where, value.expected, value.repeated].every(isOptional(isString)) &&
    isOptional(listOf(Number.isSafeInteger))(value.exchanges) &&
    isOptional(listOf(isString))(value.reproduce)
  );
}

function isExchange(value: unknown): boolean {
  return (
    isObject(value) &&
    [value.name, value.role].every(isString) &&
    [value.startMs, value.durationMs].every(isMs) &&
    isRequest(value.request) &&
    isOptional(isResponse)(value.response) &&
    isOptional((failure) => isObject(failure) && isString(failure.message))(value.failure)
  );
}

/** So short that it can be added to a date: a HAR has the date of each exchange. */
function isMs(value: unknown): boolean {
  return typeof value === 'number' && value >= 0 && value < 1e12;
}

function isRequest(value: unknown): boolean {
  return isObject(value) && [value.method, value.url].every(isString) && isMessage(value);
}

function isResponse(value: unknown): boolean {
  return isObject(value) && Number.isSafeInteger(value.status) && isMessage(value);
}

function isMessage(value: Readonly<Record<string, unknown>>): boolean {
  return (
    listOf((field) => Array.isArray(field) && field.length === 2 && field.every(isString))(value.headers) &&
    isObject(value.body) &&
    isString(value.body.text)
  );
}

function isOptional(isRight: (value: unknown) => boolean): (value: unknown) => boolean {
  return (value) => value === undefined || isRight(value);
}

function isExploration(value: unknown): boolean {
  return (
    isObject(value) &&
    isObject(value.shard) &&
    Number.isSafeInteger(value.shard.index) &&
    Number.isSafeInteger(value.shard.of) &&
    Number(value.shard.of) <= 10_000 &&
    isObject(value.intermittent) &&
    listOf((one) => isObject(one) && isString(one.rule) && isObject(one.draft))(value.failures)
  );
}

function isString(value: unknown): boolean {
  return typeof value === 'string';
}

function listOf(isRight: (value: unknown) => boolean): (value: unknown) => boolean {
  return (value) => Array.isArray(value) && value.every(isRight);
}
