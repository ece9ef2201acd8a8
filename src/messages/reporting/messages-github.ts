import { plainLine, workflowCommand } from '../../reporters/workflow-command.js';
import {
  countsInWords,
  fileInWords,
  type JudgedMessage,
  type MessagesReport,
  placeInWords,
  violationText,
} from '../report.js';

/**
 * Judged messages as workflow commands of GitHub Actions: an annotation for each message that breaks the interface
 * (`error`) or could not be judged wholly (`warning`), at its line of the file, then one line that sums up.
 */
export function messagesGithub(report: MessagesReport): string {
  const { file, kind, messages, summary } = report;
  const lines = [
    ...messages.flatMap((message) => annotationOf(message, file)),
    plainLine(`${kind}s in ${fileInWords(file)}: ${countsInWords(messages)}. ${summary}`),
  ];
  return `${lines.join('\n')}\n`;
}

function annotationOf({ title, place, verdict, violations, reasons }: JudgedMessage, file: string): string[] {
  if (verdict !== 'fail' && verdict !== 'blocked') return [];
  const where = placeInWords(place);
  const text = [...violations.map(violationText), ...reasons.map((reason) => `not judged: ${reason}`)];
  const properties = {
    ...(file !== '-' && { file, ...(place.line !== undefined && { line: String(place.line) }) }),
    title: where === '' ? title : `${title} (${where})`,
  };
  return [workflowCommand(verdict === 'fail' ? 'error' : 'warning', properties, text.join('\n'))];
}
