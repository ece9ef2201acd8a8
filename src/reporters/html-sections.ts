import type { Report } from '../conformance/reporting/report.js';
import { counted } from '../conformance/reporting/report-wording.js';
import { exchangeLinks } from './html-exchanges.js';
import { type Markup, markup } from './html-template.js';

/** What the provider does where the interface leaves it open, as a list of sentences. */
export function profileSection({ profile: { behaviours } }: Report): Markup | undefined {
  if (behaviours.length === 0) return undefined;
  return markup`<section id="profile" aria-labelledby="profile-title">
<h2 id="profile-title">Where the interface is silent</h2>
<p>A provider may do as it likes here. This one does the following, and none of it counts against it.</p>
<ul class="profile">${behaviours.map(({ sentence }) => markup`<li>${sentence}</li>`)}</ul>
</section>`;
}

/** What Prism thinks, and where it and the rules differ. */
export function prismSection({ prism }: Report): Markup | undefined {
  if (prism === undefined) return undefined;
  const { exchanges, requestErrors, responseErrors, differences } = prism;
  return markup`<section id="prism" aria-labelledby="prism-title">
<h2 id="prism-title">Prism</h2>
<p>Prism was shown ${counted(exchanges, 'exchange')}; it objects to ${requestErrors} of the requests and ${responseErrors} of the responses. ${differences.length === 0 && 'It and the rules differ nowhere.'}</p>
<ul>${differences.map(({ objects, why, rules, exchanges }) =>
    objects === 'prism'
      ? markup`<li><strong>It alone objects</strong> to ${exchangeLinks(exchanges)}. ${why}</li>`
      : markup`<li><strong>It lets through</strong> ${exchangeLinks(exchanges)}, which break ${rules.map(
          (id, at) => markup`${at > 0 && ', '}<code>${id}</code>`,
        )}. ${why}</li>`,
  )}</ul>
</section>`;
}
