// docs/api.md, written from the table of endpoints: the contract is the documentation.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { endpoints } from '@evenkeel/contract/all';
import type { Endpoint } from '@evenkeel/contract/endpoint';
import * as z from 'zod';
import { root } from './checkout.mjs';

type Schema = z.core.JSONSchema.JSONSchema;
type Names = z.core.$ZodRegistry<{ id: string }>;

/** The contract's exported schemas under their names there, so that a shape is told once and named elsewhere. */
async function schemaNames(): Promise<Names> {
  const names = z.registry<{ id: string }>();
  const folder = join(root, 'packages/contract/src');
  for (const file of readdirSync(folder).toSorted()) {
    if (!file.endsWith('.ts') || file.endsWith('.test.ts')) continue;
    const exported: Record<string, unknown> = await import(pathToFileURL(join(folder, file)).href);
    for (const [id, value] of Object.entries(exported)) {
      if (value instanceof z.ZodType && !names.has(value)) names.add(value, { id });
    }
  }
  return names;
}

const indent = (text: string): string => text.replace(/\n/g, '\n  ');

function limitsOf(schema: Schema): string {
  const { minLength = 0, maxLength, minimum, maximum } = schema;
  if (maxLength !== undefined)
    return minLength > 0 ? ` (${minLength} to ${maxLength} characters)` : ` (at most ${maxLength} characters)`;
  // The largest safe integer is no limit that anyone meets.
  const low = minimum === Number.MIN_SAFE_INTEGER ? undefined : minimum;
  const high = maximum === Number.MAX_SAFE_INTEGER ? undefined : maximum;
  if (low !== undefined && high !== undefined) return ` (${low} to ${high})`;
  if (low !== undefined) return ` (at least ${low})`;
  return high === undefined ? '' : ` (at most ${high})`;
}

function objectShape({ properties = {}, required = [], additionalProperties }: Schema): string {
  const fields = Object.entries(properties).map(([name, inner]) => {
    const optional = required.includes(name) ? '' : '?';
    return `\n${name}${optional}: ${shapeOf(inner)}`;
  });
  if (fields.length === 0)
    return typeof additionalProperties === 'object' ? `{ [name]: ${shapeOf(additionalProperties)} }` : '{}';
  return `{${indent(fields.join(''))}\n}`;
}

/** A schema as a person reads it: `{ id: Id, lines: Line[] }`. */
export function shapeOf(schema: Schema | boolean): string {
  if (typeof schema === 'boolean') return 'any JSON';
  if (schema.$ref) return schema.$ref.replace(/^.*\//, '');
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return choices.map(shapeOf).join(' | ');
  if (schema.allOf) return schema.allOf.map(shapeOf).join(' & ');
  if (schema.type === 'object') return objectShape(schema);
  if (schema.type === 'array') {
    const item = Array.isArray(schema.items) || schema.items === undefined ? 'any JSON' : shapeOf(schema.items);
    return item.includes(' | ') ? `(${item})[]` : `${item}[]`;
  }
  const words = schema.description ? `: ${schema.description}` : '';
  if (schema.type === undefined) return `any JSON${words}`;
  return `${[schema.type].flat().join(' | ')}${limitsOf(schema)}${words}`;
}

type Writer = { names: Names; shapes: Map<string, string> };

/** The wire's side of a schema; shapes that have names are gathered for the chapter at the end. */
function describe({ names, shapes }: Writer, schema: z.ZodType): string {
  const options = { io: 'input', unrepresentable: 'any', metadata: names } as const;
  const { $defs = {}, ...json } = z.toJSONSchema(schema, options);
  const own = names.get(schema)?.id;
  for (const [name, inner] of Object.entries($defs)) shapes.set(name, shapeOf(inner));
  if (own === undefined) return shapeOf(json);
  if (!json.$ref) shapes.set(own, shapeOf(json));
  return own;
}

const fence = (title: string, shape: string): string => `${title}:\n\n\`\`\`text\n${shape}\n\`\`\`\n`;
const needsOf = ({ needs }: Endpoint): string => (typeof needs === 'string' ? needs : needs.join(' or '));
const titleOf = ({ method, path }: Endpoint): string => `${method} /api${path}`;
const anchorOf = (title: string): string =>
  title
    .toLowerCase()
    .replace(/[^a-z0-9 _-]/g, '')
    .replaceAll(' ', '-');

function chapter(writer: Writer, endpoint: Endpoint): string {
  const { params, query, body, reply } = endpoint;
  const parts = [
    `### ${titleOf(endpoint)}\n`,
    `${endpoint.summary.replace(/\.?$/, '.')} Needs: ${needsOf(endpoint)}.\n`,
  ];
  if (params) parts.push(fence('Path', describe(writer, params)));
  if (query) parts.push(fence('Query', describe(writer, query)));
  if (body) parts.push(fence('Body', describe(writer, body)));
  parts.push(typeof reply === 'string' ? `Reply: a file, \`${reply}\`.\n` : fence('Reply', describe(writer, reply)));
  return parts.join('\n');
}

const head = `# The API

Written from \`packages/contract\` by \`npm run generate\`; do not edit.

Paths and the keys of bodies match without regard to case. Money is a JSON number of dollars, a date \`YYYY-MM-DD\`.
\`field?\` may be left out; unknown fields are dropped. A session's token goes in \`Authorization: Bearer …\`.
Every refusal has the shape \`ErrorReply\`.
`;

/** The text of docs/api.md. */
export async function apiDocument(): Promise<string> {
  const writer: Writer = { names: await schemaNames(), shapes: new Map() };
  const sorted = endpoints.toSorted((a, b) => a.path.toLowerCase().localeCompare(b.path.toLowerCase(), 'en'));
  const rows = sorted.map((endpoint) => {
    const title = titleOf(endpoint);
    return `| [${title}](#${anchorOf(title)}) | ${needsOf(endpoint)} | ${endpoint.summary} |`;
  });
  const table = ['| Call | Needs | What it does |', '| --- | --- | --- |', ...rows, ''].join('\n');
  const chapters = sorted.map((endpoint) => chapter(writer, endpoint));
  const named = [...writer.shapes].toSorted(([a], [b]) => a.localeCompare(b, 'en'));
  const shapes = named.map(([name, shape]) => `### ${name}\n\n\`\`\`text\n${shape}\n\`\`\`\n`);
  return [head, '## Calls\n', table, ...chapters, '## Shapes\n', ...shapes].join('\n');
}
