import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { localPacts, pactsFrom } from '../../src/pact/pact-sources.js';
import { folderWith } from './verification/pacts.js';
import { startReader } from './verification/provider.js';

describe('pacts are found', () => {
  test('in files, and in folders in the order of their names', async () => {
    const folder = await folderWith({ 'b.json': '2', 'a.json': '1', 'c.txt': '3' });
    expect(await localPacts([join(folder, 'c.txt'), folder])).toEqual([
      { where: join(folder, 'c.txt'), text: '3' },
      { where: join(folder, 'a.json'), text: '1' },
      { where: join(folder, 'b.json'), text: '2' },
    ]);
  });

  test('at URLs, with their user and password, which it does not report', async () => {
    let authorization: string | undefined;
    await using server = await startReader(({ headers }, response) => {
      authorization = headers.authorization;
      response.end('{"id":9223372036854775807}');
    });
    const url = `${server.url}/pact`.replace('//', '//me:p%40ss@');
    const [source] = await pactsFrom([url]);
    expect(source).toEqual({ where: `${server.url}/pact`, text: '{"id":9223372036854775807}' });
    expect(authorization).toBe(`Basic ${Buffer.from('me:p@ss').toString('base64')}`);
  });
});

describe('what cannot be read is named', () => {
  test('all at once', async () => {
    const folder = await folderWith({});
    await expect(localPacts([folder, join(folder, 'none.json')])).rejects.toThrow(
      `cannot read a pact from ${folder}: the folder has no .json file; ` +
        `cannot read a pact from ${folder}/none.json: ENOENT: no such file or directory`,
    );
  });

  test.each([
    ['http://127.0.0.1:1/pact', /: bad port$/],
    // Only the administrator may listen there, and no service does.
    ['http://127.0.0.1:2/pact', /: connect ECONNREFUSED 127\.0\.0\.1:2$/],
    ['http://:80', /: Invalid URL$/],
  ])('%s', async (url, why) => {
    await expect(pactsFrom([url])).rejects.toThrow(`cannot read a pact from ${url}: `);
    await expect(pactsFrom([url])).rejects.toThrow(why);
  });

  test('a response with an error status', async () => {
    await using server = await startReader((_request, response) => response.writeHead(404).end());
    await expect(pactsFrom([server.url])).rejects.toThrow('the response has the status 404');
  });

  test('nothing at all', async () => {
    await expect(localPacts([])).rejects.toThrow('name at least one pact: a file, a folder, or a URL');
  });
});
