import { readdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** A plugin that a pact needs. */
export interface PactPlugin {
  readonly name: string;
  /** Its index in the list of the pact. */
  readonly index: number;
}

/** The plugins that are not installed where Pact looks for them: in `PACT_PLUGIN_DIR`, or in `~/.pact/plugins`. */
export function missingPlugins(plugins: readonly PactPlugin[]): PactPlugin[] {
  if (plugins.length === 0) return [];
  const installed = new Set(installedIn(pluginFolder()));
  return plugins.filter(({ name }) => !installed.has(name));
}

/** A sentence without its end. */
export function missingInWords({ name }: Pick<PactPlugin, 'name'>): string {
  return `the pact needs the plugin ${JSON.stringify(name)}, which is not installed in ${pluginFolder()}`;
}

function pluginFolder(): string {
  return process.env.PACT_PLUGIN_DIR ?? join(homedir(), '.pact', 'plugins');
}

/** The names in the manifests of a folder of plugins. */
function installedIn(folder: string): string[] {
  return namesIn(folder).flatMap((entry) => {
    try {
      const { name } = JSON.parse(readFileSync(join(folder, entry, 'pact-plugin.json'), 'utf8'));
      return typeof name === 'string' ? [name] : [];
    } catch {
      return [];
    }
  });
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
