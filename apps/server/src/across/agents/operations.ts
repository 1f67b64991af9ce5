import { endpoints } from '@evenkeel/contract/all';
import { canRehearse, type Endpoint } from '@evenkeel/contract/endpoint';
import { opensToKeys } from '@evenkeel/contract/keys';
import { queryOf } from '@evenkeel/contract/lists';
import { operationId } from '@evenkeel/contract/request';
import { Failure, refuse } from '@evenkeel/core/failure';
import { createWithin } from '../../books/ledger/batch.ts';
import type { Ctx } from '../../platform/http/context.ts';
import type { Input, Preparing, Route } from '../../platform/http/route.ts';
import { decodeInput } from '../../platform/http/body.ts';
import { type CompanyRoute, listOf, perform } from '../../platform/http/serve.ts';

/** The contract's operations. The keys are the names that the API document and the command line use. */

export const operations: ReadonlyMap<string, Endpoint> = new Map(
  endpoints.map((endpoint) => [operationId(endpoint).toLowerCase(), endpoint]),
);

/** The input of an operation in the API's format. */
export interface WireInput {
  params?: Readonly<Record<string, unknown>> | null | undefined;
  query?: Readonly<Record<string, unknown>> | null | undefined;
  body?: unknown;
}

/** An operation with its decoded input. */
export interface Operation {
  name: string;
  route: CompanyRoute;
  input: Input<Endpoint>;
}

/**
 * Returns an operation that can be rehearsed. Throws 404 for an unknown name and 422 for an operation that can't be
 * rehearsed.
 */
export function operationNamed(routes: readonly Route[], name: string, given: WireInput): Operation {
  const endpoint = operations.get(name.toLowerCase());
  if (endpoint === undefined) throw new Failure('not_found', `Unknown operation "${name.slice(0, 100)}"`);
  if (!opensToKeys(endpoint))
    throw new Failure('forbidden', "API keys can't make this call. Only a signed-in user can.");
  if (!canRehearse(endpoint)) throw refuse("This operation can't be proposed");
  const operation = operationOf(routes, endpoint, given);
  if (listOf(operation.route, given.body) !== undefined) throw refuse('Propose one record at a time');
  return operation;
}

/** Returns a call in a company as an operation. Throws 400 if the contract doesn't accept the input. */
export function operationOf(
  routes: readonly Route[],
  endpoint: Endpoint,
  { params, query, body }: WireInput,
): Operation {
  const route = routes.find((each) => each.endpoint === endpoint);
  if (route?.kind !== 'company') throw refuse("This operation can't be proposed");
  const input = decodeInput(endpoint, queryOf(endpoint), { params: texts(params), query: texts(query), body });
  return { name: operationId(endpoint), route, input };
}

/** Returns the fields of an object, or no fields for any other value. */
export const fieldsOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? { ...value } : {};

/** Returns the values as they would appear in a URL. */
function texts(values: Readonly<Record<string, unknown>> | null | undefined): Record<string, string> {
  const given = Object.entries(values ?? {}).filter(([, value]) => value !== null && value !== undefined);
  return Object.fromEntries(
    given.map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]),
  );
}

/** Runs an operation's preparation, which must finish before the transaction starts. */
export const prepareOperation = (preparing: Preparing, { route, input }: Operation): Promise<unknown> | undefined =>
  route.prepare?.(preparing, input);

/** Runs an operation in the transaction of `ctx` and returns its response in the API's format. */
export async function performOperation(ctx: Ctx, { route, input }: Operation, prepared?: unknown): Promise<unknown> {
  return JSON.parse(await perform(ctx, route, { input, prepared }, createWithin));
}

/** The name and input of an operation that undoes another one. */
export interface Undo extends WireInput {
  operation: string;
}

/**
 * Returns the operation that undoes a change: the deletion of a created record (which posts its reversal), the undo of
 * an action on a bank transaction, or the reversal of a journal entry. Returns null if the change can't be undone.
 */
export function undoOf({ name, route: { endpoint }, input }: Operation, reply: unknown, today: string): Undo | null {
  const fields = fieldsOf(reply);
  if (name === 'putBanklineId') {
    const { rowVersion } = fieldsOf(fields['line']);
    return { operation: name, params: fieldsOf(input.params), body: { action: 'undo', rowVersion } };
  }
  if (endpoint.method !== 'POST') return null;
  if (name === 'postGeneralLedgerPostTransaction') {
    const id = String(fields['transactionID']);
    if (fields['draft'] === true) return { operation: 'deleteGeneralLedgerDraftsId', params: { id } };
    const params = { transactionId: id };
    return {
      operation: 'postGeneralLedgerReverseTransactionTransactionId',
      params,
      body: { postingDate: fields['postingDate'] ?? today },
    };
  }
  const { names } = endpoint;
  const saved = names === undefined ? 0 : Number(fieldsOf(input.body)[names] ?? 0);
  const deletion = operations.get(`${operationId({ ...endpoint, method: 'DELETE' })}id`.toLowerCase());
  const id = fields[names ?? 'id'] ?? fields['id'];
  if (deletion === undefined || saved > 0 || typeof id !== 'number') return null;
  return { operation: operationId(deletion), params: { id: String(id) } };
}
