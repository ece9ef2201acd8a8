import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { CannotFind } from '../../../src/conformance/discovery/asker.js';
import { largestBody } from '../../../src/conformance/discovery/body.js';
import { rejectedCharacters } from '../../../src/conformance/discovery/characters.js';
import { duplicateRejection, idLimit } from '../../../src/conformance/discovery/ids.js';
import { longest, shortest } from '../../../src/conformance/discovery/lengths.js';
import { requestsPerSecond } from '../../../src/conformance/discovery/rate.js';
import { type Layer, startCorrect, type Variation } from '../providers/correct/provider.js';
import { atOnce, everySoMany, perSecond, slow } from '../providers/correct/traffic.js';
import { startHandler } from '../providers/handler.js';
import { askerAt, inProvider, token } from './asking.js';

const ANY = Number.POSITIVE_INFINITY;
const names = (pattern: RegExp): Variation => ({ plants: { names: pattern } });

describe('lengths', () => {
  test.for([30, 100, 255, 256, 777, 10_000])(
    'a longest name of %i letters is found, in few requests',
    async (most) => {
      const [finding, asked] = await inProvider(names(new RegExp(`^[\\s\\S]{0,${most}}$`)), async (asker) => [
        await longest(asker, 'name', ANY),
        asker.exchanges.length,
      ]);
      expect(finding).toMatchObject({ outcome: 'found', value: String(most) });
      expect(finding.accepted?.sent).toBe(`a name of ${most.toLocaleString('en')} letters`);
      expect([finding.accepted?.got, finding.rejected?.got]).toEqual(['200', '400']);
      expect(asked).toBeLessThan(most === 777 ? 40 : 25);
    },
  );

  test('no limit is found where there is none, in five requests', async () => {
    const [finding, asked] = await inProvider({}, async (asker) => [
      await longest(asker, 'tag', ANY),
      asker.exchanges.length,
    ]);
    expect(finding).toMatchObject({ outcome: 'not-found', upTo: '65536' });
    expect(finding.sentence).toBe('Longest tag: not found up to 65,536 characters.');
    expect(asked).toBeLessThanOrEqual(5);
  });

  test('a limit of the body is no limit of the name', async () => {
    const finding = await inProvider({ largest: 1000 }, (asker) => longest(asker, 'name', 1000));
    expect(finding.outcome).toBe('not-found');
    expect(finding.sentence).toMatch(
      /^Longest name: not found up to 9\d\d characters, which make the largest body\.$/,
    );
  });

  test('several limits are reported as such, and end the search', async () => {
    const finding = await inProvider(names(/^(?:[\s\S]{1,100}|[\s\S]{1000})$/), (asker) =>
      longest(asker, 'name', ANY),
    );
    expect(finding.outcome).toBe('several');
    expect(finding.sentence).toContain('no single limit');
    expect(finding.value).toBeUndefined();
  });

  test('a name that is cut is not accepted', async () => {
    await using provider = await startHandler((request, response) => {
      void request.toArray().then((chunks) => {
        const { name } = JSON.parse(Buffer.concat(chunks).toString());
        response.writeHead(200, { 'Content-Type': 'application/json' });
        response.end(JSON.stringify({ name: name.slice(0, 64) }));
      });
    });
    const finding = await longest(askerAt(provider.url), 'name', ANY);
    expect(finding).toMatchObject({ outcome: 'found', value: '64' });
    expect(finding.rejected?.got).toBe('200 with another name or tag');
  });

  test('the shortest name is found, unless names are unique', async () => {
    const of = (variation: Variation) => inProvider(variation, (asker) => shortest(asker, 'name'));
    expect(await of({})).toMatchObject({
      outcome: 'not-found',
      sentence: 'Shortest name: an empty name is accepted.',
    });
    expect(await of(names(/^[\s\S]{3,}$/))).toMatchObject({ outcome: 'found', value: '3' });
    const unique = of({ ...names(/^[\s\S]{1,}$/), store: { uniqueNames: true } });
    await expect(unique).rejects.toThrow('names are unique here');
  });
});

