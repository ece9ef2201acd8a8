import { startPlantStore } from 'plant-store-contract/server';
import { describe, expect, test } from 'vitest';
import { steady } from '../steady.js';
import { WIDE, whileServing } from './console.js';

const token = 'a-token-of-these-tests';

/** Runs `plant-store-contract proxy`, sends these bodies through it, and stops it. */
function proxied(upstream: string, flags: readonly string[], bodies: readonly string[]) {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const talk = async (url: string): Promise<void> => {
    for (const body of bodies)
      await fetch(`${url}/plants`, { method: 'POST', headers, body }).catch(() => {});
  };
  return whileServing(['proxy', '--upstream', upstream, ...flags], talk, WIDE);
}

describe('plant-store-contract proxy', () => {
  test('prints violations as they come, writes a report in the end, and ends with 1', async () => {
    await using store = await startPlantStore({ token, faults: ['leaks-id'] });
    const bodies = ['{"name":"Aloe","id":1}', '{"name":"Aloe","id":2}'];
    const { status, stdout, stderr } = await proxied(store.url, [], bodies);
    expect(steady(stderr)).toMatchInlineSnapshot(`
      "forwarding http://127.0.0.1:<port> to http://127.0.0.1:<port>
      ✗ POST /plants 200 response /id: a Plant has no field "id"; got 1
      ✗ POST /plants 200 response /id: a Plant has no field "id"; got 2
      "
    `);
    expect(steady(stdout)).toMatchInlineSnapshot(`
      "traffic to http://127.0.0.1:<port> (interface 1.0.0)

      1. response /id: a Plant has no field "id"; got 1
         Case: response body /id: additionalProperties
           sent       POST /plants {"name":"Aloe","id":1}, response 200 {"name":"Aloe","id":1}
           where      body /id
           expected   only the fields "name" and "tag"
           got        1 (2 times)

      does not conform: 1 pass, 1 fail in <duration>
      2 violations in responses, 0 violations in requests (not counted).
      The proxy forwarded 2 requests; 0 got no response. Of POST …/plants, it judged 2 requests and 2 responses.
      "
    `);
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
    expect(steady(stderr)).toMatchInlineSnapshot(`
      "forwarding http://127.0.0.1:<port> to http://127.0.0.1:<port>
      ✗ POST /plants 200 request /tag: "tag" must be a string; got null
      ▲ POST /plants 200 response /tag: accepted a wrong request: "tag" must be a string; got null
      wrote json, junit, github, markdown, html
      "
    `);
    expect(steady(stdout)).toMatchInlineSnapshot(`
      "traffic to http://127.0.0.1:<port> (interface 1.0.0)

      1. response /tag: accepted a wrong request: "tag" must be a string; got null (warning)
         Case: response status /tag: warning, accepted
           sent       POST /plants {"name":"Aloe","id":1,"tag":null}, response 200 {"name":"Aloe"}
           where      status
           expected   a 4xx, since the request must be rejected
           got        the status 200

      - request /tag: "tag" must be a string; got null (not counted: only violations in responses count)

      conforms, with 1 warning: 1 pass, 1 failure that does not count, 1 warning in <duration>
      0 violations in responses, 1 violation in requests (not counted).
      The proxy forwarded 2 requests; 0 got no response. Of POST …/plants, it judged 2 requests and 2 responses.
      "
    `);
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
    expect(steady(stderr)).toMatchInlineSnapshot(`
      "forwarding http://127.0.0.1:<port> to http://127.0.0.1:9
      ! POST /plants: no response: connect ECONNREFUSED 127.0.0.1:9
      "
    `);
    expect(steady(stdout)).toMatchInlineSnapshot(`
      "traffic to http://127.0.0.1:9 (interface 1.0.0)

      could not be tested: 1 pass, 1 blocked in <duration>
      Nothing that counts was judged: no POST …/plants arrived, or none got a response.
      The proxy forwarded 1 request; 1 got no response. Of POST …/plants, it judged 1 request and 0 responses.
      "
    `);
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
