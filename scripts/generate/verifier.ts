import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from '../checkout.mjs';

/** The part of the page that shows the result of `verify`. Its text comes from verify.mjs and from this file. */
const PAGE = `
const byId = (id) => document.getElementById(id);
const cell = (row, text, kind = 'td') => (row.appendChild(document.createElement(kind)).textContent = text);
const amount = (cents) => (cents / 100).toLocaleString('en-US', { minimumFractionDigits: 2 });
let checked;
function showBalances() {
  const { months, accounts } = checked;
  const balances = months.find(({ month }) => month === byId('month').value)?.[byId('basis').value] ?? {};
  const rows = accounts.flatMap(({ id, number, name }) => (balances[id] ? [[number + ' ' + name, balances[id]]] : []));
  byId('rows').replaceChildren(
    ...rows.map(([name, cents]) => {
      const row = document.createElement('tr');
      cell(row, name, 'th');
      cell(row, cents > 0 ? amount(cents) : '');
      cell(row, cents < 0 ? amount(-cents) : '');
      return row;
    }),
  );
}
async function check() {
  const file = byId('file').files[0];
  if (file === undefined) return;
  byId('verdict').textContent = 'Checking...';
  checked = await verify(new Uint8Array(await file.arrayBuffer()), byId('key').value.trim().toLowerCase());
  const { faults, header, months, transactions, lines } = checked;
  const isRight = faults.length === 0;
  byId('verdict').className = isRight ? 'right' : 'wrong';
  byId('verdict').textContent = isRight
    ? 'The file is unchanged, and its journal, trial balances, and signature agree'
    : 'The file was changed or does not agree with itself';
  byId('faults').replaceChildren(
    ...faults.map((fault) => Object.assign(document.createElement('li'), { textContent: fault })),
  );
  const facts = [
    ['Company', header.company],
    ['Exported', header.exportedAt],
    ['Transactions', transactions + ' with ' + lines + ' lines'],
    ['Root', header.root],
    ['Public key', header.publicKey],
  ];
  byId('facts').replaceChildren(
    ...facts.flatMap(([name, value]) => {
      const [term, description] = ['dt', 'dd'].map((tag) => document.createElement(tag));
      [term.textContent, description.textContent] = [name, value ?? ''];
      return [term, description];
    }),
  );
  byId('month').replaceChildren(...months.toReversed().map(({ month }) => new Option(month)));
  byId('balances').hidden = months.length === 0;
  showBalances();
}
for (const id of ['file', 'key']) byId(id).addEventListener('change', () => void check());
for (const id of ['month', 'basis']) byId(id).addEventListener('change', showBalances);
`;

const STYLE = `
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 720px; margin: 32px auto; padding: 0 16px; }
label { display: block; margin: 16px 0; }
input, select { font: inherit; max-width: 100%; }
#key { width: 100%; box-sizing: border-box; font-family: monospace; }
#verdict { font-weight: 600; padding: 12px 16px; border-radius: 8px; border: 1px solid; }
#verdict:empty { display: none; }
.right { color: light-dark(#0a6b3d, #6fd3a0); }
.wrong, #faults { color: light-dark(#b3261e, #ff9d94); }
dt { font-weight: 600; }
dd { margin: 0 0 8px; overflow-wrap: anywhere; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: right; padding: 4px 8px; border-bottom: 1px solid light-dark(#ddd, #444); }
th:first-child { text-align: left; font-weight: 400; }
thead th { font-weight: 600; }
td { font-variant-numeric: tabular-nums; }
`;

/** Returns the offline page that checks a proof: verify.mjs, unchanged, with a form around it. */
export async function verifierPage(): Promise<string> {
  const program = await readFile(join(root, 'apps/web/public/verify.mjs'), 'utf8');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Check a Proof</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>Check a Proof</h1>
<p>This page checks a proof of a company's books. It works offline, and nothing is uploaded.</p>
<label>Proof <input type="file" id="file"></label>
<label>Public key that you expect (optional) <input id="key" spellcheck="false" autocomplete="off"></label>
<p id="verdict" role="status"></p>
<ul id="faults"></ul>
<dl id="facts"></dl>
<section id="balances" hidden>
<h2>Trial Balance</h2>
<label>Month <select id="month"></select></label>
<label>Basis <select id="basis">
<option value="accrual">Accrual</option><option value="cash">Cash</option></select></label>
<table><thead><tr><th>Account</th><th>Debit</th><th>Credit</th></tr></thead><tbody id="rows"></tbody></table>
</section>
</main>
<script type="module">
${program}${PAGE}</script>
</body>
</html>
`;
}
