import type { Template } from '../template.js';

/** Strings, placeholders, structural characters, runs of white space, and what stands between them. */
const TOKEN = /"(?:\\.|[^"\\])*"|<[A-Z][^>]*>|[{}[\]:,]|\s+|(?:(?!<[A-Z])[^\s"{}[\]:,])+|./gsu;

/** The tokens of a body, also of one that is not JSON: together they are the body. */
export function tokensOf(body: Template): readonly string[] {
  return body.match(TOKEN) ?? [];
}

/** A member of the object that a body is: its key as it is written, its value, and where both are in the tokens. */
interface Member {
  readonly key: string;
  readonly value: Template;
  readonly from: number;
  readonly to: number;
}

/** The members of a body that is an object, as far as they can be told. None if it is no object. */
export function membersOf(body: Template): readonly Member[] {
  const tokens = tokensOf(body);
  const members: Member[] = [];
  let depth = 0;
  let from = -1;
  for (const [at, token] of tokens.entries()) {
    if (token === '}' || token === ']') depth--;
    const isEnd = (token === ',' && depth === 1) || (token === '}' && depth === 0);
    if (isEnd && from !== -1) {
      const colon = tokens.indexOf(':', from);
      const key = tokens.slice(from, colon).join('').trim();
      if (colon > from && colon < at)
        members.push({
          key,
          value: tokens
            .slice(colon + 1, at)
            .join('')
            .trim(),
          from,
          to: at,
        });
    }
    if (isEnd || (token === '{' && depth === 0)) from = at + 1;
    if (token === '{' || token === '[') depth++;
  }
  return members;
}

/** The body with another value for this key, or with one more member at its end. */
export function withMember(body: Template, key: string, value: Template): Template {
  const json = JSON.stringify(key);
  const member = membersOf(body).find((one) => one.key === json);
  if (member !== undefined) return replaced(body, member, `${json}:${value}`);
  return body.replace(/\}\s*$/, (end) => `${membersOf(body).length > 0 ? ',' : ''}${json}:${value}${end}`);
}

/** The body with another key for a member. */
export function withKey(body: Template, key: string, other: string): Template {
  const member = membersOf(body).find((one) => one.key === JSON.stringify(key));
  return member === undefined ? body : replaced(body, member, `${JSON.stringify(other)}:${member.value}`);
}

/** The body without a member. */
export function withoutMember(body: Template, key: string): Template {
  const members = membersOf(body);
  const rest = members.filter((one) => one.key !== JSON.stringify(key));
  return rest.length === members.length
    ? body
    : `{${rest.map((one) => `${one.key}:${one.value}`).join(',')}}`;
}

function replaced(body: Template, { from, to }: Member, text: string): Template {
  const tokens = tokensOf(body);
  return [...tokens.slice(0, from), text, ...tokens.slice(to)].join('');
}
