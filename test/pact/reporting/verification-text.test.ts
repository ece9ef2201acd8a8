import { describe, expect, test } from 'vitest';
import { verificationText } from '../../../src/pact/reporting/verification-text.js';
import type { Verification, VerifiedInteraction } from '../../../src/pact/verification/verification.js';

const passed: VerifiedInteraction = {
  ...{ description: 'a creation', states: [], verdict: 'pass', pending: false },
  ...{ mismatches: [], violations: [] },
};

const request = {
  ...{ method: 'POST', url: 'http://localhost/plants', headers: [] },
  body: { encoding: 'utf-8', text: '{}' },
} as const;

function textOf(
  interactions: readonly VerifiedInteraction[],
  options?: Parameters<typeof verificationText>[1],
  further: Partial<Verification> = {},
): string {
  return verificationText(
    {
      ...{ verificationVersion: 1, provider: 'plant-store', baseUrl: 'http://localhost' },
      ...{ startedAt: '2026-01-01T00:00:00.000Z', durationMs: 1_234, notes: [] },
      ...{ conclusion: 'fails', summary: 'The sum of it.' },
      pacts: [{ where: 'a.json', consumer: 'garden', interactions }],
      ...further,
    },
    options,
  );
}

test('an interaction without states is its description', () => {
  expect(textOf([passed], {}, { conclusion: 'verified' })).toBe(
    'plant-store at http://localhost\n\ngarden → plant-store a.json\n  ✓ a creation\n\n' +
      'verified: 1 pass in 1.23 s\nThe sum of it.\n',
  );
});

describe('what failed is written out', () => {
  const failed: VerifiedInteraction = {
    ...{ ...passed, description: 'a refusal', states: ['one', 'two'], verdict: 'fail' },
    hint: 'Perhaps the token.',
    mismatches: [
      { part: 'body', path: '$.name', message: 'differs' },
      { part: 'body', path: '$.tag', message: '$.tag is missing' },
      { part: 'status', message: 'expected 200' },
    ],
  };

  test('with the path of a mismatch where its sentence lacks it, and a hint at the end', () => {
    expect(textOf([failed])).toContain(
      '  ✗ a refusal given one and two\n      pact: $.name: differs\n      pact: $.tag is missing\n' +
        '      pact: expected 200\n      Perhaps the token.\n\n',
    );
  });

  test('with what was sent, where nothing came back', () => {
    const text = textOf([{ ...failed, exchange: { request, durationMs: 1 } }]);
    expect(text).toContain('      sent  POST http://localhost/plants {}\n\n');
    expect(text).not.toContain('got ');
  });

  test('with the beginning of a long body, and without the bytes of one that is no text', () => {
    const long = { encoding: 'utf-8', text: `${'a'.repeat(299)}🌱${'b'.repeat(9)}` } as const;
    const bytes = { encoding: 'base64', text: '/w==' } as const;
    const exchange = {
      ...{ request: { ...request, body: long }, durationMs: 1 },
      response: { status: 500, headers: [], body: bytes },
    };
    const text = textOf([{ ...failed, exchange }]);
    // A surrogate pair that is cut leaves no half of itself.
    expect(text).toContain(`/plants ${'a'.repeat(299)}\ufffd…\n`);
    expect(text).toContain('      got   500 (a body that is no text)\n');
  });

  test('and counts for nothing where it is pending', () => {
    const text = textOf([{ ...failed, pending: true }], { color: true });
    expect(text).toContain('\x1b[33m pending: counts for nothing');
    expect(text).not.toContain('1 fail');
  });
});

describe('quiet', () => {
  test('leaves out what passed, and a pact of which all did', () => {
    const other = {
      where: 'b.json',
      interactions: [{ ...passed, verdict: 'blocked', reason: 'why' } as const],
    };
    const pacts = [{ where: 'a.json', consumer: 'garden', interactions: [passed] }, other];
    const text = textOf([], { quiet: true }, { pacts, conclusion: 'incomplete' });
    expect(text).toBe(
      'plant-store at http://localhost\n\nconsumers → plant-store b.json\n  ■ a creation\n      why\n\n' +
        'could not be verified wholly: 1 pass, 1 blocked in 1.23 s\nThe sum of it.\n',
    );
  });
});

test('where nothing could be tested, the reason stands once, and notes before it', () => {
  const blocked: VerifiedInteraction = { ...passed, verdict: 'blocked', reason: 'it is down' };
  const text = textOf([blocked], {}, { conclusion: 'not-testable', notes: ['Heed this.'] });
  expect(text).not.toContain('it is down');
  expect(text).toContain('Note: Heed this.\n\ncould not be tested: 1 blocked');
});
