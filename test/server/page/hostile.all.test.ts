import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import { startReader } from '../../pact/verification/provider.js';
import { chromium } from '../../report/formats/chromium.js';
import { pageOpener, startProxy, startStore } from './open-page.js';
import { TOKEN } from './watched.js';

const open = pageOpener();

const SCRIPT = '</script><script>alert(1)</script><img src=x onerror=alert(2)><svg onload=alert(3)>';
const HOSTILE = [
  SCRIPT,
  '<base href="http://evil.example/">',
  `javascript:alert(4)//'"\`$\{alert(5)}{{7*7}}`,
  '<iframe srcdoc="<script>parent.alert(6)</script>"></iframe><link rel=stylesheet href=http://evil.example>',
  '\u202e\u0000\u001b[31m\ud83d\ufeff',
];

/** Elements that only a text that became HTML would have made. */
const FOREIGN = `document.querySelectorAll(
  'img, iframe, base, script:not([src="/page/main.js"]), [onerror], [onload], link:not([rel=icon]):not([href="/page/style.css"])',
).length`;

describe.skipIf(chromium === undefined)('what a client or a provider sends, in Chromium', () => {
  test('is text in every view of a server', async () => {
    await using it = await startStore({ faults: ['leaks-id'] });
    for (const [id, name] of HOSTILE.entries()) await it.create({ name, id, tag: name });
    await it.create(SCRIPT, { 'x-note': SCRIPT });
    await fetch(`${it.target.url}/plants?a=${SCRIPT}`);
    it.target.always({ status: 502, body: SCRIPT, contentType: 'text/html', when: { name: SCRIPT } });
    await it.create({ name: SCRIPT, id: 99 });
    await using opened = await open(it.pageUrl);
    const { page, trouble, rows } = opened;
    await expect.poll(rows).toHaveLength(HOSTILE.length + 3);
    expect((await rows()).join('\n')).toContain(SCRIPT);
    for (let at = 0; at < HOSTILE.length + 3; at++) {
      await page.locator(`#rows [aria-rowindex="${at + 2}"]`).click();
      await page.getByText(`number ${HOSTILE.length + 3 - at} `).waitFor();
      expect(await page.evaluate(FOREIGN)).toBe(0);
    }
    await page.getByRole('button', { name: 'Copy as curl' }).click();
    for (const view of ['Plants', 'Failures', 'Faults']) {
      await page.getByRole('tab', { name: view }).click();
      await expect
        .poll(() =>
          page.locator(`#panel-${view.toLowerCase()} li, #panel-${view.toLowerCase()} tbody tr`).count(),
        )
        .toBeGreaterThan(0);
      expect(await page.evaluate(FOREIGN)).toBe(0);
    }
    expect(trouble).toEqual([]);
  });

  test('is text in every view of a proxy, also in reasons, names of fields and violations', async () => {
    const provider = await startReader((request, response) => {
      request.resume();
      response.writeHead(200, SCRIPT.replace(/[^\x20-\x7e]/g, ''), {
        'content-type': 'text/html',
        'x-token': TOKEN,
        'x-html': SCRIPT,
      });
      response.end(JSON.stringify({ [SCRIPT]: SCRIPT, name: 7, seen: TOKEN }));
    });
    await using it = await startProxy(provider.url);
    await it.create({ name: SCRIPT, id: 1 });
    const socket = connect(Number(new URL(it.target.url).port), '127.0.0.1');
    socket.write(
      `POST /plants?${SCRIPT.replaceAll(' ', '+')} HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n`,
    );
    await new Promise((resolve) => socket.once('data', resolve));
    socket.destroy();
    await using opened = await open(it.pageUrl);
    const { page, trouble, rows } = opened;
    await expect.poll(rows).toHaveLength(2);
    for (const at of [2, 3]) {
      await page.locator(`#rows [aria-rowindex="${at}"]`).click();
      await page.getByText(`number ${4 - at} `).waitFor();
      expect(await page.locator('#detail').innerText()).toContain('onerror=alert(2)');
      expect(await page.locator('#detail').innerText()).not.toContain(TOKEN);
    }
    await page.getByRole('tab', { name: 'Violations' }).click();
    await expect.poll(() => page.locator('#panel-violations').innerText()).toContain('<img src=x');
    expect(await page.evaluate(FOREIGN)).toBe(0);
    expect(await page.evaluate<string>('document.documentElement.outerHTML')).not.toContain(TOKEN);
    expect(trouble).toEqual([]);
  });

  test('could not run even if it became HTML', async () => {
    await using it = await startStore();
    await using opened = await open(it.pageUrl);
    const { page } = opened;
    const thrown = (code: string) =>
      page.evaluate<string>(
        `(() => { try { ${code}; return 'ran'; } catch (problem) { return problem.name; } })()`,
      );
    expect(await thrown('document.body.innerHTML = "<b>"')).toBe('TypeError');
    expect(await thrown('document.createElement("script").text = "1"')).toBe('TypeError');
    expect(await thrown('trustedTypes.createPolicy("mine", {})')).toBe('TypeError');
    expect(await thrown('setTimeout("document.title = 1")')).not.toBe('ran');
    const { headers } = await fetch(it.pageUrl);
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; " +
        "form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
    );
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    // What was sent is never a script, a style or a document of this origin.
    await it.create({ name: SCRIPT, id: 1 });
    const exchange = await fetch(`${it.control.url}/exchanges/1`);
    expect(exchange.headers.get('content-type')).toBe('application/json');
    expect(exchange.headers.get('x-content-type-options')).toBe('nosniff');
  });

  test('a page of another site reads nothing, and cannot show the page in a frame', async () => {
    await using it = await startStore();
    const other = await startReader((_request, response) => {
      response.setHeader('content-type', 'text/html');
      response.end(`<iframe src="${it.pageUrl}"></iframe>`);
    });
    await using opened = await open(other.url.replace('127.0.0.1', 'localhost'));
    const { page } = opened;
    await page.waitForLoadState('networkidle');
    const frame = page.frames().find((one) => one !== page.mainFrame());
    expect(await frame?.evaluate('document.body.innerText').catch(() => '')).not.toContain('plant-store');
    const read = (path: string) =>
      page.evaluate<string>(
        `fetch('${it.control.url}${path}').then((r) => 'status ' + r.status, () => 'blocked')`,
      );
    expect(await read('/exchanges/stream')).toBe('blocked');
    expect(await read('/page/main.js')).toBe('blocked');
  });
});

test('no path leads out of the folder of the page', async () => {
  await using it = await startStore();
  for (const path of [
    '..%2f..%2fpackage.json',
    '%2e%2e%2fstyle.js',
    'main.ts',
    'wire.d.ts',
    '__proto__',
    'constructor',
  ])
    expect((await fetch(`${it.control.url}/page/${path}`)).status, path).toBe(404);
  expect((await fetch(`${it.control.url}/page/main.js`)).status).toBe(200);
});
