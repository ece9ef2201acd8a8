import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { type FoundLimit, findLimit } from '../../../src/conformance/limits/discover.js';
import { type LimitId, limitTitles } from '../../../src/report/profile.js';
import { type Layer, startCorrect, type Variation } from '../providers/correct/provider.js';
import { everySoMany, perSecond } from '../providers/correct/traffic.js';
import { startHandler } from '../providers/handler.js';
import { inProvider, sessionAt, token } from './session.js';

const upTo = (most: number) => new RegExp(`^[\\s\\S]{0,${most}}$`);

/** What is found in a provider that conforms, and how many requests it took. */
function found(id: LimitId, variation: Variation): Promise<readonly [FoundLimit, asked: number]> {
  return inProvider(variation, async (session) => [await findLimit(session, id), session.exchanges.length]);
}

describe('a limit is found exactly', () => {
  test.for<[LimitId, number, Variation]>([
    ...[30, 100, 255, 256, 10_000].flatMap((most) => [
      ['longest-name', most, { plants: { names: upTo(most) } }] as [LimitId, number, Variation],
      ['longest-tag', most, { plants: { tags: upTo(most) } }] as [LimitId, number, Variation],
    ]),
    ...[20, 64, 100, 128].map(
      (depth) => ['largest-depth', depth, { plants: { depth } }] as [LimitId, number, Variation],
    ),
    ['largest-depth', 500, {}],
  ])('%s: %i, in few requests', async ([id, most, variation]) => {
    const [finding, asked] = await found(id, variation);
    expect(finding).toMatchObject({ outcome: 'found', value: String(most) });
    expect([finding.accepted?.got, finding.rejected?.got]).toEqual(['200', '400']);
    expect(asked).toBeLessThanOrEqual(18);
  });

  test.for<[LimitId, number, Variation]>([
    ['longest-name', 57_777, { plants: { names: upTo(57_777) } }],
    ['largest-depth', 347, { plants: { depth: 347 } }],
    ['largest-body', 1_234_567, { largest: 1_234_567 }],
  ])('%s: %i, which is unusual, in more', async ([id, most, variation]) => {
    const [finding, asked] = await found(id, variation);
    expect(finding).toMatchObject({ outcome: 'found', value: String(most) });
    expect(asked).toBeGreaterThan(18);
    expect(asked).toBeLessThanOrEqual(35);
  });

  test('and said in words', async () => {
    const sentences = await inProvider(
      { plants: { names: upTo(255), tags: upTo(20), depth: 64 }, largest: 100_000 },
      async (session) => {
        const all: string[] = [];
        for (const id of Object.keys(limitTitles) as LimitId[])
          all.push((await findLimit(session, id)).sentence);
        return all;
      },
    );
    expect(sentences).toEqual([
      'Longest name: 255 characters. A name of 256 letters gets 400.',
      'Longest tag: 20 characters. A tag of 21 letters gets 400.',
      'Largest body: 100,000 bytes. A body of 100,001 bytes gets 400.',
      'Largest depth: 64 levels. JSON of 65 levels gets 400.',
    ]);
  });

  test.for<[string, Variation, string]>([
    ['answers 413', { largest: 100_000, statuses: { size: 413 } }, '413'],
    ['answers before the end of the body', { largest: 102_400, tooLarge: 'answered-early' }, '400'],
    ['resets the connection', { largest: 1_000_000, tooLarge: 'reset' }, 'a reset connection'],
  ])('if the provider %s', async ([_what, variation, got]) => {
    const [finding] = await found('largest-body', variation);
    expect(finding).toMatchObject({ outcome: 'found', value: String(variation.largest) });
    expect(finding.rejected?.got).toBe(got);
  });

  test('if the provider limits its rate, or rejects a request now and then for it', async () => {
    const plants = { names: upTo(64) };
    for (const layer of [perSecond(12), everySoMany(7, 429, () => '0')]) {
      const [finding] = await found('longest-name', { plants, layers: () => [layer] });
      expect(finding).toMatchObject({ outcome: 'found', value: '64' });
    }
  });

  test('at the rate that the user set', async () => {
    let throttled = 0;
    const counting: Layer = async (_call, next) => {
      const answer = await next();
      if (answer.status === 429) throttled++;
      return answer;
    };
    const variation = { plants: { names: upTo(191) }, layers: () => [counting, perSecond(12)] };
    await using provider = await startCorrect(token, variation);
    const session = sessionAt(provider.url, 5_000, 10);
    expect(await findLimit(session, 'longest-name')).toMatchObject({ outcome: 'found', value: '191' });
    expect(session.exchanges.length).toBeGreaterThan(12);
    expect(throttled).toBe(0);
  });

  test('if a longer name is cut: then it is not accepted', async () => {
    await using provider = await startHandler((request, response) => {
      void request.toArray().then((chunks) => {
        const { name } = JSON.parse(Buffer.concat(chunks).toString());
        response.writeHead(200, { 'Content-Type': 'application/json' });
        response.end(JSON.stringify({ name: name.slice(0, 64) }));
      });
    });
    const finding = await findLimit(sessionAt(provider.url), 'longest-name');
    expect(finding).toMatchObject({ outcome: 'found', value: '64' });
    expect(finding.rejected?.got).toBe('200 with another name or tag');
  });
});

