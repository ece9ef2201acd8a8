/**
 * The script of the page: it filters the rules, copies lines for a shell, and opens what a link leads to. The page
 * can be read without it, so that it shows what needs it. It stands in the page as it is: no `</script>` in it.
 */
export const script = `
(() => {
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];

  const form = document.querySelector('[data-filter]');
  const find = form.querySelector('[data-find]');
  const chips = all('[data-show]', form);
  const rows = all('[data-verdict]');

  function filter() {
    const wanted = chips
      .filter((chip) => chip.getAttribute('aria-pressed') === 'true')
      .map((chip) => chip.dataset.show);
    const text = find.value.trim().toLowerCase();
    let shown = 0;
    for (const row of rows) {
      const hasVerdict = wanted.length === 0 || wanted.includes(row.dataset.verdict);
      row.hidden = !(hasVerdict && row.textContent.toLowerCase().includes(text));
      if (!row.hidden) shown++;
    }
    for (const topic of all('[data-topic]')) topic.hidden = !topic.querySelector('[data-verdict]:not([hidden])');
    form.querySelector('[data-shown]').textContent =
      shown === rows.length ? shown + ' rules' : shown + ' of ' + rows.length + ' rules';
  }

  for (const chip of chips) {
    chip.addEventListener('click', () => {
      chip.setAttribute('aria-pressed', String(chip.getAttribute('aria-pressed') !== 'true'));
      filter();
    });
  }
  find.addEventListener('input', filter);
  form.addEventListener('submit', (event) => event.preventDefault());
  form.hidden = false;
  filter();

  async function copy(pre) {
    try {
      await navigator.clipboard.writeText(pre.textContent);
      return true;
    } catch {
      getSelection().selectAllChildren(pre);
      return document.execCommand('copy');
    }
  }

  for (const button of all('[data-copy]')) {
    button.hidden = false;
    button.addEventListener('click', async () => {
      button.textContent = (await copy(button.closest('figure').querySelector('pre'))) ? 'Copied' : 'Selected';
      setTimeout(() => { button.textContent = 'Copy'; }, 2000);
    });
  }

  function reveal() {
    const target = document.getElementById(location.hash.slice(1));
    if (target === null) return;
    if (target.closest('[hidden]')) {
      for (const chip of chips) chip.setAttribute('aria-pressed', 'false');
      find.value = '';
      filter();
    }
    for (let node = target; node !== null; node = node.parentElement) {
      if (node.tagName === 'DETAILS') node.open = true;
    }
    target.scrollIntoView();
  }
  addEventListener('hashchange', reveal);
  reveal();
})();
`;
