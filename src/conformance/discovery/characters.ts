import { counted, listed } from '../../output/wording.js';
import type { ProbeRequest } from '../exchange.js';
import { creation } from '../families/requests.js';
import type { ProbeValues } from '../probe.js';
import { type Answer, type Asker, CannotFind } from './asker.js';
import type { Finding } from './limit.js';

/** Characters that programs treat alike. */
export interface CharacterGroup {
  /** Its name in the value of a limit, if all of it is rejected. */
  readonly id: string;
  /** Its name in a sentence. */
  readonly name: string;
  readonly characters: string;
  /** Whether providers often accept some of these and reject the others: then each one is tried. */
  readonly isMixed?: true;
}

/** The characters that are tried. */
export const characterGroups: readonly CharacterGroup[] = [
  { id: 'digits', name: 'digits', characters: '0123456789' },
  { id: 'space', name: 'the space', characters: ' ' },
  {
    id: 'punctuation',
    name: 'ASCII punctuation',
    characters: '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~',
    isMixed: true,
  },
  { id: 'accents', name: 'Latin letters with accents', characters: 'éßøñłāç' },
  { id: 'scripts', name: 'letters of other scripts', characters: 'αЖأصअก龍アロ알' },
  { id: 'combining-marks', name: 'combining marks', characters: '\u0301\u0308\u030a\u0323' },
  { id: 'astral', name: 'characters above U+FFFF', characters: '🌵😀🇧𝒜𠮷' },
  { id: 'line-breaks', name: 'tabs and line breaks', characters: '\t\n\r' },
  { id: 'controls', name: 'control characters', characters: '\u0001\u0008\u001b\u007f\u0085' },
  { id: 'nul', name: 'the character U+0000', characters: '\u0000' },
  { id: 'invisible', name: 'invisible characters', characters: '\u200b\u200d\u2028\u00a0\ufeff\u202e' },
];

/** How many rejections are looked into for one group. */
const MOST_REJECTIONS = 16;
/** Every provider accepts a name of this many ASCII letters, and one that counts bytes accepts this many bytes. */
const ROOM = 30;
/** Letters around the characters, since white space at an end may be cut off: a fresh name, or two letters of a tag. */
const AROUND = { name: 10, tag: 2 } as const;

/**
 * Which characters are rejected inside a name or a tag.
 *
 * @param longest the longest name or tag, if it is known: longer ones say nothing about characters
 */
export async function rejectedCharacters(
  asker: Asker,
  field: 'name' | 'tag',
  longest: number,
): Promise<Finding> {
  const search = new CharacterSearch(asker, field, Math.min(ROOM, longest) - AROUND[field]);
  for (const group of characterGroups) await search.group(group);
  return search.finding();
}

class CharacterSearch {
  /** For people, in the order of the groups. */
  private readonly inWords: string[] = [];
  /** For programs: ids of groups, and code points. */
  private readonly values: string[] = [];
  private accepted: Answer | undefined;
  private rejected: { answer: Answer; request: () => ProbeRequest } | undefined;
  private left = 0;

  constructor(
    private readonly asker: Asker,
    private readonly field: 'name' | 'tag',
    /** How many bytes of characters fit between the letters. */
    private readonly room: number,
  ) {}

  /** Tries all characters of a group in as few strings as there is room for. Only what is rejected is divided. */
  async group({ id, name, characters, isMixed }: CharacterGroup): Promise<void> {
    this.left = MOST_REJECTIONS;
    const all = [...characters];
    const parts = fitting(all, this.room);
    const rejected: string[][] = [];
    for (const part of parts) if (!(await this.accepts(part))) rejected.push(part);
    if (rejected.length === 0) return;
    const [found, undivided]: [string[], string[][]] = [[], []];
    if (all.length === 1) found.push(...all);
    else if (rejected.length === parts.length && (await this.rejectsEnds(all))) {
      if (isMixed) found.push(...(await this.oneByOne(all)));
      else {
        this.inWords.push(`${name} such as ${listed([shown(all.slice(0, 1)), shown(all.slice(-1))])}`);
        this.values.push(id);
        return;
      }
    } else for (const part of rejected) await this.divide(part, found, undivided);
    this.note({ id, name, characters }, found, undivided);
  }

