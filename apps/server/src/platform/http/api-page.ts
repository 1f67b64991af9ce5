import { type Endpoint, EXCEL } from '@evenkeel/contract/endpoint';
import { type JsonSchema, wireSchema } from '@evenkeel/contract/openapi';

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

const escape = (value: string): string => value.replace(/[&<>"]/g, (character) => ENTITIES[character] ?? '');

function needsText(needs: Endpoint['needs']): string {
  if (typeof needs !== 'string') return needs.join(' or ');
  const words: Record<string, string> = {
    public: 'no sign-in required',
    session: "a session (even if the terms haven't been accepted)",
    'signed-in': 'any signed-in user',
    'by record': 'permission to view a record to which the file is attached',
  };
  return words[needs] ?? needs;
}

function schemaBlock(title: string, schema: JsonSchema | undefined): string {
  if (schema === undefined) return '';
  return `<details><summary>${title}</summary><pre>${escape(JSON.stringify(schema, null, 2))}</pre></details>`;
}

const FILES = { 'application/pdf': 'a PDF', [EXCEL]: 'an Excel workbook', file: 'the contents of a file' } as const;

function section(endpoint: Endpoint): string {
  const { method, path, summary, needs, params, query, body, takes, reply } = endpoint;
  return [
    `<section><h2><code>${method} /api${escape(path)}</code></h2>`,
    `<p>${escape(summary)} Requires: ${escape(needsText(needs))}.</p>`,
    schemaBlock('Path', params && wireSchema(params)),
    schemaBlock('Query', query && wireSchema(query)),
    schemaBlock('Body', body && wireSchema(body)),
    takes === 'file' ? '<p>Accepts multipart/form-data with one part <code>file</code>.</p>' : '',
    typeof reply === 'string' ? `<p>Returns ${FILES[reply]}.</p>` : schemaBlock('Response', wireSchema(reply)),
    '</section>',
  ].join('\n');
}

/**
 * Returns the API document as a plain page. The page has no scripts and only the browser's own styles, so the content
 * security policy needs no exception for it.
 */
export function apiPage(endpoints: readonly Endpoint[]): string {
  return [
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Evenkeel API</title>',
    '<meta name="viewport" content="width=device-width, initial-scale=1"></head><body>',
    '<h1>Evenkeel API</h1>',
    '<p>Paths and keys are not case-sensitive. Amounts are in US dollars. Dates are in YYYY-MM-DD format.',
    'Also available as <a href="/api/openapi.json">OpenAPI</a>.</p>',
    '<p>Programs use an API key, which an administrator creates under Settings &gt; Security &gt; API Keys:</p>',
    '<pre>curl https://your-address/api/customer -H "Authorization: Bearer $EVENKEEL_KEY"</pre>',
    ...endpoints.map(section),
    '</body></html>',
  ].join('\n');
}
