import xmlbuilder, { type XMLElement } from 'xmlbuilder';
import { visible } from '../conformance/reporting/control-characters.js';

/** An element of a JUnit document. */
export type JunitElement = XMLElement;

/** What becomes of a test case. */
export type Outcome = 'passed' | 'failure' | 'error' | 'skipped';

/** The counts that a suite begins with. */
export interface Tally {
  readonly tests: number;
  readonly failures: number;
  readonly errors: number;
  readonly skipped: number;
}

/** Begins a JUnit document; `end` of its root gives its text. */
export function junitDocument(
  name: string,
  { durationMs, ...tally }: Tally & { readonly durationMs: number },
): JunitElement {
  const root = xmlbuilder.create('testsuites', { version: '1.0', encoding: 'UTF-8' });
  const attributes = { name, ...tally, time: (durationMs / 1000).toFixed(3) };
  for (const [key, value] of Object.entries(attributes)) root.att(key, value);
  return root;
}

/** Counts outcomes. */
export function tallied(outcomes: readonly Outcome[]): Tally {
  const count = (wanted: Outcome): number => outcomes.filter((outcome) => outcome === wanted).length;
  return {
    tests: outcomes.length,
    failures: count('failure'),
    errors: count('error'),
    skipped: count('skipped'),
  };
}

/** The one way into the document: what XML forbids is replaced here, and xmlbuilder escapes the rest. */
export function add(
  parent: JunitElement,
  name: string,
  attributes: Readonly<Record<string, string | number>>,
  text?: string,
): JunitElement {
  const child = parent.ele(name);
  for (const [key, value] of Object.entries(attributes)) child.att(key, visible(String(value)));
  if (text !== undefined && text !== '') child.txt(visible(text));
  return child;
}
