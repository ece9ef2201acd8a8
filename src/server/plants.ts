import type { NewPlant } from '../spec/types.js';
import { narrow } from '../validation/json-value.js';

/** The plants of one server. `7` and `7n` are the same id. */
export class PlantMap {
  private readonly plants = new Map<number | bigint, NewPlant>();

  /** The plant with an id. */
  get(id: number | bigint): NewPlant | undefined {
    return this.plants.get(narrow(id));
  }

  /** Stores a plant, or replaces the one with its id. */
  set(plant: NewPlant): void {
    this.plants.set(narrow(plant.id), plant);
  }

  /** The plants, in the order in which their ids were first used. */
  list(): NewPlant[] {
    return Array.from(this.plants.values(), (plant) => ({ ...plant }));
  }

  clear(): void {
    this.plants.clear();
  }
}
