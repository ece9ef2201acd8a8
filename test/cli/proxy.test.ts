import { startPlantStore } from 'plant-store-contract/server';
import { describe, expect, test } from 'vitest';
import { whileServing } from './console.js';

const token = 'a-token-of-these-tests';

/** Runs `plant-store-contract proxy`, sends these bodies through it, and stops it. */
function proxied(upstream: string, flags: readonly string[], bodies: readonly string[]) {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  return whileServing(['proxy', '--upstream', upstream, ...flags], async (url) => {
    for (const body of bodies)
      await fetch(`${url}/plants`, { method: 'POST', headers, body }).catch(() => {});
  });
}

describe('plant-store-contract proxy', () => {
  test('prints violations as they come, writes a report in the end, and ends with 1', async () => {
    await using store = await startPlantStore({ token, faults: ['leaks-id'] });
    const bodies = ['{"name":"Aloe","id":1}', '{"name":"Aloe","id":2}'];
    const { status, stdout, stderr } = await proxied(store.url, [], bodies);
    const line = 'POST /plants 200 response /id: a Plant has no field "id"; got';
    expect(stderr).toMatch(/^forwarding http:\/\/127\.0\.0\.1:\d+ to http:\/\/127\.0\.0\.1:\d+\n/);
    expect(stderr).toContain(`✗ ${line} 1\n✗ ${line} 2\n`);
    expect(stdout).toContain('1. response /id: a Plant has no field "id"');
    expect(stdout).toContain('(2 times)');
    expect(stdout).toContain('does not conform: 1 pass, 1 fail');
    expect(stdout + stderr).not.toContain(token);
    expect(status).toBe(1);
  });

  test('ends with 0 if there are warnings alone, which every format shows, and with 1 if it is strict', async () => {
    await using store = await startPlantStore({ token, faults: ['accepts-null-tag'] });
    const bodies = ['{"name":"Aloe","id":1,"tag":null}', '{"name":"Fern","id":2}'];
    const formats = ['json', 'junit', 'github', 'markdown', 'html'];
    const flags = formats.flatMap((format) => ['--reporter', `${format}=${format}`]);
    const { status, stdout, stderr, files } = await proxied(
      store.url,
      ['--reporter', 'text', ...flags],
      bodies,
    );
    const message = 'response /tag: accepted a wrong request: "tag" must be a string; got null';
    expect(stderr).toContain(`▲ POST /plants 200 ${message}\n`);
    expect(stdout).toMatch(/\nconforms, with 1 warning: 1 pass, 1 failure that does not count, 1 warning in/);
    expect(stdout).toContain('0 violations in responses, 1 violation in requests (not counted).');
    const fileOf = (name: string): string => String(files[name]);
    expect(JSON.parse(fileOf('json'))).toMatchObject({
      violationKinds: [{ side: 'request' }, { side: 'response', severity: 'warning' }],
    });
    expect(fileOf('junit')).toContain('failures="0"');
    expect(fileOf('junit')).toContain('warning: ');
    expect(fileOf('github')).toMatch(/^::warning /m);
    expect(fileOf('github')).not.toMatch(/^::error /m);
    for (const name of ['markdown', 'html']) expect(fileOf(name)).toMatch(/conforms, with 1 warning/i);
    expect(status).toBe(0);
    const others = bodies.map((body) => body.replace('"id":', '"id":1'));
    expect(await proxied(store.url, ['--strict'], others)).toMatchObject({ status: 1 });
  });

  test('--fail-on says which violations count', async () => {
    await using store = await startPlantStore({ token });
    expect((await proxied(store.url, [], ['{}'])).status).toBe(0);
    expect((await proxied(store.url, ['--fail-on', 'request'], ['{}'])).status).toBe(1);
  });

  test('says why there is no response', async () => {
    const { stdout, stderr, status } = await proxied('http://127.0.0.1:9', [], ['{"name":"Aloe","id":1}']);
    expect(stderr).toContain('\n! POST /plants: no response: connect ECONNREFUSED 127.0.0.1:9\n');
    expect(stdout).toContain('The proxy forwarded 1 request; 1 got no response.');
    expect(stdout).toContain('Nothing that counts was judged');
    expect(status).toBe(2);
  });

  test('text of a message never begins a line', async () => {
    await using store = await startPlantStore({ token, unknownFields: 'reject', faults: ['leaks-id'] });
    const field = JSON.stringify('x\n::error::forged');
    const bodies = [`{"name":"Aloe","id":1,${field}:1}`, `{"name":${field},"id":${field}}`];
    const { stdout, stderr } = await proxied(store.url, [], bodies);
    expect(stderr + stdout).toContain('::error::forged');
    expect(stderr + stdout).not.toMatch(/^::/m);
  });

  test('ends with 2 if nothing came', async () => {
    const { status, stdout } = await proxied('http://127.0.0.1:9', [], []);
    expect(stdout).toContain('could not be tested');
    expect(status).toBe(2);
  });
});
