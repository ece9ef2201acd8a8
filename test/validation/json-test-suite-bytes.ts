/**
 * The inputs of the JSON Parsing Test Suite that are no UTF-8, byte for byte. The npm package of the suite holds
 * texts, in which U+FFFD stands where these bytes were.
 */
export const MALFORMED_INPUTS: Readonly<Record<string, Uint8Array>> = {
  'i_string_UTF-16LE_with_BOM.json': bytes(0xff, 0xfe, '[', 0, '"', 0, 0xe9, 0, '"', 0, ']', 0),
  'i_string_UTF-8_invalid_sequence.json': bytes('["', 0xe6, 0x97, 0xa5, 0xd1, 0x88, 0xfa, '"]'),
  'i_string_UTF8_surrogate_U+D800.json': bytes('["', 0xed, 0xa0, 0x80, '"]'),
  'i_string_invalid_utf-8.json': bytes('["', 0xff, '"]'),
  'i_string_iso_latin_1.json': bytes('["', 0xe9, '"]'),
  'i_string_lone_utf8_continuation_byte.json': bytes('["', 0x81, '"]'),
  'i_string_not_in_unicode_range.json': bytes('["', 0xf4, 0xbf, 0xbf, 0xbf, '"]'),
  'i_string_overlong_sequence_2_bytes.json': bytes('["', 0xc0, 0xaf, '"]'),
  'i_string_overlong_sequence_6_bytes.json': bytes('["', 0xfc, 0x83, 0xbf, 0xbf, 0xbf, 0xbf, '"]'),
  'i_string_overlong_sequence_6_bytes_null.json': bytes('["', 0xfc, 0x80, 0x80, 0x80, 0x80, 0x80, '"]'),
  'i_string_truncated-utf-8.json': bytes('["', 0xe0, 0xff, '"]'),
  'i_string_utf16BE_no_BOM.json': bytes(0, '[', 0, '"', 0, 0xe9, 0, '"', 0, ']'),
  'i_string_utf16LE_no_BOM.json': bytes('[', 0, '"', 0, 0xe9, 0, '"', 0, ']', 0),
  'n_array_a_invalid_utf8.json': bytes('[a', 0xe5, ']'),
  'n_array_invalid_utf8.json': bytes('[', 0xff, ']'),
  'n_number_invalid-utf-8-in-bigger-int.json': bytes('[123', 0xe5, ']'),
  'n_number_invalid-utf-8-in-exponent.json': bytes('[1e1', 0xe5, ']'),
  'n_number_invalid-utf-8-in-int.json': bytes('[0', 0xe5, ']\n'),
  'n_number_real_with_invalid_utf8_after_e.json': bytes('[1e', 0xe5, ']'),
  'n_object_lone_continuation_byte_in_key_and_trailing_comma.json': bytes('{"', 0xb9, '":"0",}'),
  'n_string_invalid-utf-8-in-escape.json': bytes('["\\u', 0xe5, '"]'),
  'n_string_invalid_utf8_after_escape.json': bytes('["\\', 0xe5, '"]'),
  'n_structure_incomplete_UTF8_BOM.json': bytes(0xef, 0xbb, '{}'),
  'n_structure_lone-invalid-utf-8.json': bytes(0xe5),
  'n_structure_single_eacute.json': bytes(0xe9),
};

function bytes(...parts: (string | number)[]): Uint8Array {
  return Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.of(part))));
}
