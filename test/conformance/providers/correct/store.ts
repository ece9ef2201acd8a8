import type { Plant } from './plant.js';
import type { Answer } from './write.js';

/** What a provider does with a duplicate id: "Behaviour when `id` already exists" is not shown. */
export type DuplicateId =
  | 'rejected'
  | 'answers-old-plant'
  | 'answers-303'
  /** The same plant again is rejected. Another plant with its id replaces it. */
  | 'rejected-if-equal'
  /** The same plant again gets the same response. Another plant with its id is rejected. */
  | 'rejected-if-different';

export interface StoreRules {
  readonly duplicateId?: DuplicateId;
  readonly uniqueNames?: boolean;
  /** Whether the message about a duplicate shows the plant that exists. */
  readonly showsExisting?: boolean;
  /** The plants that exist from the start. */
  readonly seed?: readonly Plant[];
}

export interface Store {
  /** Creates a plant. `rejected` makes the response to a duplicate of another plant. */
  create(plant: Plant, rejected: (existing?: Plant) => Answer): Answer;
}

/** A store in memory. */
export function storeOf({
  duplicateId = 'rejected',
  uniqueNames = false,
  showsExisting = false,
  seed = [],
}: StoreRules = {}): Store {
  const plants = new Map(seed.map((plant) => [plant.id, plant]));
  return {
    create(plant, rejected) {
      const old = plants.get(plant.id);
      if (uniqueNames && [...plants.values()].some(({ name }) => name === plant.name)) return rejected();
      if (old === undefined) {
        plants.set(plant.id, plant);
        return shown(plant);
      }
      const answer = duplicate(duplicateId, old, plant, () => rejected(showsExisting ? old : undefined));
      if (answer !== 'replaces') return answer;
      plants.set(plant.id, plant);
      return shown(plant);
    },
  };
}

function duplicate(kind: DuplicateId, old: Plant, plant: Plant, rejected: () => Answer): Answer | 'replaces' {
  const isEqual = old.name === plant.name && old.tag === plant.tag;
  switch (kind) {
    case 'rejected':
      return rejected();
    case 'answers-old-plant':
      return shown(old);
    case 'answers-303':
      return { status: 303, headers: { Location: `/plants/${plant.id}` } };
    case 'rejected-if-equal':
      return isEqual ? rejected() : 'replaces';
    case 'rejected-if-different':
      return isEqual ? shown(old) : rejected();
  }
}

function shown({ name, tag }: Plant): Answer {
  return { status: 200, body: tag === undefined ? { name } : { name, tag } };
}
