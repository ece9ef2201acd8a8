const NUMBERS = ['times', 'every', 'delayMs', 'bytesPerSecond'] as const;

/** The failure that a form describes; the server checks it. */
export function failureIn(form: { get(name: string): unknown }): object {
  const text = (name: string): string => String(form.get(name) ?? '').trim();
  const kind = text('kind');
  const numbers = NUMBERS.flatMap((name) => (text(name) === '' ? [] : [[name, Number(text(name))] as const]));
  const when = {
    ...(text('name') !== '' && { name: text('name') }),
    // As text: a number of JavaScript has too few digits for an id.
    ...(text('id') !== '' && { id: text('id') }),
  };
  return {
    ...(kind === 'status' && { status: Number(text('status')) }),
    ...(kind === 'status' && text('body') !== '' && { body: String(form.get('body')) }),
    ...(kind !== 'status' && kind !== '' && { connection: kind }),
    ...Object.fromEntries(numbers),
    ...(Object.keys(when).length > 0 && { when }),
  };
}
