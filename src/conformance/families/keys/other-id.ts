import type { Piece, ProbeDraft } from '../draft.js';
import type { GeneratedName } from '../family.js';

/** The second id is the first and one more digit. Both fit into 32 bits. */
const ID: Piece = { fresh: 'id', between: ['10000000', '200000000'] };
const [FIRST, SECOND, THIRD] = [1, 2, 3].map((of): Piece => ({ fresh: 'name', of })) as [Piece, Piece, Piece];

/**
 * A plant with another id under keys like "id", half of them before the id and half of them after it. Then come a plant
 * with that id, and one with the first.
 */
export function sequenceWithOtherId(name: GeneratedName, keys: readonly string[]): ProbeDraft {
  const members = keys.map((key) => [`${JSON.stringify(key)}:`, ID, '7']);
  const before = members.filter((_, at) => at % 2 === 0).flatMap((member) => [...member, ',']);
  const after = members.filter((_, at) => at % 2 === 1).flatMap((member) => [',', ...member]);
  return {
    name,
    title: `a plant with another id as ${keys.map((key) => JSON.stringify(key)).join(', ')}, then one with that id, then one with the first`,
    expectation: 'created',
    phase: 'state',
    control: 'plain-plant',
    rules: ['request/unknown-members-change-nothing'],
    requests: [
      {
        body: ['{', ...before, '"name":"', FIRST, '","id":', ID, ...after, '}'],
        plant: { name: FIRST, id: ID },
        expectation: 'open',
      },
      { body: ['{"name":"', SECOND, '","id":', ID, '7}'], plant: { name: SECOND, id: [ID, '7'] } },
      { body: ['{"name":"', THIRD, '","id":', ID, '}'], expectation: 'open', idMayExist: true },
    ],
  };
}
