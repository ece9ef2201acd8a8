// A second opinion on responses, written from the interface alone: it imports nothing of the package.

/** What these statuses say is about a limit, and limits are not shown. */
const LIMITS = new Set([408, 413, 414, 429, 431]);

/**
 * What a response does against the interface.
 *
 * @param {Pick<import('./requests.mjs').Request, 'kind' | 'plant'>} request
 * @param {import('./probe.mjs').Response} response
 * @returns {string | undefined} one sentence
 */
export function violationOf({ kind, plant }, response) {
  if (kind === 'elsewhere') return undefined;
  if ('lost' in response) return 'there is no response';
  const { status } = response;
  if (status >= 500) return 'the provider fails';
  if (status >= 400) return kind === 'plain' ? 'a plain plant is rejected' : violationOfError(response);
  if (kind === 'mistake') return 'a mistake is not rejected';
  if (status !== 200) return 'the status of a success is not 200';
  return violationOfPlant(response, plant);
}

function violationOfPlant({ type, body: text }, plant) {
  if (!isJson(type)) return 'the media type of a plant is not JSON';
  const body = objectIn(text);
  if (body === undefined) return 'the plant is no JSON object';
  if (Object.keys(body).some((key) => key !== 'name' && key !== 'tag')) return 'the plant has another field';
  if (typeof body.name !== 'string') return 'the plant has no name';
  if (body.tag !== undefined && typeof body.tag !== 'string') return 'the tag is no string';
  if (plant === undefined) return undefined;
  return body.name === plant.name && body.tag === plant.tag ? undefined : 'another plant comes back';
}

function violationOfError({ status, type, body: text }) {
  if (LIMITS.has(status) || (text === '' && status !== 400)) return undefined;
  if (!isJson(type)) return 'the media type of an error is not JSON';
  const { error, message } = objectIn(text) ?? {};
  const isInt32 = Number.isInteger(error) && error >= -(2 ** 31) && error < 2 ** 31;
  return isInt32 && typeof message === 'string' ? undefined : 'a rejection has no Error';
}

function isJson(type) {
  return /^application\/json *(;|$)/i.test(type);
}

function objectIn(text) {
  try {
    const value = JSON.parse(Buffer.from(text, 'latin1').toString());
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
