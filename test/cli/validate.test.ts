import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { folderWith } from '../folder.js';
import { entry, har, rawRequest, rawResponse } from '../proxy/messages/stored.js';
import { parseXml } from '../report/formats/xml.js';
import { steady } from '../steady.js';
import { plantStore } from './console.js';

const leak = rawResponse('{"name":"Aloe","id":7}');
const folder = folderWith({
  'good.http': rawResponse('{"name":"Aloe"}'),
  'leak.http': leak,
  'request.http': rawRequest('{"name":"Aloe","id":7}'),
  'trace.har': har([entry(), entry({ response: { content: { size: 15 } } })]),
  'not-found.http': rawResponse('<h1>Not found</h1>', '404 Not Found'),
  'plant.json': '{"name":"Aloe"}',
  'new-plant.json': '{"name":"Aloe","id":9223372036854775807}',
});
const file = (name: string): string => join(folder, name);

describe('plant-store-contract validate', () => {
  test.for<readonly [status: number, kind: string, name: string, flags: readonly string[], last: string]>([
    [0, 'response', 'good.http', [], 'The response conforms.'],
    [1, 'response', 'leak.http', [], 'The response does not conform.'],
    [0, 'request', 'request.http', [], 'The request conforms.'],
    [0, 'request', 'trace.har', [], 'All 2 requests conform.'],
    [2, 'response', 'trace.har', [], '1 of 2 responses could not be judged completely.'],
    [0, 'response', 'not-found.http', [], 'The response conforms, with warnings.'],
    [1, 'response', 'not-found.http', ['--strict'], 'The response does not conform.'],
    [0, 'response', 'plant.json', ['--as', 'plant'], 'The response conforms.'],
    [0, 'request', 'new-plant.json', ['--as', 'new-plant'], 'The request conforms.'],
  ])('%d: the %s in %s', async ([expected, kind, name, flags, last]) => {
    const { status, stdout, stderr } = await plantStore(['validate', kind, file(name), ...flags]);
    expect(stdout.trimEnd().split('\n').at(-1)).toBe(last);
    expect([status, stderr]).toEqual([expected, '']);
  });

  test('says what is wrong, and where', async () => {
    const { stdout } = await plantStore(['validate', 'response', file('leak.http')]);
    expect(steady(stdout)).toMatchInlineSnapshot(`
      "responses in <folder>/leak.http (interface 1.0.0)

      1. response /id: a Plant has no field "id"; got 7
         Case: HTTP/1.1 200 OK (<folder>/leak.http)
           where      body /id
           expected   only the fields "name" and "tag"
           got        7

      does not conform: 1 fail in <duration>
      The response does not conform.
      "
    `);
  });

  test('reads standard input, as bytes', async () => {
    const readInput = async () => leak;
    const { status, stdout } = await plantStore(['validate', 'response', '-'], { readInput });
    expect(status).toBe(1);
    expect(steady(stdout)).toMatchInlineSnapshot(`
      "responses in standard input (interface 1.0.0)

      1. response /id: a Plant has no field "id"; got 7
         Case: HTTP/1.1 200 OK
           where      body /id
           expected   only the fields "name" and "tag"
           got        7

      does not conform: 1 fail in <duration>
      The response does not conform.
      "
    `);
  });

  test('has reporters: one JSON document alone on standard output, others to files', async () => {
    const files = ['--reporter', 'junit=a.xml', '--reporter', 'github=b.txt', '--reporter', 'text=c.txt'];
    const argv = ['validate', 'response', file('leak.http'), '--reporter', 'json', ...files];
    const { status, stdout, files: written } = await plantStore(argv);
    expect(status).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      reportVersion: 1,
      kind: 'validate',
      messageKind: 'response',
      conclusion: 'does-not-conform',
      violationKinds: [{ pointer: '/id', actual: '7' }],
    });
    expect(parseXml(written['a.xml'] ?? '').attributes).toMatchObject({ tests: '1', failures: '1' });
    expect(written['b.txt']).toContain(`::error file=${file('leak.http')},title=`);
    expect(written['c.txt']).toContain('does not conform: 1 fail');
  });

  test('2: a file that cannot be read', async () => {
    const failing = (code: string) =>
      Promise.reject(Object.assign(new Error('not permitted'), { code, syscall: 'open' }));
    const io = {
      // There is no options file.
      readBytes: (path: string) => failing(path === 'a.http' ? 'EACCES' : 'ENOENT'),
      readInput: () => failing('EACCES'),
    };
    for (const [name, called] of Object.entries({ 'a.http': 'a.http', '-': 'standard input' }))
      expect(await plantStore(['validate', 'response', name], io)).toMatchObject({
        status: 2,
        stderr: `plant-store-contract: ${called} cannot be read: permission is denied\n`,
      });
  });
});
