import type { Profile } from 'plant-store-contract/conformance';
import { faultNames } from 'plant-store-contract/server';
import { describe, expect, test } from 'vitest';
import type { CommandIo } from '../../src/cli/io.js';
import { steady } from '../steady.js';
import { plantStore, whileServing } from './console.js';

const token = 'token-of-these-tests';

/** Runs `serve` until a test has talked to it. */
const serve = (
  flags: readonly string[],
  talk: (url: string, stdout: () => string) => Promise<unknown>,
  io: Partial<CommandIo> = {},
) => whileServing(['serve', ...flags], talk, io);

function create(url: string, id: number | bigint, bearer = token): Promise<Response> {
  return fetch(`${url}/plants`, {
    method: 'POST',
    headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
    body: `{"name":"Aloe","id":${id}}`,
  });
}

describe('plant-store-contract serve', () => {
  test('says where it listens, logs each request with its reason, and ends with 0', async () => {
    const { status, stdout } = await serve(['--token', token], async (url) => {
      await create(url, 1);
      await create(url, 1);
    });
    expect(status).toBe(0);
    expect(steady(stdout)).toMatchInlineSnapshot(`
      "listening on http://127.0.0.1:<port>
      curl -i http://127.0.0.1:<port>/plants -H "Authorization: Bearer token-of-these-tests" -H "Content-Type: application/json" -d '{"name":"Aloe","id":7}'
      POST /plants 200
      POST /plants 400 a plant with the "id" 1 exists already
      "
    `);
  });

  test('prints a line for a shell with a token that was typed, and with the variable for any other', async () => {
    const talk = (url: string) => create(url, 1);
    expect((await serve(['--token', token], talk)).stdout).toContain(`"Authorization: Bearer ${token}"`);
    const { stdout } = await serve([], talk, { env: { PLANT_STORE_TOKEN: token } });
    expect(stdout).toContain('"Authorization: Bearer $PLANT_STORE_TOKEN"');
    expect(stdout).not.toContain(token);
  });

  test('without a token makes one and prints it', async () => {
    let answered = 0;
    const { stdout } = await serve([], async (url) => {
      answered = (await create(url, 1, 'nothing-that-was-given-out')).status;
    });
    expect(answered).toBe(400);
    const made = /token for this run: (\S+)\n/.exec(stdout)?.[1] ?? '';
    expect(made.length).toBeGreaterThan(20);
  });

  test('--log json prints JSON lines, and no token that was given', async () => {
    const { stdout } = await serve(['--log', 'json'], (url) => create(url, 1), {
      env: { PLANT_STORE_TOKEN: token },
    });
    const lines = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines).toMatchObject([
      { event: 'listening' },
      { event: 'request', status: 200, target: '/plants' },
    ]);
    expect(stdout).not.toContain(token);
  });

  test('its flags reach the server', async () => {
    const flags = `--authentication-status 401 --duplicate-id replace --log silent --fault leaks-id,answers-201`;
    const { stdout } = await serve([...flags.split(' '), '--token', token], async (url) => {
      expect((await create(url, 1, 'wrong')).status).toBe(401);
      const created = await create(url, 1);
      expect([created.status, await created.json()]).toEqual([201, { name: 'Aloe', id: 1 }]);
      expect((await create(url, 1)).status).toBe(201);
    });
    expect(steady(stdout)).toBe('listening on http://127.0.0.1:<port>\n');
  });

  describe('--profile', () => {
    const observed = (name: string, value: string, more = {}) => ({
      rule: `unspecified/${name}`,
      sentence: `${name} returns ${value}.`,
      value,
      ...more,
    });
    const profile: Profile = {
      profileVersion: 1,
      interfaceVersion: '1.0.0',
      demands: [{ rule: 'success/plant-fields-only', verdict: 'fail' }],
      behaviours: [
        observed('repeated-id', '409'),
        observed('chunked-body', '301', { sentence: 'A body in chunks returns \u001b[31m301.' }),
        observed('wrong-token', '403'),
        observed('missing-token', '401'),
      ],
    };

    test('behaves like the provider, and says how', async () => {
      const talk = async (url: string): Promise<void> => {
        await create(url, 1);
        expect((await create(url, 1)).status).toBe(409);
        expect((await fetch(`${url}/plants`, { method: 'POST' })).status).toBe(401);
        expect((await create(url, 2, 'wrong')).status).toBe(403);
      };
      const flags = ['--token', token, '--profile', 'provider.json'];
      const { stdout } = await serve(flags, talk, { readFile: async () => JSON.stringify(profile) });
      expect(stdout.split('\n').slice(1, -6)).toEqual([
        'behaves like the provider of provider.json:',
        '  - wrong-token returns 403.',
        '  - missing-token returns 401.',
        '  - repeated-id returns 409.',
        'cannot imitate:',
        '  - The provider breaks success/plant-fields-only. This server does not.',
        '  - A body in chunks returns \\u001b[31m301.',
      ]);
    });
  });

  describe('--plants', () => {
    const plants = (content: string) => ({ readFile: async () => content });
    const array = '[{"name":"Aloe","id":9007199254740993},\n{"name":"Fern","id":-1,"tag":"shade"}]\n';

    test.each([array, `\ufeff${array}`])('stores the plants of %j', async (content) => {
      const statuses: number[] = [];
      const talk = async (url: string): Promise<void> => {
        for (const id of [9_007_199_254_740_993n, -1, 9_007_199_254_740_992n])
          statuses.push((await create(url, id)).status);
      };
      await serve(['--token', token, '--plants', 'plants.json'], talk, plants(content));
      expect(statuses).toEqual([400, 400, 200]);
    });

    test.each([
      ['[{"name":"Aloe","id":1},\n{"name":]', 'p.json, line 2, column 9: '],
      ['[{"name":"Aloe","id":1},{"id":2}]', 'plant 2 to seed is not a NewPlant: "name" is missing'],
      ['{"name":"Aloe","id":1}', 'p.json must be a JSON array of plants'],
      ['[{"name":"Aloe","id":1,"id":2}]', 'p.json: the key /0/id is there twice'],
    ])('%j is a usage error', async (content, says) => {
      const outcome = await plantStore(['serve', '--plants', 'p.json'], plants(content));
      expect(outcome).toMatchObject({
        status: 2,
        stdout: '',
        stderr: expect.stringContaining(`plant-store-contract: ${says}`),
      });
    });
  });

  test('--fail makes creations fail, and the log says so', async () => {
    const flags = ['--fail', '{"status":503,"times":1,"when":{"name":"Aloe"}}', '--fail', 'reset,every=2'];
    const { stdout } = await serve(['--token', token, ...flags], async (url) => {
      expect((await create(url, 1)).status).toBe(503);
      expect((await create(url, 1)).status).toBe(200);
      await expect(create(url, 2)).rejects.toThrow('fetch failed');
    });
    expect(stdout.split('\n').slice(2, 5)).toEqual([
      'POST /plants 503 (failure: {"status":503,"times":1,"when":{"name":"Aloe"}})',
      'POST /plants 200',
      'POST /plants no response (failure: {"connection":"reset","every":2})',
    ]);
  });

  test('--control-port starts the control interface and says where', async () => {
    const { stdout } = await serve(['--control-port', '0', '--token', token], (url) => create(url, 1));
    expect(steady(stdout)).toMatchInlineSnapshot(`
      "listening on http://127.0.0.1:<port>
      control interface and page on http://127.0.0.1:<port>
      curl -i http://127.0.0.1:<port>/plants -H "Authorization: Bearer token-of-these-tests" -H "Content-Type: application/json" -d '{"name":"Aloe","id":7}'
      POST /plants 200
      "
    `);
    const flags = ['--control-port', '0', '--log', 'json', '--token', token];
    const env = { PLANT_STORE_CONTROL_TOKEN: 'control-secret' };
    const talk = async (url: string, stdout: () => string): Promise<void> => {
      await create(url, 1);
      const { control } = JSON.parse(stdout().split('\n')[0] ?? '');
      expect((await fetch(`${control}/plants`)).status).toBe(401);
      const headers = { authorization: 'Bearer control-secret' };
      expect(await (await fetch(`${control}/plants`, { headers })).json()).toEqual([{ name: 'Aloe', id: 1 }]);
    };
    expect((await serve(flags, talk, { env })).stdout).not.toContain('secret');
  });

  test('a port in use is reported', async () => {
    await serve(['--token', token], async (url) => {
      const { status, stderr } = await plantStore(['serve', '--port', new URL(url).port]);
      expect(status).toBe(2);
      expect(stderr.replace(new URL(url).port, '<port>')).toMatchInlineSnapshot(`
        "plant-store-contract: port <port> of 127.0.0.1 is in use; choose another, or 0 for a free one
        "
      `);
    });
  });

  test('--list-faults shows each fault and the rules that it breaks', async () => {
    const { status, stdout } = await plantStore(['serve', '--list-faults']);
    expect(status).toBe(0);
    for (const name of faultNames) expect(stdout).toContain(`${name}\n    `);
  });
});
