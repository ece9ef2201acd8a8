/** The hexadecimal numbers and ranges in a list, with a step. */
function codePoints(list: string, step = 1): readonly number[] {
  return list
    .trim()
    .split(/\s+/)
    .flatMap((range) => {
      const [first = 0, last = first] = range.split('-').map((digits) => Number.parseInt(digits, 16));
      const count = Math.floor((last - first) / step) + 1;
      return Array.from({ length: count }, (_, at) => first + at * step);
    });
}

function charactersOf(list: string, step?: number): readonly string[] {
  return codePoints(list, step).map((point) => String.fromCodePoint(point));
}

/** The items of a list with spaces between them. Other white space counts. */
function characters(list: string): readonly string[] {
  return list.split(/[ \n]+/).filter((item) => item !== '');
}

/** Every mark of ASCII. */
export const MARKS: readonly string[] = [...'"\'<&\\/%$`{}[]=;+-@#*~^|_:,.!?()>'];

/** White space, and characters that some programs take for it. Line breaks are others. */
export function spaces(): readonly string[] {
  return [' ', '\t', '\u00a0', '\u3000', ...charactersOf('2000-200a 202f 205f 1680 180e 200b feff')];
}

export const LINE_BREAKS = '\n|\r\n|\r|\u2028|\u2029|\u0085|\u000b|\u000c|\n\r'.split('|');

/** Control characters that are no white space, and not U+0000. */
export function controls(): readonly string[] {
  return charactersOf('7f 1 8 1b 1c-1f e-1a 2-7 80-84 86-9f');
}

/** Characters that only change the direction of writing, each as it is used. */
export const DIRECTIONS = characters(`
  \u200ea \u200fa \u061ca \u202aa\u202c \u202ba\u202c \u202da\u202c \u202ea\u202c \u2066a\u2069
  \u2067a\u2069 \u2068a\u2069 אa aا1 ١٢(א)`);

/** Characters without a shape that are neither spaces nor directions: joiners, selectors, tags, fillers. */
export function invisible(): readonly string[] {
  const points =
    '200b-200d feff ad 2060-2064 206a-206f 34f 115f 1160 17b4 17b5 180b-180f 3164 ffa0 fff9-fffd';
  return charactersOf(`${points} fe00-fe0f e0001 e0041 e007f e0100 1d173-1d17a`).map((one) => `a${one}b`);
}

/** Private characters, noncharacters, and characters that no version of Unicode has yet. */
export function unusual(): readonly string[] {
  const ends = Array.from({ length: 17 }, (_, plane) => plane * 0x10000 + 0xffff);
  return [
    ...charactersOf('e000 f8ff f0000 ffffd 100000 10fffd fdd0 fdef fffe'),
    ...ends.map((point) => String.fromCodePoint(point)),
    ...charactersOf('378 530 2fe0 e0fff 30000-e0000', 0x10000),
  ];
}

/** Letters that change under a mapping of case, or in another language's mapping. */
export const CASES = characters(`
  é É ß ẞ İ ı i I ς σ Σ ŉ ǰ ΐ ΰ ǆ ǅ Ǆ ﬁ ﬅ և ᾳ ᾼ ᾧ ſ K Å Ω µ ə ŭ Ⱥ ⱥ ɐ ა Ა Ꭰ ꭰ 𐐀 𐐨 ⓐ Ⓐ ａ Ａ ⅷ Ⅷ я Я ъ ё Ё ÿ Ÿ
  i\u0307 I\u0307 \u0345 ʼN œ Œ ĳ Ĳ`);

/** Characters that change under a normalisation form. */
export const FORMS = characters(`
  é e\u0301 \u00c5 A\u030a \u212b \u2126 \u212a ﬁ ﬀ Ａ ｱ ｶﾞ ℌ 𝒜 ① ² ½ ™ ㎏ … ª ſ ﷺ 한 \u1112\u1161\u11ab \ufa19
  \u0958 \u0344 \u0387 \u037e \u1fef \u2000 \u2329 \uf900 \u{2f800} q\u0323\u0307 q\u0307\u0323 ệ
  e\u0302\u0323 ê\u0323 \u01c4 \u0132 \u2164 \u3392 \u2100 \u00b4 \u00a8 \u{1d15e} \u{1109a} \u0cca \u304c
  \u304b\u3099 \u2260 =\u0338 \u0f73 \u2adc`);

