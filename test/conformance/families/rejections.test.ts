import { execFileSync } from 'node:child_process';
import { probes } from 'plant-store-contract/conformance';
import { createPlantStore } from 'plant-store-contract/server';
import { describe, expect, test } from 'vitest';
import { probeFrom } from '../../../src/conformance/families/draft.js';
import { drawRejections } from '../../../src/conformance/families/rejections/explore.js';
import { freshValues } from '../../../src/conformance/sending/fresh-values.js';
import { drawn, misjudged, serverWith } from './drawn.js';
import { foundBy } from './found-by.js';

const token = 'a-token-of-these-tests';
const core = probes.filter(({ name }) => name.startsWith('rejections/'));

function bodyOf(probe: (typeof core)[number]): Buffer {
  return Buffer.from(probe.requests(freshValues(token))[0]?.body ?? []);
}

describe('core rejections', () => {
  test('are rejected by the reference server, each for the mistake that it is about', async () => {
    const { fetch } = createPlantStore({ token });
    for (const probe of core) {
      const [request] = probe.requests(freshValues(token));
      const response = await fetch(
        new Request('http://localhost/plants', {
          method: 'POST',
          headers: (request?.headers ?? []).map(([name, value]) => [name, value]),
          body: bodyOf(probe),
        }),
      );
      const { message } = (await response.json()) as { message: string };
      expect([response.status, probe.expectation]).toEqual([400, 'rejected']);
      const [rule = ''] = probe.rules ?? [];
      const word = { 'request/body-is-json': 'JSON', 'auth/wrong-token-is-refused': 'token' }[rule];
      expect(message, probe.name).toContain(word ?? /(name|id|tag)/.exec(rule)?.[0]);
    }
  });

  test('fit into 64 KiB: a provider may close the connection before it has read more', () => {
    for (const probe of core) expect(bodyOf(probe).length).toBeLessThan(2 ** 16);
  });

  test('have shell commands that write long names', () => {
    for (const probe of core) {
      const [request] = probe.requests(freshValues(token));
      const command = request?.shell?.body;
      if (command === undefined) continue;
      expect(command.length).toBeLessThan(200);
      expect(execFileSync('sh', ['-c', command])).toEqual(bodyOf(probe));
    }
  });

  test('have long names that are cut inside a character after 2^k bytes', () => {
    for (const name of ['rejections/long-name', 'rejections/very-long-name']) {
      const probe = core.find((one) => one.name === name);
      const text: string = JSON.parse(String(probe && bodyOf(probe))).name;
      for (let bytes = 16; bytes < Buffer.from(text).length; bytes *= 2)
        expect(Buffer.from(text).subarray(0, bytes).toString(), `${bytes}`).toContain('\ufffd');
    }
  });
});

describe('only rejections show that the provider', () => {
  test.for([
    'quotes-names-unescaped',
    'cuts-names-in-characters',
    'cuts-long-errors-off',
    'formats-messages',
    'fails-on-half-surrogates',
    'fails-on-many-digits',
    'splits-headers',
    'blocks-lookups-with-html',
  ] as const)('%s', async (fault) => {
    expect((await foundBy(fault)).families).toEqual(['rejections']);
  });
});

describe('drawn rejections', () => {
  const drafts = drawn(drawRejections, 1_500);

  test('must mostly be rejected, and fit into 64 KiB', () => {
    const rejected = drafts.filter(({ expectation }) => expectation === 'rejected');
    expect(rejected.length).toBeGreaterThan(drafts.length * 0.8);
    for (const draft of drafts)
      for (const { body } of probeFrom(draft).requests(freshValues(token)))
        expect(body.length).toBeLessThan(2 ** 16);
  });

  test('are as expected at the reference server', async () => {
    expect(await misjudged(drafts)).toEqual([]);
  });

  test.for(['formats-messages', 'fails-on-half-surrogates'] as const)('show the fault %s', async (fault) => {
    expect(await misjudged(drafts, [fault])).not.toEqual([]);
  });

  test.for(['quotes-names-unescaped', 'cuts-names-in-characters'] as const)(
    'show the fault %s',
    async (fault) => {
      const [send, sendToReference] = [serverWith([fault]), serverWith([])];
      const shown: string[] = [];
      for (const request of drafts.flatMap((draft) => probeFrom(draft).requests(freshValues(token)))) {
        const { text } = await send(request);
        // A correct rejection may quote a U+FFFD, too.
        if (isDamaged(text) && !isDamaged((await sendToReference(request)).text)) shown.push(text);
      }
      expect(shown).not.toEqual([]);
    },
  );
});

function isDamaged(text: string): boolean {
  return text.includes('\ufffd') || !isJson(text);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
