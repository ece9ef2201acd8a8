import { defineProbe, type Probe } from '../probe.js';
import { creation } from './requests.js';
import { PLAIN_PLANT, PLAIN_PLANT_WITH_TAG } from './valid.js';

interface Text {
  readonly name: string;
  /** As a noun after "a name" or "a tag". */
  readonly title: string;
  readonly text: string;
}

/** Texts that a provider may refuse, and that come back as they were sent where it does not. */
const NAMES: readonly Text[] = [
  { name: 'accents', title: 'in Latin letters with accents', text: 'Édelweiß ñandú Łąka' },
  { name: 'combining-marks', title: 'with combining marks, not composed', text: 'Cafe\u0301 a\u0308a\u030a' },
  {
    name: 'scripts',
    title: 'in Greek, Cyrillic, Chinese, Japanese and Korean',
    text: 'Αλόη Алоэ 龍舌蘭 アロエ 알로에',
  },
  { name: 'right-to-left', title: 'in Arabic and Hebrew', text: 'صبار אלוורה' },
  { name: 'indic-scripts', title: 'in Devanagari, Tamil and Thai', text: 'घृतकुमारी கற்றாழை ว่านหางจระเข้' },
  { name: 'emoji', title: 'with emoji of several code points', text: '🌵 👩🏽‍🌾 🇧🇷' },
  { name: 'astral', title: 'in letters above U+FFFF', text: '𝒜𝓁𝑜ℯ 𠮷 𐎠' },
  { name: 'html', title: 'with HTML in it', text: '<b>Aloe</b> & <script>1</script> &amp; &lt;' },
  {
    name: 'quotes',
    title: 'with quotes, slashes and escapes of other languages',
    text: `"Aloe" 'vera' \`x\` \\ / \\n \\u0041 %41 1+1`,
  },
  { name: 'line-breaks', title: 'with tabs and line breaks', text: 'Aloe\tvera\nbarbadensis\r\nMill.' },
  {
    name: 'control-characters',
    title: 'with control characters',
    text: 'Aloe\u0001\u0008\u001f\u007f\u0085vera',
  },
  { name: 'nul', title: 'with the character U+0000', text: 'Aloe\u0000vera' },
  { name: 'outer-spaces', title: 'with white space around it', text: '  Aloe  vera\u00a0 ' },
  { name: 'separators', title: 'with invisible separators', text: 'Aloe\u2028vera\u2029\u200b\u200d\ufeffx' },
  { name: 'placeholders', title: 'with placeholders in it', text: `\${7*7} {{7*7}} %s %00 ' OR 1=1; --` },
  { name: 'digits', title: 'of digits only, the first a zero', text: '007' },
  { name: 'empty', title: 'that is empty', text: '' },
  { name: '100-characters', title: 'of 100 characters', text: 'Aloe vera '.repeat(10).trim() },
  {
    name: '1000-characters',
    title: 'of 1,000 characters',
    text: 'Aloë verum '.repeat(91).slice(0, 999).concat('x'),
  },
];

const TAGS: readonly Text[] = [
  { name: 'scripts', title: 'of several scripts', text: 'суккулент 多肉 🌵' },
  { name: 'markup', title: 'with HTML and quotes', text: '<i>"medicinal"</i> & \'more\'' },
  { name: 'capitals', title: 'of two words with capitals and spaces around', text: ' Desert Plant ' },
  { name: 'empty', title: 'that is empty', text: '' },
];

/** Names that a provider may refuse. */
export const nameTextProbes: readonly Probe[] = NAMES.map(({ name, title, text }) =>
  defineProbe({
    name: `name-with-${name}`,
    title: `a plant with a name ${title}`,
    expectation: 'open',
    control: PLAIN_PLANT,
    phase: 'valid',
    requests: (material) => [creation(material, { name: text })],
  }),
);

/** Tags that a provider may refuse. */
export const tagTextProbes: readonly Probe[] = TAGS.map(({ name, title, text }) =>
  defineProbe({
    name: `tag-with-${name}`,
    title: `a plant with a tag ${title}`,
    expectation: 'open',
    control: PLAIN_PLANT_WITH_TAG,
    phase: 'valid',
    requests: (material) => [creation(material, { tag: text })],
  }),
);

/** Both. */
export const textProbes: readonly Probe[] = [...nameTextProbes, ...tagTextProbes];