describe('ids', () => {
  const of = (variation: Variation, side: 'smallest' | 'largest') =>
    inProvider(variation, async (asker) => idLimit(asker, side, await duplicateRejection(asker)));
  const ids = (accepts: (id: bigint) => boolean): Variation => ({ plants: { ids: accepts } });

  test.for([1n, 0n, -1n, -128n, -(2n ** 31n), 1000n])('a smallest id of %s is found', async (least) => {
    expect(
      await of(
        ids((id) => id >= least),
        'smallest',
      ),
    ).toMatchObject({ outcome: 'found', value: String(least) });
  });

  test.for([2n ** 31n - 1n, 2n ** 53n - 1n, 2n ** 53n, 10n ** 12n - 1n, 3_000_000_007n])(
    'a largest id of %s is found exactly',
    async (most) => {
      const finding = await of(
        ids((id) => id <= most),
        'largest',
      );
      expect(finding).toMatchObject({ outcome: 'found', value: String(most) });
      expect(finding.rejected?.sent).toBe(`the id ${most + 1n}`);
    },
  );

  test.for(['smallest', 'largest'] as const)(
    'no %s id is found where all of int64 is accepted',
    async (side) => {
      const end = side === 'largest' ? 2n ** 63n - 1n : -(2n ** 63n);
      expect(await of({}, side)).toMatchObject({ outcome: 'not-found', upTo: String(end) });
    },
  );

  test('ids that exist do not move a limit if a duplicate is rejected in another way', async () => {
    const seed = Array.from({ length: 50 }, (_, at) => ({ name: 'Fern', id: BigInt(at + 1) }));
    const taken = { ...ids((id) => id >= 1n), store: { seed } };
    const differing = await of({ ...taken, statuses: { duplicate: 409 } }, 'smallest');
    expect(differing).toMatchObject({ outcome: 'found', value: '1' });
    expect(differing.approximate).toBeUndefined();
  });

  test('a limit is approximate if a duplicate is rejected in the same way', async () => {
    await using provider = await startHandler((request, response) => {
      void request.toArray().then((chunks) => {
        const body = Buffer.concat(chunks).toString();
        const id = BigInt(/"id":(-?\d+)/.exec(body)?.[1] ?? 0);
        const isRejected = id < 1n || seen.has(id);
        seen.add(id);
        response.writeHead(isRejected ? 400 : 200, { 'Content-Type': 'application/json' });
        response.end(
          isRejected ? '{"error":1,"message":"no"}' : JSON.stringify({ name: JSON.parse(body).name }),
        );
      });
    });
    const seen = new Set([1n, 2n]);
    const asker = askerAt(provider.url);
    const finding = await idLimit(asker, 'smallest', await duplicateRejection(asker));
    expect(finding).toMatchObject({ outcome: 'found', value: '3', approximate: true });
    expect(finding.sentence).toContain('or slightly less');
  });
});

describe('the largest body', () => {
  test.for<[string, Variation, string]>([
    ['answers 413', { largest: 100_000, statuses: { size: 413 } }, '413'],
    ['answers before the end of the body', { largest: 102_400, tooLarge: 'answered-early' }, '400'],
    ['resets the connection', { largest: 1_000_000, tooLarge: 'reset' }, 'a reset connection'],
  ])('is found where the provider %s', async ([_what, variation, got]) => {
    const finding = await inProvider(variation, largestBody);
    expect(finding).toMatchObject({ outcome: 'found', value: String(variation.largest) });
    expect(finding.rejected?.got).toBe(got);
  });
});

