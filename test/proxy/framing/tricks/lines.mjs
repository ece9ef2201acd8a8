import { BODY, CHUNKS, forwarded, head, length, rejected, SMUGGLED } from '../trick.mjs';

/** Names of fields, and ends of lines. @type {readonly import('../trick.mjs').Trick[]} */
export const LINES = [
  ...[...' \t\x00\x0b\x0c\x7f\x85\xa0\r\n";(@\\/'].flatMap((char) => [
    rejected(
      `Transfer-Encoding${JSON.stringify(char)}:`,
      head(length(SMUGGLED), `Transfer-Encoding${char}: chunked`) + SMUGGLED,
    ),
    rejected(
      `${JSON.stringify(char)}Transfer-Encoding:`,
      head(length(SMUGGLED), `${char}Transfer-Encoding: chunked`) + SMUGGLED,
    ),
    rejected(
      `Content-Length${JSON.stringify(char)}:`,
      head(`Content-Length${char}: ${SMUGGLED.length}`) + SMUGGLED,
    ),
  ]),
  rejected(
    'a space before the first field',
    `POST /plants HTTP/1.1\r\n Host: store\r\n${length()}\r\n\r\n${BODY}`,
  ),
  rejected('a folded coding', head('Transfer-Encoding:', ' chunked') + CHUNKS),
  rejected('a folded coding after a tab', head('Transfer-Encoding:', '\tchunked') + CHUNKS),
  rejected('a folded length', head('Content-Length:', ' 22') + BODY),
  rejected('a folded field before a length', head('X-A: 1', ' Content-Length: 5', length()) + BODY),
  rejected(
    'a folded field with a coding',
    head(length(SMUGGLED), 'X-A: 1', ' Transfer-Encoding: chunked') + SMUGGLED,
  ),
  rejected('a field without a name', head(': chunked', length()) + BODY),
  rejected('a field without a colon', head('Transfer-Encoding', length()) + BODY),
  rejected('a NUL in a name', head('Content\x00-Length: 5', length()) + BODY),
  rejected('a NUL in a value', head('X-A: a\x00b', length()) + BODY),
  rejected('a control character in a value', head('X-A: a\x01b', length()) + BODY),
  rejected('a DEL in a value', head('X-A: a\x7fb', length()) + BODY),
  forwarded('a tab and Latin-1 in a value', head('X-A: a\tb \xe4', length()) + BODY),

  rejected('a bare CR in a value', head('X-A: a\rTransfer-Encoding: chunked', length()) + BODY),
  rejected('a bare LF in a value', head('X-A: a\nTransfer-Encoding: chunked', length(SMUGGLED)) + SMUGGLED),
  rejected(
    'a bare LF after a length',
    `POST /plants HTTP/1.1\r\nHost: store\r\nContent-Length: 22\n\r\n${BODY}`,
  ),
  rejected('lines that end with LF', `POST /plants HTTP/1.1\nHost: store\n${length()}\n\n${BODY}`),
  rejected(
    'a bare LF at the end of the head',
    `POST /plants HTTP/1.1\r\nHost: store\r\n${length()}\r\n\n${BODY}`,
  ),
  rejected(
    'a bare CR at the end of the head',
    `POST /plants HTTP/1.1\r\nHost: store\r\n${length()}\r\n\r${BODY}`,
  ),
  rejected('CR CR LF', `POST /plants HTTP/1.1\r\nHost: store\r\r\n${length()}\r\n\r\n${BODY}`),
  rejected(
    'a bare LF after the request line',
    `POST /plants HTTP/1.1\nHost: store\r\n${length()}\r\n\r\n${BODY}`,
  ),
  rejected(
    'a bare CR after the request line',
    `POST /plants HTTP/1.1\rHost: store\r\n${length()}\r\n\r\n${BODY}`,
  ),
];
