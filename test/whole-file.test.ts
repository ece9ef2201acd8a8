import { lstat, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { writeWhole, writeWholeSync } from '../src/whole-file.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plant-store-whole-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

test('the first folder that was made is returned', async () => {
  const file = join(folder, 'a', 'b', 'report.json');
  expect(await writeWhole(file, 'first')).toBe(join(folder, 'a'));
  expect(await writeWhole(file, 'second')).toBe(undefined);
});

describe.each([
  ['writeWhole', writeWhole],
  ['writeWholeSync', writeWholeSync],
])('%s', (_name, write) => {
  test('makes missing folders, and leaves nothing beside the file', async () => {
    const file = join(folder, 'a', 'b', 'report.json');
    await write(file, 'first');
    await write(file, 'second');
    expect(await readFile(file, 'utf8')).toBe('second');
    expect(await readdir(join(folder, 'a', 'b'))).toEqual(['report.json']);
  });

  test('never changes a file in place, so a reader that has opened it reads all of the old content', async () => {
    const file = join(folder, 'report.json');
    await write(file, 'first');
    const { ino } = await stat(file);
    await write(file, 'second');
    expect((await stat(file)).ino).not.toBe(ino);
  });

  test('keeps the mode of a file, and a link to it', async () => {
    const [file, link] = [join(folder, 'report.json'), join(folder, 'link.json')];
    await writeFile(file, 'first', { mode: 0o640 });
    await symlink(file, link);
    await write(link, 'second');
    expect((await lstat(link)).isSymbolicLink()).toBe(true);
    expect(await readFile(file, 'utf8')).toBe('second');
    expect((await stat(file)).mode & 0o777).toBe(0o640);
  });

  test('leaves what is there if it cannot write', async () => {
    await expect((async () => write(folder, 'text'))()).rejects.toThrow();
    await writeFile(join(folder, 'file'), 'text');
    await expect((async () => write(join(folder, 'file', 'below'), 'text'))()).rejects.toThrow();
    expect(await readdir(folder)).toEqual(['file']);
  });
});

test('what is no regular file is written directly', async () => {
  await writeWhole('/dev/null', 'text');
  expect((await stat('/dev/null')).isCharacterDevice()).toBe(true);
  await expect(writeWhole('/dev/full', 'text')).rejects.toThrow('ENOSPC');
});
