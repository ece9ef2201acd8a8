import type { MessagesReport } from '../report.js';

/** Judged messages as one JSON document, indented. */
export function messagesJson(report: MessagesReport): string {
  return `${JSON.stringify(report, null, 2)}\n`;
}
