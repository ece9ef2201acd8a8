/** The id of a house rule, or the name of a probe of one. No rule and no probe of the interface begins like this. */
export type HouseId = `house/${string}`;

/** What the ids of house rules and the names of their probes begin with. */
export const HOUSE_PREFIX = 'house/';

/** What such an id may be. */
export const HOUSE_ID = /^house\/[a-z0-9]+(?:-[a-z0-9]+)*$/;

/** The id of the rule that `maxResponseTimeMs` adds. The interface says nothing about times. */
export const RESPONSE_TIME: HouseId = 'house/max-response-time';

/** Whether a probe of this name belongs to house rules. */
export function isHouseProbe(name: string): boolean {
  return name.startsWith(HOUSE_PREFIX);
}
