import { afterAll } from 'vitest';
import { InstalledProject } from './installed-project.js';

/** Makes a project for each call, so that several processes can run at the same time. All go when the file's tests end. */
export function ownProjects(): (files: Readonly<Record<string, string>>) => Promise<InstalledProject> {
  const projects: InstalledProject[] = [];
  afterAll(() => {
    for (const project of projects) project.remove();
  });
  return async (files) => {
    const project = await InstalledProject.create();
    projects.push(project);
    project.renew(files);
    return project;
  };
}
