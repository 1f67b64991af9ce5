import * as z from 'zod';
import { canRehearse, type Endpoint, ErrorReply, takesKey } from './endpoint.ts';
import { queryOf, replyOf } from './lists.ts';
import { operationId } from './request.ts';

/** The API document (OpenAPI 3.1), which depends only on the table of endpoints. */
export type JsonSchema = Record<string, unknown>;

/**
 * Returns the API format of a schema. A codec's API side is its input, so requests and responses both use 'input'.
 * Internal values (Cents, exact decimals) never appear.
 */
export function wireSchema(schema: z.ZodType): JsonSchema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  return rest;
}

const json = (schema: JsonSchema) => ({ 'application/json': { schema } });

const problem = { description: 'The error response', content: json({ $ref: '#/components/schemas/Error' }) };

/** The error responses that an endpoint can return, by status. */
const refusals: Record<string, string> = {
  '400': 'Malformed',
  '401': 'Not signed in, or the session has expired',
  '403': "The user's role doesn't have permission",
  '404': 'Not found, or belongs to another company',
  '409': 'Conflict: invalid state, duplicate, outdated `rowVersion`, or terms not accepted',
  '422': 'The request violates a business rule',
  '429': 'Too many requests. See `Retry-After`.',
  '503': 'The database is unavailable. See `Retry-After`.',
};

/** Additional error responses for endpoints with a body. */
const refusalsOfBody: Record<string, string> = {
  '413': 'The request is larger than 1 MB',
  '415': 'The request is not JSON',
};
const refusalsOfFile: Record<string, string> = {
  '413': 'The file is larger than MAX_UPLOAD_MB',
  '415': 'The request is not multipart/form-data',
};

const filePart = {
  type: 'object',
  required: ['file'],
  properties: { file: { type: 'string', contentMediaType: 'application/octet-stream' } },
};

/** Returns the request body by content type, or undefined if the request has no body. */
function requestContent({ body, takes }: Endpoint) {
  if (takes === 'file') return { 'multipart/form-data': { schema: filePart } };
  return body === undefined ? undefined : json(wireSchema(body));
}

function answerContent(endpoint: Endpoint) {
  const reply = replyOf(endpoint);
  const bytes = { schema: { type: 'string' } };
  if (reply === 'file') return { '*/*': bytes };
  return typeof reply === 'string' ? { [reply]: bytes } : json(wireSchema(reply));
}

function parameters(schema: z.ZodObject | undefined, place: 'path' | 'query') {
  return Object.entries(schema?.shape ?? {}).map(([name, field]) => ({
    name,
    in: place,
    required: place === 'path',
    schema: wireSchema(field),
  }));
}

const key = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'A repeated request with the same key and body returns the first response. A different body returns 409.',
  schema: { type: 'string', maxLength: 100 },
};

const rehearsal = {
  name: 'Evenkeel-Rehearse',
  in: 'header',
  required: false,
  description: 'If true, the call saves nothing and returns its effects. A call with several transactions returns 422.',
  schema: { type: 'boolean', default: false },
};

function operation(endpoint: Endpoint) {
  const { path, summary, needs, params, takes } = endpoint;
  const content = requestContent(endpoint);
  const ofBody = takes === 'file' ? refusalsOfFile : refusalsOfBody;
  const writes = takesKey(endpoint) && needs !== 'public' && needs !== 'session';
  return {
    summary,
    operationId: operationId(endpoint),
    tags: [path.split('/')[1] ?? ''],
    security: needs === 'public' ? [] : [{ bearer: [] }],
    'x-needs': needs,
    parameters: [
      ...parameters(params, 'path'),
      ...parameters(queryOf(endpoint), 'query'),
      ...(writes ? [key] : []),
      ...(canRehearse(endpoint) ? [rehearsal] : []),
    ],
    ...(content === undefined ? {} : { requestBody: { required: true, content } }),
    responses: {
      '200': {
        description: 'Done',
        content: answerContent(endpoint),
      },
      ...Object.fromEntries(
        Object.entries({ ...refusals, ...(content === undefined ? {} : ofBody) }).map(([status, description]) => [
          status,
          { ...problem, description },
        ]),
      ),
    },
  };
}

export function openApi(endpoints: readonly Endpoint[]) {
  const paths: Record<string, Record<string, ReturnType<typeof operation>>> = {};
  for (const endpoint of endpoints) {
    (paths[`/api${endpoint.path}`] ??= {})[endpoint.method.toLowerCase()] = operation(endpoint);
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Evenkeel', version: '1', description: 'Double-entry accounting and billing for small businesses' },
    servers: [{ url: '/' }],
    paths,
    components: {
      schemas: { Error: wireSchema(ErrorReply) },
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
    },
  };
}
