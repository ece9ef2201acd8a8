import { floods } from './parts/floods.mjs';
import { framing } from './parts/framing.mjs';
import { memory } from './parts/memory.mjs';
import { signals } from './parts/signals.mjs';
import { splitting } from './parts/splitting.mjs';

/** The parts, in the order of the table. */
export const PARTS = { signals, memory, framing, splitting, floods };
