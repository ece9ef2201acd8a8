import { checkConformance, type FetchHandler } from 'plant-store-contract/conformance';
import { casesOf, reporters } from 'plant-store-contract/reporters';
import { describe, expect, test } from 'vitest';
import { checkFetch, token } from '../checks.js';
import { startHandler } from '../providers/handler.js';

/** A NewPlant as careless programs see it. */
type Body = Readonly<Record<string, unknown>>;

/** How a provider written by hand differs from a right one. */
interface Ways {
  /** Says what is wrong with a body. Default: whatever is wrong. */
  readonly problemOf?: (body: Body, text: string) => string | undefined;
  readonly created?: (plant: Body, body: Body) => Response;
  readonly failed?: (status: number, message: string) => Response;
}

function problemIn(body: Body): string | undefined {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return 'no object';
  if (typeof body.name !== 'string') return 'the name';
  if (!Number.isInteger(body.id)) return 'the id';
  return 'tag' in body && typeof body.tag !== 'string' ? 'the tag' : undefined;
}

function provider({ problemOf = problemIn, created, failed }: Ways): FetchHandler {
  const fail = failed ?? ((error, message) => Response.json({ error, message }, { status: error }));
  return async (request) => {
    if (request.headers.get('authorization') !== `Bearer ${token}`) return fail(400, 'the token');
    const text = await request.text();
    let body: Body;
    try {
      body = JSON.parse(text);
    } catch {
      return fail(400, 'no JSON');
    }
    const problem = problemOf(body, text);
    if (problem !== undefined) return fail(400, problem);
    const plant = { name: body?.name, ...(body?.tag !== undefined && { tag: body.tag }) };
    return created?.(plant, body) ?? Response.json(plant);
  };
}

/** Keeps an id, if it is new. */
function isNew(ids: Set<unknown>, id: unknown): boolean {
  return !ids.has(id) && ids.add(id) !== undefined;
}

/** The findings that are errors: what is said first, and what it says of the cause and the fix. */
async function errorsOf(ways: Ways, only: readonly string[]) {
  const report = await checkFetch(provider(ways), { only });
  const errors = report.findings.filter(({ severity }) => severity === undefined);
  return { report, errors };
}

describe('the cause of a failure', () => {
  test('is the Content-Type alone, if the body of a 400 is a right Error', async () => {
    const failed = (error: number, message: string) =>
      new Response(JSON.stringify({ error, message }), {
        status: error,
        headers: { 'content-type': 'text/plain' },
      });
    const { errors } = await errorsOf({ failed }, ['failure']);
    expect(errors).toMatchObject([
      {
        title: 'The media type of a 400 is text/plain instead of application/json.',
        cause: 'The body is a right Error, and only its Content-Type is wrong.',
        fix: 'Send Content-Type: application/json with every Error.',
      },
    ]);
  });

  test.each([
    ['"data"', (plant: Body) => ({ data: plant })],
    ['"data"', (plant: Body, { id }: Body) => ({ status: 'ok', data: { ...plant, id } })],
    ['"data.attributes"', (plant: Body) => ({ data: { type: 'plant', attributes: plant } })],
    ['an array', (plant: Body) => [plant]],
    ['a string', (plant: Body) => JSON.stringify(plant)],
  ])('is one wrapping, %s', async (where, wrapped) => {
    const created = (plant: Body, body: Body) => Response.json(wrapped(plant, body));
    const { errors } = await errorsOf({ created }, ['success']);
    expect(errors.map(({ title }) => title)).toEqual([`The plant is wrapped in ${where}.`]);
  });

  test('is a conversion only if values are converted', async () => {
    const textOf = (value: unknown): unknown => (value === undefined ? undefined : String(value));
    const created = ({ name, tag }: Body) => Response.json({ name: textOf(name), tag: textOf(tag) });
    const problemOf = (body: Body) => (body?.name == null || typeof body.id !== 'number' ? 'no' : undefined);
    const converted = await errorsOf({ created, problemOf }, ['request/name-is-a-string']);
    expect(converted.errors).toMatchObject([{ id: 'types-are-converted' }]);
    const kept = await errorsOf({ problemOf }, ['request/name-is-a-string', 'request/tag-is-a-string']);
    expect(kept.errors).toMatchObject([{ id: 'types-are-not-checked' }]);
    const wrapped = await errorsOf({ problemOf, created: (data) => Response.json({ data }) }, [
      'request/name-is-a-string',
      'request/tag-is-a-string',
    ]);
    expect(wrapped.errors).toMatchObject([{ id: 'types-are-not-checked' }]);
    const hidden = await errorsOf({ problemOf, created: () => Response.json({}) }, [
      'request/tag-is-a-string',
    ]);
    expect(hidden.errors[0]).not.toHaveProperty('cause');
  });

  test('is that nothing is checked, and one finding', async () => {
    const { errors } = await errorsOf({ problemOf: () => undefined }, ['request']);
    expect(errors.map(({ id }) => id)).toEqual(['nothing-is-checked']);
  });

  test('is not the size of an id for what its rejection looks like', async () => {
    const isTooLarge = (text: string) => text.match(/\d+/g)?.some((digits) => Number(digits) >= 2 ** 31);
    const problemOf = (body: Body, text: string) =>
      problemIn(body) ?? (isTooLarge(text) ? 'too large' : undefined);
    const failed = (status: number) =>
      new Response('<p>no</p>', { status, headers: { 'content-type': 'text/html' } });
    const { errors } = await errorsOf({ problemOf, failed }, ['failure', 'request/int64-ids-are-accepted']);
    expect(errors.map(({ id, cases }) => [id, cases])).toEqual([
      ['id-in-32-bits', ['request/int64-ids-are-accepted']],
      ['framework-error-page', ['failure/media-type-is-json', 'failure/body-is-an-error']],
    ]);
  });

  test('is no framework for a text as "error"', async () => {
    const failed = (status: number, error: string) => Response.json({ error }, { status });
    const { errors } = await errorsOf({ failed }, ['failure']);
    expect(errors).toMatchObject([{ id: 'error-is-a-text', title: 'The body of a 400 is not an Error.' }]);
    expect(JSON.stringify(errors)).not.toMatch(/framework/i);
  });

  test('is not an exception, if a creation returns 201', async () => {
    const created = (plant: Body) => Response.json(plant, { status: 201 });
    const { errors } = await errorsOf({ created }, ['success/status-is-200']);
    expect(errors).toMatchObject([{ fix: 'Set the status of a creation to 200.' }]);
  });

  test('is two fields of a name, and both are named', async () => {
    await using twice = await startHandler((request, response) => {
      request.resume().on('end', () => {
        response.writeHead(200, ['content-type', 'text/plain', 'content-type', 'application/json']);
        response.end('{"name":"Aloe"}');
      });
    });
    const only = ['success/media-type-is-json'];
    const { findings } = await checkConformance({ baseUrl: twice.url, token, prism: false, only });
    expect(findings[0]).toMatchObject({
      id: 'content-type-twice',
      title: 'A 200 has 2 Content-Type fields: text/plain and application/json.',
    });
  });
});

