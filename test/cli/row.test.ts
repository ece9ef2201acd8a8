import { type FaultName, startPlantStore } from 'plant-store-contract/server';
import { describe, expect, test } from 'vitest';
import { steady } from '../steady.js';
import { plantStore } from './console.js';

const token = 'token-of-these-tests';

async function checkRow(row: string, faults: FaultName[] = [], ...flags: readonly string[]) {
  await using store = await startPlantStore({ token, faults });
  const outcome = await plantStore(['check', store.url, '--token', token, '--row', row, ...flags]);
  return { ...outcome, received: store.received() };
}

describe('check --row', () => {
  test('sends the plain plants and this row, and prints its request and response without the token', async () => {
    const { status, stdout, received } = await checkRow('missing-name');
    expect(status).toBe(0);
    expect(received).toHaveLength(4);
    const [printed] = steady(stdout).split(/\n\n(?=POST )/);
    expect(printed).toMatchInlineSnapshot(`
      "# missing-name: a plant without a name (rejected)

      > POST http://127.0.0.1:<port>/plants
      > Authorization: Bearer $PLANT_STORE_TOKEN
      > Content-Type: application/json
      >
      > {"id":<id>}

      < 400 after <duration>
      < content-type: application/json
      < content-length: 68
      < Date: <time>
      < Connection: keep-alive
      <
      < {"error":31,"message":"\\"name\\" is missing; a NewPlant requires it"}"
    `);
  });

  test('fails only for what this row shows', async () => {
    const faults: FaultName[] = ['accepts-missing-name'];
    expect((await checkRow('missing-name', faults)).status).toBe(1);
    expect((await checkRow('missing-id', faults)).status).toBe(0);
    // The plain plants show it, and this row does not.
    expect((await checkRow('missing-name', ['leaks-id'])).status).toBe(0);
    const warned = await checkRow('tag-is-null', ['accepts-null-tag']);
    expect([warned.status, warned.stdout]).toEqual([0, expect.stringContaining('with 1 warning')]);
    expect((await checkRow('tag-is-null', ['accepts-null-tag'], '--strict')).status).toBe(1);
  });

  test('can send a part of a bundle, and prints every request of a sequence', async () => {
    expect((await checkRow('strings/name-marks')).status).toBe(0);
    const { stdout } = await checkRow('repeated-id');
    expect(stdout.match(/^> POST /gm)).toHaveLength(3);
  });

  test('cannot tell anything if no plain plant is accepted, and prints these', async () => {
    const { status, stdout } = await checkRow('missing-name', [], '--token', 'another');
    expect(status).toBe(2);
    expect(stdout).toContain('> {"name":"Aloe');
    expect(stdout).toContain('could not be tested');
  });

  test('leaves standard output to another report', async () => {
    const { stdout } = await checkRow('missing-name', [], '--reporter', 'json');
    expect(JSON.parse(stdout)).toMatchObject({ conclusion: 'conforms' });
  });

  test('suggests names that are like an unknown one', async () => {
    const { status, stderr, received } = await checkRow('mising-name');
    expect(status).toBe(2);
    expect(stderr).toContain('there is no row "mising-name"; did you mean "missing-name"?');
    expect(received).toHaveLength(0);
  });
});
