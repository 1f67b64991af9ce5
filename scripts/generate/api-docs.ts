// Generates docs/api.md, an index of the API calls, from the contract. The complete API document is served at
// /api/docs.
import { endpoints } from '@evenkeel/contract/all';
import type { Endpoint } from '@evenkeel/contract/endpoint';

const needsOf = ({ needs }: Endpoint): string => (typeof needs === 'string' ? needs : needs.join(' or '));

const head = `# The API

Written from \`packages/contract\` by \`npm run generate\`; do not edit. A running Evenkeel serves the full text, with
the fields of every path, query, body and reply, at \`/api/docs\`, and as OpenAPI 3.1 at \`/api/openapi.json\`.

- Paths and the keys of bodies match without regard to case.
- Money is a JSON number of dollars; a date is \`YYYY-MM-DD\`.
- Unknown fields are dropped. A session's token goes in \`Authorization: Bearer …\`.
- Every refusal has one shape: \`{code, message, fields?, requestId}\`.

| Call | Needs | Purpose |
| --- | --- | --- |
`;

/** Returns the text of docs/api.md. */
export function apiDocument(): string {
  const sorted = endpoints.toSorted((a, b) => a.path.toLowerCase().localeCompare(b.path.toLowerCase(), 'en'));
  const rows = sorted.map((each) => `| \`${each.method} /api${each.path}\` | ${needsOf(each)} | ${each.summary} |\n`);
  return head + rows.join('');
}
