/** One server-sent event of our own server: one line of data. */
export interface StreamEvent {
  readonly type: string;
  readonly data: string;
}

/** Takes texts as they come, and gives the events that are complete. */
export function eventReader(): (text: string) => StreamEvent[] {
  let rest = '';
  return (text) => {
    const blocks = (rest + text).split('\n\n');
    rest = blocks.pop() ?? '';
    return blocks.flatMap((block) => {
      const [, type, data] = /^event: (\w+)\ndata: (.*)$/.exec(block) ?? [];
      return type === undefined || data === undefined ? [] : [{ type, data }];
    });
  };
}
