import { type ProbeRequest, probes } from 'plant-store-contract/conformance';
import { describe, expect, test } from 'vitest';
import { freshValues } from '../../../src/conformance/probe.js';
import { requestsOf } from '../../../src/conformance/row.js';
import { serverWith, TOKEN, textOf } from './drawn.js';

const core = probes.filter(({ name }) => name.startsWith('rejections/'));

function requestOf(probe: (typeof core)[number]): ProbeRequest {
  return requestsOf(probe, freshValues(TOKEN))[0] as ProbeRequest;
}

describe('core rejections', () => {
  test('are rejected by the reference server, each for the mistake that it is about', async () => {
    const send = serverWith();
    for (const probe of core) {
      const { status, text } = await send(requestOf(probe));
      expect([status, probe.expectation]).toEqual([400, 'rejected']);
      const [rule = ''] = probe.rules ?? [];
      const word = { 'request/body-is-json': 'JSON', 'auth/wrong-token-is-refused': 'token' }[rule];
      expect(JSON.parse(text).message, probe.name).toContain(word ?? /(name|id|tag)/.exec(rule)?.[0]);
    }
  });

  test('fit into 64 KiB: a provider may close the connection before it has read more', () => {
    for (const probe of core) expect(requestOf(probe).body.length).toBeLessThan(2 ** 16);
  });

  test('have long names that are cut inside a character after 2^k bytes', () => {
    for (const name of ['rejections/long-name', 'rejections/very-long-name']) {
      const probe = core.find((one) => one.name === name);
      const text: string = JSON.parse(textOf(probe && requestOf(probe))).name;
      for (let bytes = 16; bytes < Buffer.from(text).length; bytes *= 2)
        expect(Buffer.from(text).subarray(0, bytes).toString(), `${bytes}`).toContain('\ufffd');
    }
  });
});
