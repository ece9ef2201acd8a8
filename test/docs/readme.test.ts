import { readFileSync } from 'node:fs';
import { planCheck, rules } from 'plant-store-contract/conformance';
import { errorCodes, faultNames } from 'plant-store-contract/server';
import { describe, expect, test } from 'vitest';

const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');

describe('the README', () => {
  test('has the figures of the package', () => {
    const { requests, plants, more } = planCheck();
    const demands = rules.filter(({ level }) => level !== 'unspecified').length;
    expect(readme).toContain(`with ${requests} requests; they create ${plants} to ${plants + more} plants`);
    expect(readme).toContain(`breaks 1 of ${demands} rules`);
    expect(readme).toContain(`${demands - 1} pass, 1 fail, ${rules.length - demands} observed`);
    expect(readme).toContain(`There are ${faultNames.length};`);
  });

  test('has the figures of the table of faults and pacts', () => {
    const table = readFileSync(new URL('../../spec/pact-faults.md', import.meta.url), 'utf8');
    const [, pact, validation] = /by Pact alone sees (\d+);.*, (\d+); `check`/.exec(table) ?? [];
    expect(readme).toContain(`[the shipped pact shows ${pact}, and ${validation} with validation]`);
  });

  test('lists every error code', () => {
    for (const [name, code] of Object.entries(errorCodes))
      expect(readme).toMatch(new RegExp(`\\| ${code} +\\| \`${name}\` +\\|`));
  });

  test('links to headings that exist', () => {
    const headings = [...readme.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\w\s-]/g, '')
        .replaceAll(' ', '-'),
    );
    const links = [...readme.matchAll(/\]\(#([^)]+)\)/g)].map(([, link]) => link);
    expect(links.length).toBeGreaterThan(2);
    expect(links.filter((link) => !headings.includes(link as string))).toEqual([]);
  });

  test.each(['serve', 'check-options', 'proxy', 'validate', 'verify', 'audit'])(
    'names every flag in src/cli/%s.ts',
    (file) => {
      const source = readFileSync(new URL(`../../src/cli/${file}.ts`, import.meta.url), 'utf8');
      const flags = [...source.matchAll(/[oO]ption\(\s*'--([a-z-]+)/g)].map(([, flag]) => flag);
      expect(flags).not.toEqual([]);
      expect(flags.filter((flag) => !readme.includes(`--${flag}`))).toEqual([]);
    },
  );
});
