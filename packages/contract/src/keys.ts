import * as z from 'zod';
import { endpoint, type Endpoint } from './endpoint.ts';
import { chosenId, DateField, Done, Id, IdText, maybe, Moment, text } from './fields.ts';

/** API keys, which let programs act for a user in one company. A key is shown once, and only its hash is stored. */

/** The default and the maximum number of requests per minute for a key. */
export const REQUESTS_PER_MINUTE = { usual: 120, most: 600 };

export const ApiKeyRecord = z.object({
  id: Id,
  name: z.string(),
  /** The first characters of the key, by which people recognize the key. */
  prefix: z.string(),
  userId: Id,
  userName: z.string(),
  /** The selected permissions. At the time of a request, the key has only those that its user also has. */
  permissions: z.array(z.string()),
  /** The addresses and networks that may use the key. Empty means every address. */
  addresses: z.array(z.string()),
  requestsPerMinute: z.number().int(),
  /** The last day on which the key works, in the company's time zone. */
  endsOn: DateField,
  createdAt: Moment,
  lastUsedAt: Moment.nullable(),
  revokedAt: Moment.nullable(),
  status: z.enum(['active', 'ended', 'revoked']),
});
export type ApiKeyRecord = z.output<typeof ApiKeyRecord>;

const ApiKeyBody = z.object({
  name: maybe(text(100)),
  userId: maybe(chosenId('Please select a user')),
  permissions: z.array(z.string().max(100)).max(100),
  addresses: maybe(z.array(text(50)).max(50)),
  requestsPerMinute: maybe(z.number().int()),
  endsOn: maybe(DateField),
});

export const keyCalls = {
  listApiKeys: endpoint({
    method: 'GET',
    path: '/apikeys',
    needs: 'Administrator',
    summary: "Lists the company's API keys, newest first. Expired and revoked keys are included.",
    reply: z.array(ApiKeyRecord),
  }),
  createApiKey: endpoint({
    method: 'POST',
    path: '/apikeys',
    needs: 'Administrator',
    summary: 'Creates an API key for a user. Only this response contains the key.',
    body: ApiKeyBody,
    reply: z.object({ key: z.string(), record: ApiKeyRecord }),
    answersSecret: true,
    noRehearsal: true,
  }),
  revokeApiKey: endpoint({
    method: 'DELETE',
    path: '/apikeys/{id}',
    needs: 'Administrator',
    summary: 'Revokes an API key. Later requests with the key are rejected.',
    params: z.object({ id: IdText }),
    reply: Done,
  }),
};

/**
 * Returns whether an API key can make a call. API keys can make calls that need a permission, and reads that any
 * signed-in user can make, such as lists of choices. Users, roles, keys, closing dates, and everything else that needs
 * an administrator or belongs to the user's own account are reserved for people.
 */
export function opensToKeys({ needs, method, reads, ofPerson }: Endpoint): boolean {
  if (ofPerson === true) return false;
  if (needs === 'signed-in') return method === 'GET' || reads === true;
  return needs === 'by record' || Array.isArray(needs) || (typeof needs === 'string' && /^(View|Manage) /.test(needs));
}
