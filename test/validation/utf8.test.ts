import { expect, test } from 'vitest';
import { malformedUtf8At } from '../../src/validation/utf8.js';

// What is malformed is tested with the JSON parser.
test.each(['', 'Aloe', 'é', '\u0080\u07ff\u0800\ud7ff\ue000\uffff', '\u{10000}🌱\u{10ffff}'])(
  'nothing in %j is malformed',
  (text) => {
    expect(malformedUtf8At(Buffer.from(text))).toBe(-1);
  },
);
