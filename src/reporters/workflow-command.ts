import { visible } from '../conformance/reporting/control-characters.js';

/** A workflow command of GitHub Actions. */
export function workflowCommand(
  name: 'error' | 'warning' | 'notice',
  properties: Readonly<Record<string, string>>,
  message: string,
): string {
  const written = Object.entries(properties).map(([key, value]) => `${key}=${escapeProperty(value)}`);
  return `::${name} ${written.join(',')}::${escapeData(visible(message))}`;
}

/** A runner looks for commands at the beginning of a line, and for those of the old form, `##[…]`, anywhere. */
export function plainLine(text: string): string {
  return visible(text)
    .replace(/\s*[\r\n]+\s*/g, ' ')
    .replaceAll('##[', '# #[');
}

function escapeData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function escapeProperty(text: string): string {
  return escapeData(visible(text)).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
