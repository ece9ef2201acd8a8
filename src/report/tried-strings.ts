/**
 * Names that a provider may reject: the kind, which a profile names, its description after "a name", and the string.
 */
export const triedNames = [
  ['accents', 'in Latin letters with accents and typographic marks', 'Édelweiß ñandú Łąka “d’Or” – ½ ¥'],
  ['combining-marks', 'with combining marks that are not composed', 'Cafe\u0301 a\u0308a\u030a'],
  ['scripts', 'in Greek, Cyrillic, Chinese, Japanese and Korean', 'Αλόη Алоэ 龍舌蘭 アロエ 알로에'],
  ['right-to-left', 'in Arabic and Hebrew', 'صبار אלוורה'],
  ['indic-scripts', 'in Devanagari, Tamil and Thai', 'घृतकुमारी கற்றாழை ว่านหางจระเข้'],
  ['emoji', 'with emoji of several code points', '🌵 👩🏽‍🌾 🇧🇷'],
  ['astral', 'in letters above U+FFFF', '𝒜𝓁𝑜ℯ 𠮷 𐎠'],
  ['html', 'with HTML', '<b>Aloe</b> & <script>1</script> &amp; &lt;'],
  [
    'quotes',
    'with quotes, slashes and escapes of programming languages',
    `"Aloe" 'vera' \`x\` \\ / \\n \\u0041 %41 1+1`,
  ],
  ['line-breaks', 'with tabs and line breaks', 'Aloe\tvera\nbarbadensis\r\nMill.'],
  ['control-characters', 'with control characters', 'Aloe\u0001\u0008\u001f\u007f\u0085vera'],
  ['nul', 'with the character U+0000', 'Aloe\u0000vera'],
  ['outer-spaces', 'with white space at both ends', '  Aloe  vera\u00a0 '],
  ['separators', 'with invisible separators', 'Aloe\u2028vera\u2029\u200b\u200d\ufeffx'],
  ['placeholders', 'with placeholders', `\${7*7} {{7*7}} %s %00 ../../etc/passwd ' OR 1=1; --`],
  ['digits', 'of digits only, beginning with 0', '007'],
  ['empty', 'that is empty', ''],
  ['100-characters', 'of 100 characters', 'Aloe vera '.repeat(10).slice(0, 99).concat('x')],
  ['1000-characters', 'of 1,000 characters', 'Aloë verum '.repeat(91).slice(0, 999).concat('x')],
] as const;

/** Tags that a provider may reject. */
export const triedTags = [
  ['scripts', 'in several scripts', 'суккулент 多肉 🌵'],
  ['markup', 'with HTML and quotes', '<i>"medicinal"</i> & \'more\''],
  ['capitals', 'of two words with capitals, and spaces at both ends', ' Desert Plant '],
  ['empty', 'that is empty', ''],
] as const;
