/** A server-sent event (HTML standard, section 9.2). JSON has no line breaks, so one line of data is enough. */
export interface ServerSentEvent {
  readonly type: string;
  readonly json: string;
}

/** A longer event is none of ours. */
const LONGEST_EVENT = 64 * 2 ** 20;

/** Takes texts of our own server as they come, and gives the events that are complete; `undefined` if one never ends. */
export function eventReader(): (text: string) => readonly ServerSentEvent[] | undefined {
  let rest = '';
  return (text) => {
    const blocks = (rest + text).split('\n\n');
    rest = blocks.pop() ?? '';
    if (rest.length > LONGEST_EVENT) return undefined;
    return blocks.flatMap((block) => {
      const [, type, json] = /^event: (\w+)\ndata: (.*)$/.exec(block) ?? [];
      return type === undefined || json === undefined ? [] : [{ type, json }];
    });
  };
}
