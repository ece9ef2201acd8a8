import type { Fault } from 'plant-store-contract/server';

/** Faults that show if two requests meet, if two segments do not, or if no response comes: other work may hide them. */
export const isOfTiming = ({ name }: Fault): boolean =>
  /^(races-|hangs-|mixes-)|^decodes-each-segment$/.test(name);
