import { createHash } from 'node:crypto';
import type { Report } from '../conformance/reporting/report.js';
import { headlines } from '../conformance/reporting/report-wording.js';
import { exchangesSection } from './html-exchanges.js';
import { findingsSection } from './html-findings.js';
import { rulesSection } from './html-rules.js';
import { script } from './html-script.js';
import { prismSection, profileSection } from './html-sections.js';
import { style } from './html-style.js';
import { summarySection } from './html-summary.js';
import { Markup, markup } from './html-template.js';

/**
 * The report as one HTML file, which loads nothing and can be read without JavaScript. What a provider sent is
 * text in it; should that fail, a content security policy lets nothing run or load but what this file brings.
 */
export function html(report: Report): string {
  const page = markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${report.baseUrl} ${headlines[report.conclusion]} · POST /plants</title>
<style>${new Markup(style)}</style>
</head>
<body>
${summarySection(report)}
<main>
${findingsSection(report)}
${rulesSection(report)}
${profileSection(report)}
${prismSection(report)}
${exchangesSection(report)}
</main>
<script>${new Markup(script)}</script>
</body>
</html>
`;
  return page.text;
}

const POLICY = [
  "default-src 'none'",
  `style-src '${digest(style)}'`,
  `script-src '${digest(script)}'`,
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

function digest(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}
