import type { NewPlant } from '../spec/types.js';
import { narrow } from '../validation/json-number.js';

/** The plants of one server. An id is one key however it is written: `7` and `7n` are the same plant. */
export class PlantMap {
  private readonly plants = new Map<number | bigint, NewPlant>();

  has(id: number | bigint): boolean {
    return this.plants.has(narrow(id));
  }

  /** Keeps a plant; one with the same id is replaced. */
  set(plant: NewPlant): void {
    this.plants.set(narrow(plant.id), plant);
  }

  /** The plants in the order in which their ids first came. */
  list(): NewPlant[] {
    return Array.from(this.plants.values(), (plant) => ({ ...plant }));
  }

  clear(): void {
    this.plants.clear();
  }
}
