import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { entry, har, judge } from './stored.js';

const MIB = 2 ** 20;
let parent: string;
let file: string;

beforeAll(() => {
  parent = mkdtempSync(join(tmpdir(), 'har-files-'));
  const folder = join(parent, 'recorded');
  mkdirSync(folder);
  file = join(folder, 'saved.har');
  writeFileSync(join(parent, 'outside.json'), '{"name":"outside"}');
  const write = (name: string, body: string | Buffer) => writeFileSync(join(folder, name), body);
  write('plant.json', '{"name":"Aloë"}');
  write('leak.json', '{"name":"Aloe","id":7}');
  write('plant.json.gz', gzipSync('{"name":"Aloe"}'));
  write('new-plant.json', '{"name":"Aloe","id":9223372036854775807}');
  write('empty.json', '');
  mkdirSync(join(folder, 'folder.json'));
  symlinkSync(join(parent, 'outside.json'), join(folder, 'link.json'));
  for (const [name, size] of [
    ['large.json', 16 * MIB],
    ['larger.json', 16 * MIB + 1],
  ] as const) {
    write(name, '');
    truncateSync(join(folder, name), size);
  }
});

afterAll(() => {
  rmSync(parent, { recursive: true, force: true });
});

/** An entry as Playwright writes it with `content: 'attach'`: one of its bodies is in the file. */
const attached = (name: unknown, kind: 'request' | 'response' = 'response') =>
  entry(
    kind === 'request'
      ? {
          request: {
            bodySize: -1,
            postData: { mimeType: 'application/json', text: '', params: [], _file: name },
          },
        }
      : {
          response: {
            headers: [{ name: 'content-type', value: 'application/json' }],
            content: { size: -1, mimeType: 'application/json', _file: name },
          },
        },
  );

const judged = (entries: readonly unknown[], kind: 'request' | 'response' = 'response', path = file) =>
  judge(har(entries), kind, { file: path });

describe('a body in a file beside the HAR', () => {
  test('is judged, byte for byte', () => {
    expect(judged([attached('plant.json')]).conclusion).toBe('conforms');
    expect(judged([attached('new-plant.json', 'request')], 'request').conclusion).toBe('conforms');
    const { messages } = judged([attached('leak.json')]);
    expect(messages).toMatchObject([{ verdict: 'fail', violations: [{ pointer: '/id', actual: '7' }] }]);
  });

  test('may show that its response accepts what must be rejected', () => {
    expect(judged([attached('new-plant.json', 'request')]).conclusion).toBe('conforms');
    expect(judged([attached('plant.json', 'request')]).conclusion).toBe('does-not-conform');
  });

  test('may be empty', () => {
    const { messages } = judged([attached('empty.json')]);
    expect(messages).toMatchObject([{ verdict: 'fail', violations: [{ keyword: 'required' }] }]);
  });

  test('may be in gzip still', () => {
    const headers = ['Content-Type: application/json', 'Content-Encoding: gzip'].map((field) => {
      const [name, value] = field.split(': ');
      return { name, value };
    });
    const content = { size: -1, _file: 'plant.json.gz' };
    expect(judged([entry({ response: { headers, content } })]).conclusion).toBe('conforms');
  });

  test.for<readonly [name: string, why: string]>([
    ['../../outside.json', 'its body is in a file that is not beside the HAR file'],
    ['../..', 'its body is in a file that is not beside the HAR file'],
    ['.', 'its body is in a file that is not beside the HAR file'],
    ['/etc/passwd', 'its body is in a file that is not beside the HAR file'],
    ['folder.json/plant.json', 'its body is in a file that is not beside the HAR file'],
    ['..\\outside.json', 'its body is in a file that is not beside the HAR file'],
    ['C:plant.json', 'its body is in a file that is not beside the HAR file'],
    ['plant.json\0', 'its body is in a file that is not beside the HAR file'],
    ['', 'its body is in a file that is not beside the HAR file'],
    ['none.json', 'its body is in none.json, which is not beside the HAR file'],
    ['folder.json', 'its body is in folder.json, which is not a regular file'],
    ['link.json', 'its body is in link.json, which is not a regular file'],
    ['larger.json', 'its body is in larger.json, which is larger than 16 MiB'],
  ])('is not read, and does not pass: %j', ([name, why]) => {
    for (const kind of ['request', 'response'] as const)
      expect(judged([attached(name, kind)], kind).messages).toMatchObject([
        { verdict: 'blocked', violations: [], reasons: [why] },
      ]);
  });

  test('is not read if the files are larger than a HAR may be', () => {
    const { messages } = judged([...Array(5).fill(attached('large.json')), attached('plant.json')]);
    expect(messages.map(({ verdict }) => verdict)).toEqual([...Array(4).fill('fail'), 'blocked', 'blocked']);
    expect(messages.at(-1)?.reasons).toEqual(['the files with bodies are larger than 64 MiB together']);
  });

  test('has no place beside standard input', () => {
    expect(judged([attached('plant.json')], 'response', '-').messages).toMatchObject([
      { verdict: 'blocked', reasons: ['its body is in plant.json; name the HAR file beside it'] },
    ]);
  });

  test('must be named by a string', () => {
    expect(() => judged([attached(7)])).toThrow('/response/content/_file: expected a string, got 7');
  });
});
