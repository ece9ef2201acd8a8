import { describe, expect, test } from 'vitest';
import { evidenceOf, probeOf } from '../evidence.js';
import { answer, broken, checkedInProcess } from '../in-process.js';

/** The plant in a body, if it is one. */
function plantIn(body: string): { readonly name?: unknown; readonly tag?: unknown } {
  try {
    return JSON.parse(body) ?? {};
  } catch {
    return {};
  }
}

describe('a packed request that is not answered like a plain plant is split', () => {
  const only = ['success', 'unspecified/names-refused', 'request/other-fields-change-nothing'];

  test('until one piece is left that breaks a rule', async () => {
    const isMeant = (body: string) => String(plantIn(body).name).includes('한');
    const report = await checkedInProcess(({ body, pass }) => (isMeant(body) ? answer(500) : pass()), {
      only,
    });
    expect(broken(report)).toEqual(['success/valid-plant-is-processed']);
    const [first] = evidenceOf(report, 'success/valid-plant-is-processed');
    expect(first && probeOf(report, first)).toMatch(/^strings\/name-forms-1-/);
    const sent = report.exchanges.filter(({ response }) => response?.status === 500);
    expect(sent.filter(({ role }) => role === 'split').length).toBeGreaterThan(0);
    const shortest = Math.min(...sent.map(({ request }) => request.body.text?.length ?? 0));
    expect(shortest).toBeLessThan(60);
  });

  test('so that a rejection that is allowed stays an observation', async () => {
    const isMeant = (body: string) => /[^\x20-\x7e]/.test(`${plantIn(body).name}${plantIn(body).tag}`);
    const report = await checkedInProcess(({ body, pass }) => (isMeant(body) ? answer(422) : pass()), {
      only,
    });
    expect(broken(report)).toEqual([]);
    expect(report.conclusion).toBe('conforms');
    const names = report.profile.behaviours.find(({ rule }) => rule === 'unspecified/names-refused');
    expect(names?.value.split(', ')).toEqual(expect.arrayContaining(['accents', 'emoji', 'scripts']));
  });

  test('and it counts itself if only all of it together fails', async () => {
    const isMeant = ({ name, tag }: ReturnType<typeof plantIn>) =>
      /[^\x20-\x7e]/.test(String(name)) && /[^\x20-\x7e]/.test(String(tag ?? ''));
    const report = await checkedInProcess(
      ({ body, pass }) => (isMeant(plantIn(body)) ? answer(500) : pass()),
      { only },
    );
    expect(broken(report)).toEqual(['success/valid-plant-is-processed']);
  });

  test('and it is intermittent if nothing of it is rejected when it is sent again', async () => {
    let seen = 0;
    const isMeant = (body: string) => /[^\x20-\x7e]/.test(String(plantIn(body).name)) && ++seen <= 2;
    const report = await checkedInProcess(({ body, pass }) => (isMeant(body) ? answer(400) : pass()), {
      only: [...only, 'state/no-intermittent-failures'],
      concurrency: 1,
    });
    expect(broken(report)).toEqual(['state/no-intermittent-failures']);
  });
});
