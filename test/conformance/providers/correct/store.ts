import type { Plant } from './plant.js';
import type { Answer } from './write.js';

/** What becomes of an id that there is already: "Behaviour when `id` already exists" is not shown. */
export type RepeatedId =
  | 'refused'
  | 'replaces'
  | 'answers-old-plant'
  | 'answers-204'
  | 'answers-201'
  | 'answers-303'
  | 'answers-500'
  /** Sent twice by mistake, it is refused; another plant with that id replaces the old one. */
  | 'refused-if-equal'
  /** Sent twice by mistake, it is answered as before; another plant with that id is refused. */
  | 'refused-if-different';

export interface StoreRules {
  readonly repeatedId?: RepeatedId;
  readonly uniqueNames?: boolean;
  /** What is there before anybody comes. */
  readonly seed?: readonly Plant[];
}

export interface Store {
  /** Creates a plant; `refused` is the answer to one that is there already. */
  create(plant: Plant, refused: () => Answer): Answer;
}

/** A store in memory. */
export function storeOf({ repeatedId = 'refused', uniqueNames = false, seed = [] }: StoreRules = {}): Store {
  const plants = new Map(seed.map((plant) => [plant.id, plant]));
  return {
    create(plant, refused) {
      const old = plants.get(plant.id);
      if (uniqueNames && [...plants.values()].some(({ name }) => name === plant.name)) return refused();
      if (old === undefined) {
        plants.set(plant.id, plant);
        return shown(plant);
      }
      const answer = repeated(repeatedId, old, plant, refused);
      if (answer !== 'replaces') return answer;
      plants.set(plant.id, plant);
      return shown(plant);
    },
  };
}

function repeated(kind: RepeatedId, old: Plant, plant: Plant, refused: () => Answer): Answer | 'replaces' {
  const isEqual = old.name === plant.name && old.tag === plant.tag;
  switch (kind) {
    case 'refused':
      return refused();
    case 'replaces':
      return 'replaces';
    case 'answers-old-plant':
      return shown(old);
    case 'answers-204':
      return { status: 204 };
    case 'answers-201':
      return { ...shown(plant), status: 201 };
    case 'answers-303':
      return { status: 303, headers: { Location: `/plants/${plant.id}` } };
    case 'answers-500':
      return { status: 500, body: { error: 500, message: 'duplicate key value violates a constraint' } };
    case 'refused-if-equal':
      return isEqual ? refused() : 'replaces';
    case 'refused-if-different':
      return isEqual ? shown(old) : refused();
  }
}

function shown({ name, tag }: Plant): Answer {
  return { status: 200, body: tag === undefined ? { name } : { name, tag } };
}
