import { cpus } from 'node:os';

/** When and on what the numbers were measured, in a line that names no host. */
export function machine() {
  const [{ model = 'unknown processor' } = {}, ...more] = cpus();
  const day = new Date().toISOString().slice(0, 10);
  return `${day}, Node ${process.version}, ${more.length + 1} × ${model.trim()}`;
}
