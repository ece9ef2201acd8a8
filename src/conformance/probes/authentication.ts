import type { Fields } from '../exchange.js';
import { defineProbe, type Probe } from '../probe.js';
import { creation, PLAIN_NAME } from '../requests.js';

/** A valid plant whose Authorization header is another one, or none. */
function withAuthorization(
  name: string,
  title: string,
  value: (material: Parameters<Probe['requests']>[0]) => string | undefined,
): Probe {
  return defineProbe({
    name,
    title,
    kind: 'invalid',
    control: 'plain-plant',
    phase: 'wrong-token',
    requests(material) {
      const request = creation(material, { name: PLAIN_NAME, id: material.freshId() });
      const authorization = value(material);
      const others = request.headers.filter(([field]) => field !== 'Authorization');
      const headers: Fields =
        authorization === undefined ? others : [['Authorization', authorization], ...others];
      return [{ ...request, headers }];
    },
  });
}

/** The probe that shows whether wrong tokens have locked the right one out. */
export const AFTER_WRONG_TOKENS = 'plain-plant-after-wrong-tokens';

export const authenticationProbes = [
  withAuthorization('no-authorization', 'a plain plant without an Authorization header', () => undefined),
  withAuthorization(
    'wrong-token',
    'a plain plant with a token that was never given out',
    ({ wrongToken }) => `Bearer ${wrongToken}`,
  ),
  defineProbe({
    name: AFTER_WRONG_TOKENS,
    title: 'a plain plant with the right token, after wrong ones',
    kind: 'open',
    phase: 'afterwards',
    requests: (material) => [creation(material, { name: PLAIN_NAME, id: material.freshId() })],
  }),
];
