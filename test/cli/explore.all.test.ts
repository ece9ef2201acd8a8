import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { planCheck } from 'plant-store-contract/conformance';
import { startPlantStore } from 'plant-store-contract/server';
import { describe, expect, test } from 'vitest';
import { refuse, startInFront } from '../conformance/providers/in-front.js';
import { commandLine } from '../once.js';
import { plantStore } from './console.js';

const token = 'token-of-these-tests';
const flags = ['--token', token, '--only', 'success', '--explore', '--time', '2s'];

describe('plant-store-contract check --explore', () => {
  test('says what it drew, and how to draw it again', async () => {
    await using store = await startPlantStore({ token });
    const { status, stdout, files } = await plantStore(['check', store.url, ...flags, '--seed', '4']);
    expect(status).toBe(0);
    expect(stdout.replaceAll(/\s+/g, ' ')).toMatch(
      /To draw the same requests again: --explore --seed 4 --time \d+s/,
    );
    expect(files).toEqual({});
  });

  test('gives a command for what fails, which can be copied from the report', async () => {
    // Long ids fail, but only once the usual requests are sent.
    let usual = planCheck({ only: ['success'] }).requests + 20;
    let isFixed = false;
    await using provider = await startInFront({ token }, ({ body, response, pass }) =>
      --usual < 0 && /"id":\d{11}/.test(body.toString()) && !isFixed ? refuse(response, 500) : pass(),
    );
    const { status, stdout, files } = await plantStore(['check', provider.url, ...flags, '--seed', '2']);
    expect([status, files]).toEqual([1, {}]);
    const [, line = ''] = /reproduce +npx (plant-store-contract check .* --row '\{.*)/.exec(stdout) ?? [];
    expect(line).toMatch(/^[ -~]+ --row '\{"name":"drawn\/\d"[ -~]+' --token "\$PLANT_STORE_TOKEN"$/);

    const script = `plant-store-contract() { ${process.execPath} ${await commandLine()} "$@"; }\n${line}`;
    const env = { ...process.env, PLANT_STORE_TOKEN: token };
    const copied = () =>
      promisify(execFile)('bash', ['-c', script], { env }).catch((failed) => failed as typeof failed);
    expect(await copied()).toMatchObject({ code: 1, stdout: expect.stringContaining('does not conform: ') });
    isFixed = true;
    expect((await copied()).stdout).toMatch(/^conforms: /m);
  });
});
