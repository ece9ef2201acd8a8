import { floods } from './parts/floods.mjs';
import { framing } from './parts/framing.mjs';
import { memory } from './parts/memory.mjs';
import { mutatedFiles } from './parts/mutated-files.mjs';
import { signals } from './parts/signals.mjs';
import { slowClients } from './parts/slow-clients.mjs';
import { splitting } from './parts/splitting.mjs';

/** The parts, in the order of the table. */
export const PARTS = {
  signals,
  'mutated-files': mutatedFiles,
  memory,
  framing,
  splitting,
  'slow-clients': slowClients,
  floods,
};