describe('no limit is found', () => {
  test('where there is none, in three requests', async () => {
    const [finding, asked] = await found('longest-tag', {});
    expect(finding).toMatchObject({ outcome: 'not-found', upTo: '65536' });
    expect(finding.sentence).toBe('Longest tag: not found up to 65,536 characters.');
    expect(asked).toBe(3);
  });

  test.for([
    ['longest-name', /^Longest name: not found up to 9\d\d characters, which make the largest body\.$/],
    ['largest-depth', /^Largest depth: not found up to 4\d\d levels, which make the largest body\.$/],
  ] as const)('of %s if the largest body comes first', async ([id, sentence]) => {
    const [finding] = await found(id, { largest: 1000 });
    expect(finding).toMatchObject({ outcome: 'not-found', sentence: expect.stringMatching(sentence) });
  });

  test('beyond a value that the provider does not answer', async () => {
    await using provider = await startAnswering(({ name }) => (name.length > 1000 ? 'none' : 200));
    expect(await findLimit(sessionAt(provider.url, 100), 'longest-name')).toMatchObject({
      outcome: 'not-found',
      upTo: '1000',
      sentence: expect.stringMatching(
        /^Longest name: not found up to 1,000 characters\. Beyond that, a name of 65,536 letters got no response/,
      ),
    });
  });
});

describe('a limit could not be found', () => {
  test('of depth if unknown fields are rejected', async () => {
    const [finding, asked] = await found('largest-depth', { plants: { unknownFields: 'rejected' } });
    expect(finding).toMatchObject({ outcome: 'unknown', reason: 'an array in an unknown field got 400' });
    expect(asked).toBe(2);
  });

  test.for([
    [/^(?:[\s\S]{1,100}|[\s\S]{1000})$/, '1,000 letters is accepted', '504 letters is rejected'],
    [/^(?:[\s\S]{1,100}|[\s\S]{500,999})$/, '100 letters is accepted', '101 letters is rejected'],
  ] as const)('if there is no single one: %s', async ([pattern, ...parts]) => {
    const [finding] = await found('longest-name', { plants: { names: pattern } });
    expect(finding.outcome).toBe('unknown');
    for (const part of ['there is no single limit', ...parts]) expect(finding.reason).toContain(part);
  });

  test.for<[string, Answering, string]>([
    [
      'is gone after a rejection',
      ({ name }, count) => (name.length > 50 ? 400 : count < 2 ? 200 : 502),
      'a plain plant after it',
    ],
    ['rejects something once and accepts it later', once(400), 'was accepted the next time'],
    ['has trouble once', once(500), 'was accepted the next time'],
    ['never answers', () => 'none', 'no response within'],
    ['limits its rate for a minute', () => 429, 'the provider limits its rate (429)'],
  ])('of a provider that %s', async ([_what, answer, reason]) => {
    await using provider = await startAnswering(answer);
    const finding = await findLimit(sessionAt(provider.url, 100), 'longest-name');
    expect(finding).toMatchObject({ outcome: 'unknown', reason: expect.stringContaining(reason) });
    expect(finding.sentence).toBe(`Longest name: could not be found: ${finding.reason}.`);
  });
});

type Answering = (plant: { readonly name: string }, count: number) => number | 'none';

/** Rejects the first long name. */
function once(status: number): Answering {
  let rejected = 0;
  return ({ name }) => (name.length > 50 && ++rejected === 1 ? status : 200);
}

function startAnswering(answer: Answering) {
  let count = 0;
  return startHandler((request, response) => {
    void request.toArray().then((chunks) => {
      const plant = JSON.parse(Buffer.concat(chunks).toString());
      const status = answer(plant, ++count);
      if (status === 'none') return;
      response.writeHead(status, { 'Content-Type': 'application/json', 'Retry-After': '60' });
      response.end(JSON.stringify(status === 200 ? { name: plant.name } : { error: 1, message: 'no' }));
    });
  });
}

describe('the two requests on either side of a limit', () => {
  const hasCurl = (() => {
    try {
      return execFileSync('curl', ['--version']).length > 0;
    } catch {
      return false;
    }
  })();

  const UP_TO_777 = /^[\s\S]{0,777}$/;

  test.skipIf(!hasCurl)('show it again in a shell, without the token', async () => {
    await using provider = await startCorrect(token, {
      plants: { names: UP_TO_777, tags: UP_TO_777, depth: 400 },
      largest: 5000,
    });
    const session = sessionAt(provider.url);
    const findings = [];
    for (const id of Object.keys(limitTitles) as LimitId[]) findings.push(await findLimit(session, id));
    for (const { accepted, rejected } of findings)
      for (const [side, status] of [
        [accepted, 'HTTP/1.1 200'],
        [rejected, 'HTTP/1.1 400'],
      ] as const) {
        const script = side?.reproduce.join('\n') ?? '';
        expect(script).not.toContain(token);
        // Not the synchronous one: the provider runs in this process.
        const output = await run(script);
        expect(output, script).toContain(status);
      }
  });

  async function run(script: string): Promise<string> {
    const { execFile } = await import('node:child_process');
    const env = { ...process.env, PLANT_STORE_TOKEN: token };
    return new Promise((resolve) => {
      execFile('bash', ['-c', script], { env }, (_problem, stdout, stderr) => resolve(stdout + stderr));
    });
  }
});
