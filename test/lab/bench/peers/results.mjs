import { appendFileSync, existsSync, readFileSync } from 'node:fs';

/** Each run is a line of JSON, so that a run which is stopped loses nothing, and can go on. */
export class Results {
  #file;
  runs = [];

  /** @param {string} [file] the runs of an earlier time are read from it, and new ones are added to it */
  constructor(file) {
    this.#file = file;
    if (file === undefined || !existsSync(file)) return;
    for (const line of readFileSync(file, 'utf8').split('\n'))
      if (line !== '') this.runs.push(JSON.parse(line));
  }

  has(tool, { kind, name }) {
    return this.runs.some(
      ({ tool: known, provider }) => known === tool && provider.kind === kind && provider.name === name,
    );
  }

  add(run) {
    this.runs.push(run);
    if (this.#file !== undefined) appendFileSync(this.#file, `${JSON.stringify(run)}\n`);
  }
}