/** Words as writing systems write them: with points, joiners, conjuncts, jamo, and marks above marks. */
export const SCRIPTS = characters(`
  Édelweiß Łąka ñandú Cafe\u0301 Việt Vie\u0323\u0302t ẹ\u0301 i\u0307\u0301 Høyt Αλόη ᾠδή Алоэ и\u0306 龍舌蘭
  アロエ か\u3099 알로에 \u1112\u1161\u11ab ㅎㅏㄴ صبار مُحَمَّدٌ لا می\u200cخواهم אלוורה שָׁלוֹם ܐܠܦ ދިވެހި ߒߞߏ 𞤀𞤣
  घृतकुमारी क्ष क्\u200dष क्\u200cष ক্ষ ਗੁਰੂ ક્ષ ଓଡ଼ିଆ கற்றாழை ஸ்ரீ క్షా ಕ್ಷ ന്\u200d ൻ ක්\u200dෂ
  ว่านหางจระเข้ น้ำ ນ້ຳ རྐྱེན မြန်မာ ស្ត្រី ᠭ\u180b አልዎ Ալոե ალოე ᎠᎶᎡ 葛\u{e0100} 﨑 ⿰氵每 𠮷 㐀 々 ｱﾛｴ ー 𝒜𝓁𝑜ℯ 𐎠
  𓀀\u{13430}𓀁 𒀀 a\u0334\u0327\u035b \u0301 a\u20dd ⠁ 𝅘𝅥𝅮 ꦲꦏ꧀ꦱꦫ 𑄌𑄋𑄴𑄟𑄳𑄦 ⴰⵍⵓ ᚨᛚᚢ ꙮ ﷺ ꧁`);

/** Emoji of one and of several code points. */
export const EMOJI = characters(`
  🌵 👩🏽‍🌾 🇧🇷 1️⃣ ♥\ufe0f ☂\ufe0e 👨‍👩‍👧‍👦 🏳️‍🌈 👍🏿 🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f} ❤️‍🔥
  🧑🏻‍🤝‍🧑🏿 #\ufe0f\u20e3 🇦 🏿 \u200d ©\ufe0f 🫠 ☘ ♻ \u20e3 👁️‍🗨️ ⌚ 🀄`);

/** One of each general category of Unicode in the first plane, without ASCII, and most of them in the second one. */
export function categories(): readonly string[] {
  return charactersOf(`
    c0 b5 1c5 2b0 aa 300 903 488 660 16ee b2 203f 58a f3a f3b ab bb a1 ac a2 a8 a6 a0 2028 2029 80 ad e000 378
    10400 10428 10780 10000 101fd 11000 104a0 10140 10107 10ead 10100 1d6c1 11fdd 1f3fb 10137 110bd 1000c`);
}

/** Neighbours in `everywhere` are so many characters apart. */
const STEP = 15;

/**
 * Characters from every part of Unicode: in the parts with many scripts one of every 64 or 128, and few of the ideographs.
 * They are the same for every version of Unicode, and the first ones already come from all of its parts.
 */
export function everywhere(): readonly string[] {
  const inOrder = [
    ...charactersOf('c5-33ff a005-abff f905-ffff', 64),
    ...charactersOf('3405-9fff ac05-d7ff', 4096),
    ...charactersOf('10005-1347f 16805-16fff 1b005-1b2ff 1d005-1d7ff 1e005-1faff', 128),
    ...charactersOf('14405 17005 18805 20005 2a705 2b745 2ceb5 2f805 30005 31355 e0105'),
  ];
  return Array.from({ length: STEP }, (_, first) => inOrder.filter((_, at) => at % STEP === first)).flat();
}
