import { checkConformance } from 'plant-store-contract/conformance';
import { readProfile, startPlantStore } from 'plant-store-contract/server';
import { describe, expect, test } from 'vitest';
import { planOfDiscovery } from '../../../src/conformance/prepare.js';
import { limitTitles } from '../../../src/report/profile.js';
import { plantStore } from '../../cli/console.js';
import { schemaErrors } from '../../report/formats/schema.js';
import { startCorrect, type Variation } from '../providers/correct/provider.js';
import { lockOut } from '../providers/correct/traffic.js';
import { plants } from '../providers/correct/variations.js';
import { token } from './session.js';

const PART = { token, prism: false, only: ['success/status-is-200'], discover: true };

describe('a check that looks for limits', () => {
  test('puts all of them into the profile and the report, and judges the rules as before', async () => {
    await using store = await startPlantStore({ token });
    const report = await checkConformance({ baseUrl: store.url, ...PART });
    const { limits = [] } = report.profile;
    expect(report.conclusion).toBe('conforms');
    expect(schemaErrors(report)).toEqual([]);
    expect(limits.map(({ id }) => id)).toEqual(Object.keys(limitTitles));
    expect(limits.map(({ outcome, value, upTo }) => [outcome, value ?? upTo])).toEqual([
      ['not-found', '65536'],
      ['not-found', '65536'],
      ['found', '1048576'],
      ['found', '500'],
    ]);
    expect(report.sections.find(({ title }) => title === 'Limits')?.items).toEqual(
      limits.map(({ sentence }) => sentence),
    );
    expect(readProfile(JSON.stringify(report.profile))).toEqual(report.profile);
    expect(JSON.stringify(report)).not.toContain(token);
  });

  test('lists everything that it sent and created, and sends about as much as it says', async () => {
    await using store = await startPlantStore({ token });
    const report = await checkConformance({ baseUrl: store.url, ...PART });
    expect(report.exchanges).toHaveLength(store.received().length);
    expect(new Set(report.createdIds)).toEqual(new Set(store.plants().map(({ id }) => String(id))));
    const first = report.exchanges.findIndex(({ name }) => name === 'a name of 9 letters');
    const search = report.exchanges.slice(first);
    const { requests, plants: most } = planOfDiscovery;
    expect(search.length).toBeLessThanOrEqual(requests);
    expect(search.length).toBeGreaterThan(requests / 2);
    const created = search.filter(({ response }) => response?.status === 200).length;
    expect(created).toBeLessThanOrEqual(most);
    expect(created).toBeGreaterThan(most / 2);
  });

  test('sends at most as many requests as the page says, whatever the limits are', async () => {
    // Of all limits, these take the most requests.
    const most = { name: 40_976, tag: 40_976, body: 10_485_827, depth: 10_248 };
    const fetch = async (request: Request): Promise<Response> => {
      const text = await request.text();
      const { name, tag = '' } = JSON.parse(text);
      const isTooMuch =
        name.length > most.name ||
        tag.length > most.tag ||
        text.length > most.body ||
        1 + text.lastIndexOf('[') - text.indexOf('[') >= most.depth;
      if (!isTooMuch) return Response.json(tag === '' ? { name } : { name, tag });
      return Response.json({ error: 1, message: 'too much' }, { status: 400 });
    };
    const report = await checkConformance({ baseUrl: 'http://localhost', fetch, ...PART });
    expect(report.profile.limits?.map(({ value }) => Number(value))).toEqual(Object.values(most));
    const first = report.exchanges.findIndex(({ name }) => name === 'a name of 9 letters');
    expect(report.exchanges.length - first).toBe(123);
  });

  test('finds the limits of a strict provider, twice the same', async () => {
    const strict = plants['everything is as strict as possible'] as Variation;
    await using provider = await startCorrect(token, strict);
    const found = async () => {
      const { profile } = await checkConformance({ baseUrl: provider.url, ...PART });
      const { limits = [] } = profile;
      return Object.fromEntries(limits.map(({ id, outcome, value = outcome }) => [id, value]));
    };
    const first = await found();
    expect(first).toMatchObject({
      'longest-name': '30',
      'longest-tag': 'not-found',
      'largest-body': '1000',
      'largest-depth': 'unknown',
    });
    expect(await found()).toEqual(first);
  });

  test('says why it found nothing if the provider locks the client out', async () => {
    const layers = () => [lockOut({ status: 403, body: { error: 403, message: 'locked' } })];
    await using provider = await startCorrect(token, { layers });
    const options = { ...PART, only: ['auth', 'unspecified/wrong-token'] };
    const { profile } = await checkConformance({ baseUrl: provider.url, ...options });
    expect(profile.limits?.map(({ outcome }) => outcome)).toEqual(
      Object.keys(limitTitles).map(() => 'unknown'),
    );
    expect(profile.limits?.[0]?.reason).toContain('a plain plant after it 403');
  });

  test('works without a port', async () => {
    const { createPlantStore } = await import('plant-store-contract/server');
    const { fetch } = createPlantStore({ token });
    const { profile } = await checkConformance({ baseUrl: 'http://localhost', fetch, ...PART });
    expect(profile.limits?.find(({ id }) => id === 'largest-body')?.value).toBe('1048576');
  });

  test('ends at once if it is stopped', async () => {
    await using store = await startPlantStore({ token });
    const stop = new AbortController();
    const onExchange = ({ probe }: { probe: string }): void => {
      if (probe.startsWith('a tag of')) stop.abort();
    };
    const { profile } = await checkConformance({
      baseUrl: store.url,
      ...PART,
      signal: stop.signal,
      onExchange,
    });
    expect(profile.limits?.at(2)?.reason).toBe('the check was stopped');
  });

  test('is not testable if the token is wrong, and then looks for nothing', async () => {
    await using store = await startPlantStore({ token });
    const { profile, conclusion } = await checkConformance({ baseUrl: store.url, ...PART, token: 'wrong' });
    expect([conclusion, profile.limits]).toEqual(['not-testable', undefined]);
  });
});

test('--discover writes the limits into the profile', async () => {
  await using narrow = await startCorrect(token, { largest: 100_000 });
  const flags = ['--token', token, '--only', 'success', '--discover'];
  const argv = ['check', narrow.url, '--profile', 'p.json', ...flags];
  const { files, stdout, stderr } = await plantStore(argv);
  expect(stdout).toContain('Largest body: 100,000 bytes. A body of 100,001 bytes gets 400.');
  expect(stderr).toMatch(/^checking \S+ with \d+ requests/);
  expect(files['p.json']).toContain('"longest-name"');
});

test('--dry-run says that the search for limits is not listed', async () => {
  const argv = ['check', 'http://127.0.0.1:1', '--token', token, '--dry-run'];
  expect((await plantStore(argv)).stdout).not.toContain('limits');
  expect((await plantStore([...argv, '--discover'])).stdout).toContain('They are not listed.');
});
