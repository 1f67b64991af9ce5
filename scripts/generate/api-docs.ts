// Generates docs/api.md, an index of the API calls, from the contract. The complete API document is served at
// /api/docs.
import { endpoints } from '@evenkeel/contract/all';
import type { Endpoint } from '@evenkeel/contract/endpoint';

const needsOf = ({ needs }: Endpoint): string => (typeof needs === 'string' ? needs : needs.join(' or '));

const head = `# The API

\`npm run generate\` writes this page from \`packages/contract\`. A running Evenkeel describes every call with
its fields at \`/api/docs\`, and as OpenAPI 3.1 at \`/api/openapi.json\`.

An administrator creates an API key under Settings > Security > API Keys. The key acts for one user in one company:

\`\`\`sh
export EVENKEEL_KEY=ek_…   # the key, which is shown once
curl http://127.0.0.1:3000/api/customer -H "Authorization: Bearer $EVENKEEL_KEY"
\`\`\`

[The client](client.md) makes the same calls from a program in Node and from the command line.

- Paths and keys in bodies are not case-sensitive.
- Amounts are JSON numbers in US dollars. Dates are in \`YYYY-MM-DD\` format.
- Unknown fields are ignored.
- A user accepts the terms once with \`PUT /api/UserAdmin/UpdateUserTerms\` and \`{"termsAccepted": true}\`, which
  returns a new token. Until then, the user's other calls and API keys get status 409 with \`terms_required\`.
- Every error has the form \`{code, message, fields?, requestId}\`.
- A key has a limit of requests per minute. Each response has \`RateLimit-Limit\`, \`RateLimit-Remaining\`, and
  \`RateLimit-Reset\` (in seconds). Beyond the limit, the status is 429 with \`Retry-After\`.
- Send a new \`Idempotency-Key\` with each POST, and repeat it if no response arrives. The call then has one effect.
  The response of a repeated request has \`Idempotent-Replayed: true\`. While the first request is running, the status
  is 409 with \`Retry-After\`. Responses are stored for 7 days. An \`Idempotency-Key\` that another API key of
  the same user has used is rejected with status 409.
- [Webhooks](webhooks.md) tell a program about changes.
- [Agents](agents.md) make the same calls at \`/mcp\`.
- With \`Evenkeel-Rehearse: true\`, a write returns its effects and changes nothing.
- A key can't make calls that need an administrator or a session.

| Call | Needs | Purpose |
| --- | --- | --- |
`;

/** Returns the text of docs/api.md. */
export function apiDocument(): string {
  const sorted = endpoints.toSorted((a, b) => a.path.toLowerCase().localeCompare(b.path.toLowerCase(), 'en'));
  const rows = sorted.map((each) => `| \`${each.method} /api${each.path}\` | ${needsOf(each)} | ${each.summary} |\n`);
  return head + rows.join('');
}