describe('a finding of several failures', () => {
  test('says what the worst of them shows', async () => {
    // 2^53 and 2^53 + 1 are one id, and so is 2^63, which is out of range.
    const ids = new Set<unknown>();
    const created = (plant: Body, { id }: Body) =>
      isNew(ids, id) ? Response.json(plant) : Response.json({ error: 1, message: 'exists' }, { status: 400 });
    const only = ['request/id-is-within-int64', 'request/ids-are-exact'];
    const { report } = await errorsOf({ created }, only);
    const [finding] = report.findings;
    expect(finding).toMatchObject({
      id: 'id-through-a-double',
      title: 'Two different ids count as the same id.',
    });
    expect(finding).not.toHaveProperty('severity');
    expect(finding?.cases[0]).toBe('request/ids-are-exact');
  });

  test('has the plainest request as its example, and each rule its own fact', async () => {
    const failed = (status: number, text: string) => new Response(text, { status });
    const problemOf = (body: Body) => (typeof body?.name === 'string' ? undefined : 'the name');
    const { report } = await errorsOf({ failed, problemOf }, ['failure', 'request']);
    for (const { finding, evidence } of casesOf(report).map((one) => ({
      finding: one.id,
      evidence: one.evidence,
    })))
      expect([finding, evidence[0]?.sent]).not.toEqual([
        finding,
        expect.stringMatching(/20,000|8,192|6,000/),
      ]);
    const facts = Object.fromEntries(casesOf(report).map(({ id, fact }) => [id, fact]));
    expect(facts['request/id-is-an-integer']).toBe('A plant whose id is a number in quotes is accepted.');
    expect(facts['request/tag-is-a-string']).toBe('A plant whose tag is 7 is accepted.');
    expect(reporters.junit(report)).toContain('<failure message="A plant whose tag is 7 is accepted."');
    const annotations = reporters.github(report).match(/^::error /gm) ?? [];
    expect(annotations.length).toBe(report.findings.filter(({ severity }) => severity === undefined).length);
  });
});

describe('worth knowing', () => {
  test('is what a client may reasonably send and the provider rejects, in at most five lines of every format', async () => {
    const problemOf = (body: Body) => {
      const isOrdinary = Number(body?.id) > 0 && /^[A-Za-z]{1,40}$/.test(String(body?.name));
      return problemIn(body) ?? (isOrdinary ? undefined : 'letters only');
    };
    const { report, errors } = await errorsOf({ problemOf }, ['success', 'unspecified']);
    expect(errors).toEqual([]);
    const [section] = report.sections;
    expect(section?.title).toBe('Worth knowing');
    expect(section?.items.length).toBeLessThanOrEqual(5);
    const said = section?.items.join('\n') ?? '';
    expect(said).toMatch(/^A duplicate id is accepted: /m);
    expect(said).toMatch(
      /An id of 0.* and a negative id are rejected: \{.*"id":0\} gets 400 "letters only"\./,
    );
    expect(said).toMatch(
      /A name with a space, .*umlaut, a name with a digit and a name of 255 letters are rejected: /,
    );
    for (const name of ['text', 'html', 'markdown', 'junit', 'github', 'json'] as const)
      expect(reporters[name](report).replaceAll(/\s+/g, ' ')).toMatch(/A name with a space/);
  });

  test('is nothing, if a provider accepts all of that and rejects a duplicate', async () => {
    const ids = new Set<unknown>();
    const created = (plant: Body, { id }: Body) =>
      isNew(ids, id) ? Response.json(plant) : Response.json({ error: 1, message: 'exists' }, { status: 409 });
    const { report } = await errorsOf({ created }, ['success', 'unspecified']);
    expect(report.sections).toEqual([]);
  });
});