describe('characters', () => {
  const of = (pattern: RegExp) =>
    inProvider(names(pattern), (asker) => rejectedCharacters(asker, 'name', ANY));

  test('are none where all are accepted', async () => {
    const finding = await of(/^[\s\S]*$/);
    expect(finding.sentence).toBe('Characters rejected in a name: none of 84 characters of 11 kinds.');
  });

  test('are found one by one among many that are accepted', async () => {
    expect((await of(/^[^<>\0]*$/)).value).toBe('U+003C U+003E nul');
  });

  test('are groups where all of a group is rejected, and the others one by one', async () => {
    const { value = '', sentence } = await of(/^[A-Za-z' -]*$/);
    expect(value.split(' ')).toEqual(
      expect.arrayContaining(['digits', 'accents', 'controls', 'U+0021', 'U+005F']),
    );
    expect(value.split(' ')).not.toContain('U+002D');
    expect(value.split(' ')).not.toContain('U+0027');
    expect(sentence).toContain('digits such as 0 and 9');
  });

  test('are not confused with a limit of lengths', async () => {
    const short = { plants: { tags: /^.{1,12}$/su } };
    const finding = await inProvider(short, (asker) => rejectedCharacters(asker, 'tag', 12));
    expect(finding.outcome).toBe('not-found');
  });
});

describe('requests per second', () => {
  test('are found where the provider limits them, about', async () => {
    const finding = await inProvider({ layers: () => [perSecond(8)] }, requestsPerSecond);
    expect(finding).toMatchObject({ outcome: 'found', approximate: true });
    expect(Number(finding.value)).toBeGreaterThanOrEqual(8);
    expect(Number(finding.value)).toBeLessThanOrEqual(16);
    expect(finding.rejected?.got).toBe('429');
  });

  test('are not found where each request is slow, or too many at once are rejected', async () => {
    const finding = await inProvider({ layers: () => [atOnce(4), slow(100)] }, requestsPerSecond);
    expect(finding.outcome).toBe('not-found');
  });

  test('could not be found if a 429 comes now and then', async () => {
    const found = inProvider({ layers: () => [everySoMany(7, 429, () => '0')] }, requestsPerSecond);
    await expect(found).rejects.toThrow(
      'a request was rejected as one too many, and 3 of the next 3 were not',
    );
  });

  test('are not looked for if the user set the rate, which the search keeps', async () => {
    await using provider = await startCorrect(token, { layers: () => [perSecond(12)] });
    const asker = askerAt(provider.url, 5_000, 10);
    await expect(requestsPerSecond(asker)).rejects.toThrow('the rate of the check was set');
    await rejectedCharacters(asker, 'name', ANY);
    await rejectedCharacters(asker, 'tag', ANY);
    expect(asker.exchanges.length).toBeGreaterThan(20);
    expect(asker.wasThrottled).toBe(false);
  });

  test('could not be found if the number changes much', async () => {
    let count = 0;
    // Two limits: the requests 4 to 7 are too many, and then those from 50.
    const changing: Layer = async (_call, next) => {
      const isTooMany = (++count > 3 && count < 8) || count > 49;
      return isTooMany ? { status: 429, body: { error: 429, message: 'busy' } } : next();
    };
    const found = inProvider({ layers: () => [changing] }, requestsPerSecond);
    await expect(found).rejects.toThrow(/after 2 requests within a second, and then after 4\d/);
  });
});

describe('a provider that gives no answer that counts', () => {
  /** Answers plain plants with 200 until one has a long name. */
  function startAnswering(answer: (isLong: boolean, count: number) => number | 'none') {
    let count = 0;
    return startHandler((request, response) => {
      void request.toArray().then((chunks) => {
        const { name } = JSON.parse(Buffer.concat(chunks).toString());
        const status = answer(name.length > 50, ++count);
        if (status === 'none') return;
        response.writeHead(status, { 'Content-Type': 'application/json', 'Retry-After': '60' });
        response.end(JSON.stringify(status === 200 ? { name } : { error: 1, message: 'no' }));
      });
    });
  }

  test.for<[string, (isLong: boolean, count: number) => number | 'none', string]>([
    [
      'is gone after a rejection',
      (isLong, count) => (isLong ? 400 : count < 2 ? 200 : 502),
      'a plain plant after it',
    ],
    ['rejects something once and accepts it later', flaky(400), 'was accepted the next time'],
    ['has trouble now and then', flaky(500), 'was accepted the next time'],
    ['never answers', () => 'none', 'no response within'],
    ['limits its rate for a minute', () => 429, 'the provider limits its rate (429)'],
  ])('that %s has no limit found', async ([_what, answer, reason]) => {
    await using provider = await startAnswering(answer);
    const found = longest(askerAt(provider.url, 100), 'name', ANY);
    await expect(found).rejects.toThrow(CannotFind);
    await expect(found).rejects.toThrow(reason);
  });

  /** The first long name is rejected. */
  function flaky(status: number): (isLong: boolean) => number {
    let rejected = 0;
    return (isLong) => (isLong && ++rejected === 1 ? status : 200);
  }
});

describe('the two requests on either side of a limit', () => {
  const hasCurl = (() => {
    try {
      return execFileSync('curl', ['--version']).length > 0;
    } catch {
      return false;
    }
  })();

  test.skipIf(!hasCurl)('show it again in a shell, without the token', async () => {
    await using provider = await startCorrect(token, { plants: { names: /^[\s\S]{0,777}$/ }, largest: 5000 });
    const asker = askerAt(provider.url);
    const findings = [await longest(asker, 'name', ANY), await largestBody(asker)];
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
      execFile('sh', ['-c', script], { env }, (_problem, stdout, stderr) => resolve(stdout + stderr));
    });
  }
});
