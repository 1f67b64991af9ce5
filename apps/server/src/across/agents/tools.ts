import { agentCalls } from '@evenkeel/contract/agents';
import { endpoints } from '@evenkeel/contract/all';
import { canRehearse, type Endpoint } from '@evenkeel/contract/endpoint';
import { opensToKeys } from '@evenkeel/contract/keys';
import { ledgerCalls } from '@evenkeel/contract/ledger';
import { queryOf, replyOf } from '@evenkeel/contract/lists';
import { wireSchema } from '@evenkeel/contract/openapi';
import { reportCalls } from '@evenkeel/contract/reports';
import { operationId, wireAddressOf } from '@evenkeel/contract/request';
import { decode } from '@evenkeel/contract/wire';
import { kinds } from '@evenkeel/core/documents/side';
import { Failure, refuse } from '@evenkeel/core/failure';
import { type ReportKind, reportKinds } from '@evenkeel/core/reports/kinds';
import * as z from 'zod';
import { operations, type WireInput } from './operations.ts';

/** The tools for agents. Each tool is derived from the contract and calls the API with the agent's own key. */

/** Calls the API with the request's key. Throws Failed if the API rejects the call. */
export interface Door {
  call(endpoint: Endpoint, input: WireInput, idempotencyKey?: string): Promise<unknown>;
  /** The name that the agent's program uses to identify itself. */
  client: string;
  /**
   * Asks the person who uses the client a question. Missing if the client can't ask questions. Returns null if the
   * person has not answered yet.
   */
  ask?: (question: string) => boolean | null;
}

/** An error response from the API. */
export class Failed extends Error {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
  constructor(status: number, body: Readonly<Record<string, unknown>>) {
    const { message } = body;
    super(typeof message === 'string' ? message : 'The call failed');
    this.status = status;
    this.body = body;
  }
}

/** Ends a tool call with a question for the person who uses the client. */
export class Question extends Error {}

interface Definition<S extends z.ZodObject> {
  name: string;
  title: string;
  description: string;
  input: S;
  /** Hints for clients: whether the tool is read-only, and whether its changes are unsafe to repeat or destroy data. */
  hints: { readOnlyHint: boolean; destructiveHint?: boolean; idempotentHint?: boolean; openWorldHint: boolean };
  run: (given: z.output<S>, door: Door) => Promise<unknown>;
}

/** A tool whose input has not been parsed yet. */
interface Tool extends Omit<Definition<z.ZodObject>, 'run'> {
  run: (given: unknown, door: Door) => Promise<unknown>;
}

const tool = <S extends z.ZodObject>(definition: Definition<S>): Tool => ({
  ...definition,
  run: (given, door) => definition.run(definition.input.parse(given), door),
});

const reads = { readOnlyHint: true, openWorldHint: false };

const values = (what: string) => z.record(z.string(), z.unknown()).optional().describe(what);
const wireInput = {
  params: values('Values for the {names} in the path'),
  query: values('Query parameters'),
  body: z.unknown().optional().describe('The JSON body: amounts in dollars, dates as YYYY-MM-DD'),
};

const operationName = z.string().max(200).describe('The name of an operation, from find_operation');

function operationOf(name: string): Endpoint {
  const endpoint = operations.get(name.toLowerCase());
  if (endpoint === undefined) throw new Failure('not_found', `Unknown operation "${name}". Use find_operation.`);
  return endpoint;
}

const isRead = ({ method, reads: onlyReads }: Endpoint): boolean => method === 'GET' || onlyReads === true;

/** Returns whether agents can use an operation, and in which way. */
export function useOf(endpoint: Endpoint): 'read' | 'propose' | 'people only' | 'not for agents' {
  if (!opensToKeys(endpoint)) return 'people only';
  if (endpoint.ofAgents === true) return 'not for agents';
  if (isRead(endpoint)) return typeof endpoint.reply === 'string' ? 'not for agents' : 'read';
  return canRehearse(endpoint) ? 'propose' : 'not for agents';
}

const PAGE = 50;

/** Returns the operations that match all words. Operations whose name matches come first. */
export function findOperations(query: string): Endpoint[] {
  const words = query
    .toLowerCase()
    .split(/\W+/)
    .filter((word) => word !== '');
  const scored = endpoints.map((endpoint) => {
    const name = operationId(endpoint).toLowerCase();
    const all = `${name} ${endpoint.summary.toLowerCase()}`;
    const isMatch = words.every((word) => all.includes(word) || all.includes(word.replace(/s$/, '')));
    return { endpoint, score: isMatch ? 1 + words.filter((word) => name.includes(word)).length : 0 };
  });
  return scored
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score)
    .map(({ endpoint }) => endpoint);
}

