import { fieldLike } from '../../validation/acceptance.js';
import { words } from '../row.js';
import type { Template } from '../template.js';

/** A member of an object. Its value is JSON. */
export type Member = readonly [key: string, value: Template];

/** Keys like "tag". Each has a string, so that a reader that takes one for the tag shows it. */
export const LIKE_TAG = words(
  `tags Tags type Type kind category group label labels species _tag tag_ $tag @tag -tag tag[] tag[0] tag.name plant.tag
   plantTag plant_tag plantType tagName tag_name tagline stag color Tag: tág tаg ｔａｇ`,
).concat('tag ', ' tag', 'tag\n');

/** Keys like "name" in other letters, and such a name beside the right one. */
export const LIKE_NAME = words(
  `names nickname name_ _name name2 fullName full_name displayName display_name plantName plant_name plant.name title label
   name[] name[0] name.en $name @name -name #name name: username nаme ｎａｍｅ náme nome nombre 名前`,
).concat('name ', ' name', 'name\t', '"name"', "'name'");

/** Keys like "id". */
export const LIKE_ID = words(
  `_id ids id_ id2 ID_ $id @id #id -id id[] id.value uuid guid pk key oid no nr num number index identifier plantId plant_id
   plantID plant.id objectId object_id record_id ref code sku idd і ｉｄ íd ıd`,
).concat('id ', ' id', 'id\t', '"id"', "'id'");

/** Whether a key is that of a field in another spelling. That is a mistake of its own. */
export function isSpelling(key: string): boolean {
  return fieldLike(key) !== undefined;
}

/** Keys that mean something to languages, frameworks and databases, or that many records have. */
export const COMMON: readonly Member[] = [
  ...words('price quantity version _rev __v rank length size count page').map((key): Member => [key, '2']),
  ...words(`uuid created_at createdAt updated_at deleted_at description url href type class @type @class @context #text $schema $ref
    $id _links xmlns format callback etag self this __class__ __init__ _method _token`).map(
    (key): Member => [key, '"hello"'],
  ),
  ...words('data items children metadata attributes plants errors').map((key): Member => [key, '[]']),
  ...words('status active ok success deleted is_admin verbose').map((key): Member => [key, 'true']),
  ['error', '7'],
  ['message', '"hello"'],
  ['owner', 'null'],
];

export const METHODS =
  words(`hasOwnProperty toString valueOf toJSON then constructor length isPrototypeOf inspect keys get set values entries
  copy update pop items clone equals hashCode getClass dict json schema model_dump construct validate save delete`);

/** Keys with other characters than letters. */
export const ODD_KEYS = [
  ...['', ' ', 'a b', '\t', '\n', '\u00e9', '\u6c34', '\ud83c\udf35', '\u200b', '\u2028', '\ufeff', '\uffff'],
  ...words(`. a.b a/b a\\b a"b a'b a[b] [] * %s % & <a> 0 -1 \x7f \u202e`),
  'k'.repeat(2_000),
];

/** Strings in which a reader that searches for keys finds other ones. */
export const LIKE_KEYS: readonly Member[] = [
  ['note', '"x\\",\\"tag\\":\\"fern\\",\\"name\\":\\"Fern\\",\\"id\\":7,\\"y\\":\\""'],
  ['"name":"Fern","tag":"fern","id":7,"', '"},{\\"name\\":\\"Fern\\",\\"tag\\":\\"fern\\"}"'],
  ['key', '"name"'],
  ['keys', '["name","id","tag"]'],
  ['value', '"{\\"name\\": \\"Fern\\", \\"tag\\": \\"fern\\"}"'],
];

/** Values that parsers dislike. */
export const VALUES = [
  ...words(
    'null true false 0 -0 -1 1.5 -0.0 1e2 1E+2 1.25e-2 0e0 5e-324 1e-7 123456789012345678901234567890 9007199254740993 -9223372036854775808',
  ),
  ...words(
    '0.1234567890123456789012345 2147483648 18446744073709551616 "" [] {} [[]] [{}] {"":{}} [null] [1,"a",null,{}]',
  ),
  `"${'x'.repeat(9_000)}"`,
  `${'{"a":'.repeat(60)}1${'}'.repeat(60)}`,
  `${'['.repeat(60)}${']'.repeat(60)}`,
  `[${'0,'.repeat(200)}0]`,
];
