/** What a command printed, with what differs from run to run replaced by its kind: compare this with a snapshot, or with a page. */
export function steady(text: string): string {
  return (
    text
      .replaceAll(/[ \t]+$/gm, '')
      .replaceAll(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?Z?/g, '<time>')
      .replaceAll(/\b\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT\b/g, '<time>')
      .replaceAll(/\b\d{4}-\d\d-\d\d\b/g, '<date>')
      .replaceAll(/\b\d+(?:\.\d+)? ?(?:ms|s)\b/g, '<duration>')
      .replaceAll(/\b\d\d:\d\d:\d\d\b/g, '<time>')
      .replaceAll(/(?<=127\.0\.0\.1:|localhost:)\d{5}\b/g, '<port>')
      .replaceAll(/\b\d{6,}\b/g, '<id>')
      // It grows with each rule.
      .replaceAll(/\b\d+(?=\s+other\s+rules\b)/g, '<number>')
      .replaceAll(/\/[^\s"']*\/test-\w{6}(?=\/|\b)/g, '<folder>')
  );
}