const findOperation = tool({
  name: 'find_operation',
  title: 'Find an operation',
  description:
    'Searches the operations of the bookkeeping API. Returns the name and purpose of each, and how to use it: ' +
    '"read" with the tool read, "propose" with the tool propose.',
  input: z.object({
    query: z
      .string()
      .max(200)
      .optional()
      .describe('Search terms, such as "create invoice". By default, all operations are listed'),
    skip: z.number().int().min(0).max(10_000).optional().describe('The number of operations to skip'),
  }),
  hints: reads,
  run: async ({ query = '', skip = 0 }) => {
    const found = findOperations(query);
    const shown = found.slice(skip, skip + PAGE);
    return {
      operations: shown.map((endpoint) => ({
        operation: operationId(endpoint),
        use: useOf(endpoint),
        needs: endpoint.needs,
        summary: endpoint.summary,
      })),
      total: found.length,
      next: skip + shown.length < found.length ? skip + shown.length : null,
    };
  },
});

const describe = tool({
  name: 'describe',
  title: 'Describe an operation',
  description: "Returns an operation's path, permission, and JSON schemas for its input and response.",
  input: z.object({ operation: operationName }),
  hints: reads,
  run: async ({ operation }) => {
    const endpoint = operationOf(operation);
    const { method, path, needs, summary, params, body } = endpoint;
    const query = queryOf(endpoint);
    const reply = replyOf(endpoint);
    return {
      operation: operationId(endpoint),
      use: useOf(endpoint),
      call: `${method} /api${path}`,
      needs,
      summary,
      params: params === undefined ? null : wireSchema(params),
      query: query === undefined ? null : wireSchema(query),
      body: body === undefined ? null : wireSchema(body),
      reply: typeof reply === 'string' ? reply : wireSchema(reply),
    };
  },
});

const read = tool({
  name: 'read',
  title: 'Read data',
  description: 'Reads from the API, for example a list, a record, or search results. Set limit to keep lists short.',
  input: z.object({ operation: operationName, ...wireInput }),
  hints: reads,
  run: async ({ operation, ...input }, door) => {
    const endpoint = operationOf(operation);
    if (!isRead(endpoint)) throw refuse(`${operationId(endpoint)} makes changes. Use the tool propose.`);
    if (typeof endpoint.reply === 'string') throw refuse(`${operationId(endpoint)} returns a file`);
    return door.call(endpoint, input);
  },
});

const reportNames = Object.entries<ReportKind>(reportKinds).map(([name, { says }]) => `${name} (${says})`);

const report = tool({
  name: 'report',
  title: 'Run a report',
  description: `Runs a report. The reports are: ${reportNames.join(', ')}.`,
  input: z.object({
    report: z.enum(Object.keys(reportKinds)).describe('The name of the report'),
    from: z
      .string()
      .max(10)
      .optional()
      .describe('The start date (YYYY-MM-DD). Defaults to the start of the fiscal year'),
    to: z.string().max(10).optional().describe('The end date, or the date of a balance. Defaults to today'),
    basis: z.enum(['accrual', 'cash']).optional().describe("Defaults to the company's basis"),
  }),
  hints: reads,
  run: async ({ report: name, from, to, basis }, door) => {
    const kind = Object.entries<ReportKind>(reportKinds).find(([key]) => key === name)?.[1];
    if (kind === undefined) throw new Failure('not_found', `Unknown report "${name}"`);
    const reportParams = [
      { paramType: 1, paramName: 'startdate', paramvalue: from },
      { paramType: 1, paramName: 'reportdate', paramvalue: to },
      { paramType: 3, paramName: 'basis', paramvalue: basis === undefined ? undefined : basis === 'cash' ? 1 : 0 },
    ].filter(({ paramvalue }) => paramvalue !== undefined);
    return door.call(reportCalls.runReport, { params: { reportId: kind.id }, body: { reportParams } });
  },
});

