import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { entry, har } from '../../messages/stored.js';
import { projectsFolder } from '../../once.js';
import { measured } from './measured.js';

const MEBIBYTE = 2 ** 20;

describe('validate from standard input', () => {
  test('stops at its limit', async () => {
    let written = 0;
    function* endless(): Iterable<Uint8Array> {
      for (const chunk = Buffer.alloc(MEBIBYTE, 'x'); ; written++) yield chunk;
    }
    const { status, stderr, megabytes } = await measured(['validate', 'response', '-'], { input: endless() });
    expect(stderr).toBe(
      'plant-store: standard input cannot be read: it is longer than the limit of 536870888 bytes\n',
    );
    expect(status).toBe(2);
    expect(written).toBeLessThan(530);
    expect(megabytes).toBeLessThan(1100);
  });
});

describe('a HAR of 60 MB', () => {
  test('takes little more memory than its text', async () => {
    const file = join(await projectsFolder(), `large-${process.pid}.har`);
    const picture = { content: { size: 60_000, encoding: 'base64', text: 'Zm9v'.repeat(20_000) } };
    const get = entry({ request: { method: 'GET', url: 'http://store/picture' }, response: picture });
    const entries = Array.from({ length: 720 }, (_, at) => (at % 20 === 0 ? entry() : get));
    writeFileSync(file, har(entries));
    const small = await measured(['validate', 'response', '-'], { input: [har([entry()])] });
    const { status, stdout, megabytes } = await measured(['validate', 'response', file, '--quiet']);
    expect(stdout).toContain('All 36 responses conform.');
    expect(status).toBe(0);
    expect(megabytes - small.megabytes).toBeLessThan(2 * 60);
  });
});