  async finding(): Promise<Finding> {
    const title = `Characters rejected in a ${this.field}`;
    const accepted = this.accepted && { accepted: this.asker.side(this.accepted) };
    if (this.rejected === undefined) {
      const tried = characterGroups.reduce((sum, { characters }) => sum + [...characters].length, 0);
      const sentence = `${title}: none of ${counted(tried, 'character')} of ${characterGroups.length} kinds.`;
      return { outcome: 'not-found', sentence, upTo: String(tried), ...accepted };
    }
    const { answer, request } = this.rejected;
    const confirmed = await this.asker.confirm(answer, request);
    return {
      outcome: 'found',
      sentence: `${title}: ${listed(this.inWords)}.`,
      value: this.values.join(' '),
      ...accepted,
      rejected: this.asker.side(confirmed),
    };
  }

  private note(
    { id, name, characters }: CharacterGroup,
    found: readonly string[],
    undivided: string[][],
  ): void {
    if (found.length === [...characters].length) {
      this.inWords.push(name);
      this.values.push(id);
      return;
    }
    const some = undivided.map((part) => `some of ${shown(part)}`);
    this.inWords.push(`${name} (${[...(found.length > 0 ? [shown(found)] : []), ...some].join('; ')})`);
    this.values.push(
      ...found.map(codePoint),
      ...undivided.map((part) => `some:${part.map(codePoint).join('|')}`),
    );
  }

  /** Whether the first and the last of many characters are rejected even alone: then all of them seem to be. */
  private async rejectsEnds(characters: readonly string[]): Promise<boolean> {
    for (const one of [characters[0], characters.at(-1)])
      if (await this.accepts([one as string])) return false;
    return true;
  }

  /** Which characters are rejected alone. */
  private async oneByOne(characters: readonly string[]): Promise<string[]> {
    const found: string[] = [];
    for (const one of characters) if (!(await this.accepts([one], true))) found.push(one);
    if (this.rejected !== undefined) await this.asker.control(this.rejected.answer);
    return found;
  }

  /** Halves a rejected string until each rejected character is known, or too much was asked. */
  private async divide(part: readonly string[], found: string[], undivided: string[][]): Promise<void> {
    if (part.length === 1) {
      found.push(...part);
      return;
    }
    if (this.left <= 0) {
      undivided.push([...part]);
      return;
    }
    const middle = part.length >> 1;
    const [first, second] = [part.slice(0, middle), part.slice(middle)];
    const [acceptsFirst, acceptsSecond] = [await this.accepts(first), await this.accepts(second)];
    if (acceptsFirst && acceptsSecond)
      throw new CannotFind(
        `a ${this.field} with ${shown(part)} is rejected, and each half of them is accepted`,
      );
    if (!acceptsFirst) await this.divide(first, found, undivided);
    if (!acceptsSecond) await this.divide(second, found, undivided);
  }

  private async accepts(characters: readonly string[], isOneOfMany = false): Promise<boolean> {
    const request = (): ProbeRequest => withCharacters(this.field, characters, this.asker.values);
    const answer = await this.asker.ask(`a ${this.field} with ${shown(characters)}`, request, isOneOfMany);
    if (answer.accepted) this.accepted = answer;
    else {
      this.left--;
      this.rejected ??= { answer, request };
    }
    return answer.accepted;
  }
}

/** Parts that have at most so many bytes, or one character. */
function fitting(characters: readonly string[], room: number): string[][] {
  const parts: string[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const one of characters) {
    const more = Buffer.byteLength(one);
    if (bytes + more > room) {
      parts.push([]);
      bytes = 0;
    }
    bytes += more;
    parts.at(-1)?.push(one);
  }
  return parts;
}

function withCharacters(
  field: 'name' | 'tag',
  characters: readonly string[],
  values: ProbeValues,
): ProbeRequest {
  const inside = characters.join('');
  if (field === 'tag') return creation(values, { tag: `a${inside}b` });
  const name = values.freshName();
  return creation(values, { name: `${name.slice(0, -1)}${inside}${name.slice(-1)}` });
}

/** Printable ASCII as it is, other characters by their code point. */
function shown(characters: readonly string[]): string {
  return characters.map((one) => (/^[!-~]$/.test(one) ? one : codePoint(one))).join(' ');
}

/** `U+00E9` */
function codePoint(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}