const explain = tool({
  name: 'explain',
  title: 'Explain an amount',
  description:
    "Returns the entries in an amount, or an entry's document. Pass accountIds with dates and a basis " +
    'for the entries in an amount, transactionId for a transaction, or sourceType and sourceId for a document and ' +
    'its entries. Report cells and entries contain these values.',
  input: z.object({
    accountIds: z.array(z.number().int()).max(2000).optional(),
    from: z.string().max(10).optional(),
    to: z.string().max(10).optional(),
    basis: z.enum(['accrual', 'cash']).optional(),
    after: z.string().max(200).optional().describe('The cursor `next` of the previous page'),
    transactionId: z.number().int().optional(),
    sourceType: z.string().max(50).optional(),
    sourceId: z.number().int().optional(),
  }),
  hints: reads,
  run: async ({ accountIds, from, to, basis, after, transactionId, sourceType, sourceId }, door) => {
    if (transactionId !== undefined) return door.call(ledgerCalls.transactionEntries, { params: { transactionId } });
    if (accountIds !== undefined) {
      const body = { accountIds, from, to, basis: basis === 'cash' ? 1 : 0, ...(after === undefined ? {} : { after }) };
      return door.call(ledgerCalls.figureEntries, { body });
    }
    if (sourceType === undefined || sourceId === undefined) {
      throw refuse('Enter accountIds, transactionId, or sourceType and sourceId');
    }
    const entries = await door.call(ledgerCalls.sourceEntries, { params: { sourceType, sourceId } });
    const path = kinds.get(sourceType)?.path;
    const document = endpoints.find((each) => each.method === 'GET' && each.path === path);
    return {
      entries,
      document: document === undefined ? null : await door.call(document, { params: { id: sourceId } }),
    };
  },
});

const propose = tool({
  name: 'propose',
  title: 'Propose a change',
  description:
    'Rehearses an operation: runs it, rolls it back, and returns the journal lines, the balances before ' +
    'and after, possible duplicates, and a token for commit. The token is valid for 15 minutes. Nothing is saved.',
  input: z.object({
    operation: operationName.optional(),
    ...wireInput,
    message: z.string().max(500).optional().describe('The reason for the change, shown to the user who may approve it'),
    again: z.string().max(100).optional().describe('The token of an earlier proposal that you want to propose again'),
  }),
  hints: { readOnlyHint: true, openWorldHint: false },
  run: ({ operation, params, query, body, message, again }, door) =>
    door.call(agentCalls.propose, {
      body: { operation, params, query, body, message, again, client: door.client },
    }),
});

const commit = tool({
  name: 'commit',
  title: 'Commit a proposal',
  description:
    'Makes a proposed change with exactly the effects that were shown, within the policy of your API key. A change ' +
    'that exceeds it waits until a user approves or rejects it. Read getProposalsId for the decision. If the ' +
    'books have changed, the error contains a fresh proposal.',
  input: z.object({
    token: z.string().max(100).describe("The proposal's token"),
    idempotency_key: z
      .string()
      .min(1)
      .max(100)
      .describe('A unique value for each change. Use the same value to retry if no response arrives'),
  }),
  hints: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  run: async ({ token, idempotency_key: key }, door) => {
    try {
      return await door.call(agentCalls.commit, { body: { token } }, key);
    } catch (error) {
      if (!(error instanceof Failed) || error.body['code'] !== 'stale') throw error;
      const proposal = await door.call(agentCalls.propose, { body: { again: token, client: door.client } });
      throw new Failed(error.status, { ...error.body, proposal });
    }
  },
});

const undo = tool({
  name: 'undo',
  title: 'Undo a day',
  description:
    "Reverses everything that this API key committed on a day. If any change can't be reversed, undoes nothing. " +
    'Without confirm, only lists the changes.',
  input: z.object({
    day: z.string().max(10).optional().describe('The day (YYYY-MM-DD). Defaults to today'),
    confirm: z.boolean().optional().describe('Whether to undo the listed changes'),
    idempotency_key: z
      .string()
      .min(1)
      .max(100)
      .optional()
      .describe('Use the same value to retry if no response arrives'),
  }),
  hints: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  run: async ({ day, confirm, idempotency_key: key }, door) => {
    const body = { ...(day === undefined ? {} : { day }), confirm: confirm === true };
    if (confirm === true || door.ask === undefined) return door.call(agentCalls.undoProposals, { body }, key);
    const listed = await door.call(agentCalls.undoProposals, { body });
    const { changes } = decode(agentCalls.undoProposals.reply, listed);
    if (changes.length === 0) return listed;
    const answer = door.ask(
      `Undo ${changes.length === 1 ? 'the change' : `all ${changes.length} changes`} made on this day?`,
    );
    if (answer === null) throw new Question();
    return answer ? door.call(agentCalls.undoProposals, { body: { ...body, confirm: true } }, key) : listed;
  },
});

export const tools: readonly Tool[] = [findOperation, describe, read, report, explain, propose, commit, undo];

/** Returns a tool as `tools/list` describes it. Nothing in it comes from a company's data. */
export function listed({ name, title, description, input, hints }: Tool) {
  const schema = { ...wireSchema(input), additionalProperties: false };
  return { name, title, description, inputSchema: schema, annotations: { title, ...hints } };
}

/** Returns the path and query of a call. */
export const addressFor = (endpoint: Endpoint, { params, query }: WireInput): string =>
  wireAddressOf(endpoint, params ?? {}, query ?? {});
