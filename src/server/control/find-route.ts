import type { Handler, Routes } from './call.js';

/** What a path leads to. */
export interface FoundRoute {
  /** The path, or its template. */
  readonly template: string;
  readonly methods: Readonly<Record<string, Handler>>;
  readonly parameters: Readonly<Record<string, string>>;
}

/** The route of a path. A template such as `/exchanges/{number}` stands for one segment. */
export function findRoute(routes: Routes, path: string): FoundRoute | undefined {
  const exact = Object.hasOwn(routes, path) ? routes[path] : undefined;
  if (exact !== undefined) return { template: path, methods: exact, parameters: {} };
  for (const [template, methods] of Object.entries(routes)) {
    const [, before, name] = /^(.*)\{(\w+)\}$/.exec(template) ?? [];
    if (before === undefined || name === undefined || !path.startsWith(before)) continue;
    const value = path.slice(before.length);
    if (value !== '' && !value.includes('/')) return { template, methods, parameters: { [name]: value } };
  }
  return undefined;
}
