import { readFileSync } from 'node:fs';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** How a file says that it takes minutes. */
const MARK = /^\/\/ Starts first: /m;

/**
 * Lets the files that say so start first: one that takes minutes and starts last would run alone at the end. Vitest knows how
 * long a file took only where it ran before; elsewhere the smallest files start last, and a matrix is a small file.
 *
 * The files of a project stay together: a worker that gets a file of another project ends, and its modules go with it.
 */
export class Sequencer extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const starting = new Set(sorted.filter(({ moduleId }) => MARK.test(readFileSync(moduleId, 'utf8'))));
    const ordered = [...starting, ...sorted.filter((file) => !starting.has(file))];
    return this.ctx.projects.flatMap(({ name }) => ordered.filter(({ project }) => project.name === name));
  }
}
