import { BODY, CHUNKED, CHUNKS, forwarded, head, last, length, rejected, SMUGGLED } from '../trick.mjs';

/** Targets, versions, and fields about the connection. @type {readonly import('../trick.mjs').Trick[]} */
export const HEADS = [
  forwarded(
    'an absolute target',
    `POST http://other/plants HTTP/1.1\r\nHost: store\r\n${length()}\r\n\r\n${BODY}`,
  ),
  rejected('two Hosts', head('Host: other', length()) + BODY),
  rejected('two Hosts in two letter cases', head('hOST: store', length()) + BODY),
  rejected('CONNECT', 'CONNECT other:443 HTTP/1.1\r\nHost: other:443\r\n\r\n'),
  rejected(
    'CONNECT with a length',
    `CONNECT other:443 HTTP/1.1\r\nHost: other:443\r\n${length(SMUGGLED)}\r\n\r\n${SMUGGLED}`,
  ),
  last(
    'Upgrade to h2c',
    head(
      'Connection: Upgrade, HTTP2-Settings',
      'Upgrade: h2c',
      'HTTP2-Settings: AAMAAABkAAQAAP__',
      length(),
    ) + BODY,
  ),
  last(
    'Upgrade to a WebSocket',
    head(
      'Connection: Upgrade',
      'Upgrade: websocket',
      'Sec-WebSocket-Version: 13',
      'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==',
      length(),
    ) + BODY,
  ),
  forwarded('Upgrade without Connection', head('Upgrade: h2c', length()) + BODY),
  last('Upgrade with chunks', head('Connection: Upgrade', 'Upgrade: h2c', CHUNKED) + CHUNKS),
  rejected('the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\x00\x00\x00\x04\x00\x00\x00\x00\x00'),
  forwarded('Expect: 100-continue', head('Expect: 100-continue', length()) + BODY),
  forwarded('another expectation', head('Expect: 200-ok', length()) + BODY),
  forwarded('two expectations', head('Expect: 100-continue', 'Expect: 100-continue', length()) + BODY),
  forwarded('Expect with chunks', head('Expect: 100-Continue', CHUNKED) + CHUNKS),

  rejected('chunks in HTTP/1.0', `POST /plants HTTP/1.0\r\nHost: store\r\n${CHUNKED}\r\n\r\n${CHUNKS}`),
  rejected(
    'chunks and keep-alive in HTTP/1.0',
    `POST /plants HTTP/1.0\r\nHost: store\r\nConnection: keep-alive\r\n${CHUNKED}\r\n\r\n${CHUNKS}`,
  ),
  last('HTTP/1.0', `POST /plants HTTP/1.0\r\n${length()}\r\n\r\n${BODY}`),
  forwarded(
    'HTTP/1.0 with keep-alive',
    `POST /plants HTTP/1.0\r\nConnection: keep-alive\r\n${length()}\r\n\r\n${BODY}`,
  ),
  last('Connection: close', head('Connection: close', length()) + BODY),
  forwarded(
    'two spaces before the version',
    `POST /plants  HTTP/1.1\r\nHost: store\r\n${length()}\r\n\r\n${BODY}`,
  ),
  forwarded(
    'two spaces after the method',
    `POST  /plants HTTP/1.1\r\nHost: store\r\n${length()}\r\n\r\n${BODY}`,
  ),
  rejected('HTTP/0.9', 'GET /plants\r\n\r\n'),
  rejected('HTTP/0.9 by its name', 'GET /plants HTTP/0.9\r\nHost: store\r\n\r\n'),
  rejected('HTTP/2.0 in text', `POST /plants HTTP/2.0\r\nHost: store\r\n${length()}\r\n\r\n${BODY}`),
  ...[
    ...'HTTP/1.2|HTTP/3.0|HTTP/1.10|HTTP/01.1|http/1.1|HTTP/1|HTTP/1.|HTTP/1,1|HTTPS/1.1|ICE/1.0'.split('|'),
    ...'HTTP/1.1 |HTTP/1.1\t|HTTP/1.1 HTTP/1.1|HTTP/1.1\x00'.split('|'),
  ].map((version) =>
    rejected(
      `the version ${JSON.stringify(version)}`,
      `POST /plants ${version}\r\nHost: store\r\n${length()}\r\n\r\n${BODY}`,
    ),
  ),
  ...'/pl ants|/plants\t|/plants\x00|/pl\nants|/pl\rants|/plants\x7f|/pl\xe4nts||plants|?plants|/plants\x0bHTTP/1.1'
    .split('|')
    .map((target) =>
      rejected(
        `the target ${JSON.stringify(target)}`,
        `POST ${target} HTTP/1.1\r\nHost: store\r\n${length()}\r\n\r\n${BODY}`,
      ),
    ),
  ...['POST\t', 'P OST ', 'post ', 'BREW ', '"POST" ', 'POST\x00 ', ' POST ', 'POST\r '].map((method) =>
    rejected(
      `the method ${JSON.stringify(method)}`,
      `${method}/plants HTTP/1.1\r\nHost: store\r\n${length()}\r\n\r\n${BODY}`,
    ),
  ),
];
