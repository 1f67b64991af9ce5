import { join } from 'node:path';
import { Readable } from 'node:stream';
import type * as z from 'zod';
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import { type Endpoint, EXCEL, takesKey } from '@evenkeel/contract/endpoint';
import { isWholeList, type ListQuery, queryOf } from '@evenkeel/contract/lists';
import {
  COMPANY_HEADER,
  decode,
  encode,
  PERMISSIONS_HEADER,
  permissionsVersion,
  REHEARSE_HEADER,
} from '@evenkeel/contract/wire';
import { Failure, refuse } from '@evenkeel/core/failure';
import { inCompany, readCompany, type Tx } from '../db/tx.ts';
import { actorOf, type FindSession, authorise, bearerToken, isKey, openSessions, requireOneOf } from './session.ts';
import type { By, Ctx, Services, SessionUser } from './context.ts';
import type { AnyCreation, New, Submit } from './creation.ts';
import { answeredBefore, eachMade, type Once, onlyOnce, requestHash, SharedTurns } from './idempotency.ts';
import { aboutOf, answerLogged } from './errors.ts';
import { setFileHeaders } from './headers.ts';
import { countRequest, findKey } from './keys.ts';
import { networkOf, take } from './limits.ts';
import { longJson } from './long-json.ts';
import { type Describe, isRehearsal, rehearse } from './rehearsal.ts';
import type { Apart, Drawing, Drawn, InBatches, Input, Route, StoredFile, Told } from './route.ts';
import { breaths, nextTurn } from './turns.ts';
import { checkUploadHeaders, receiveUpload, type Upload } from './upload.ts';
import { decodeInput } from './body.ts';
import { requireClean } from './virus-scan.ts';
import { wholeList } from './whole-list.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The caller, which is looked up before the body is read. */
    caller: SessionUser | undefined;
    /** Whether the response comes from an earlier request with the same idempotency key. */
    isReplay: boolean;
  }
  interface FastifyContextConfig {
    takesFile?: boolean;
    /** Whether the call saves nothing. */
    reads?: boolean;
    /** Whether a call takes effect only once if it is repeated with its Idempotency-Key. */
    takesKey?: boolean;
  }
}

/** The text of a response, in parts if the text is long. */
type Text = string | string[];
type Answer = Text | Drawn | StoredFile;

/** A response that is created after the transaction. */
type Later = Drawing | (() => Promise<string[]>);

const nameOf = ({ method, path }: Endpoint): string => `${method} ${path}`;
const isRead = ({ method, reads }: Endpoint): boolean => method === 'GET' || reads === true;

/**
 * Connects every endpoint in the contract to its route under /api. Throws if an endpoint has no route or a route has no
 * endpoint, so that the server doesn't start.
 */
export function serveRoutes(
  app: FastifyInstance,
  services: Services,
  table: { endpoints: readonly Endpoint[]; routes: readonly Route[]; submit: Submit; rehearsing: Rehearsing },
): void {
  checkTable(table.endpoints, table.routes);
  app.decorateRequest('caller', undefined);
  app.decorateRequest('isReplay', false);
  // Calls that accept a file read the body as a stream. All other calls reject this content type.
  app.addContentTypeParser(/^multipart\/form-data\s*;/i, async (request: FastifyRequest, body: Readable) => {
    if (request.routeOptions.config.takesFile === true) return body;
    throw new Failure('unsupported_type', "This endpoint doesn't accept multipart/form-data");
  });
  const serving = {
    ...services,
    submit: table.submit,
    rehearsing: table.rehearsing,
    shared: new SharedTurns<New<unknown>>(services.pool),
    findSession: openSessions(services),
    running: new Set<string>(),
  };
  for (const route of table.routes) bind(app, serving, route);
}

/** The ledger's functions that rehearsals use. */
interface Rehearsing {
  describe: Describe;
  createWithin: (ctx: Ctx, creation: AnyCreation, asked: { input: unknown }) => Promise<unknown>;
}

/** The services of the process, the queue for the companies' batches, and the caller. */
interface Serving extends Services {
  submit: Submit;
  rehearsing: Rehearsing;
  shared: SharedTurns<New<unknown>>;
  findSession: FindSession;
  /** The idempotency keys of programs whose requests are running in this process. */
  running: Set<string>;
}

function checkTable(endpoints: readonly Endpoint[], routes: readonly Route[]): void {
  const bound = new Set(routes.map((route) => route.endpoint));
  const unbound = endpoints.filter((endpoint) => !bound.has(endpoint)).map(nameOf);
  if (unbound.length > 0) throw new Error(`endpoints without a route: ${unbound.join(', ')}`);
  const known = new Set(endpoints);
  const unknown = routes.map((route) => route.endpoint).filter((endpoint) => !known.has(endpoint));
  if (unknown.length > 0) throw new Error(`routes without an endpoint: ${unknown.map(nameOf).join(', ')}`);
  for (const endpoint of endpoints) {
    if (endpoint.needs === undefined || endpoint.needs.length === 0 || endpoint.reply === undefined) {
      throw new Error(`${nameOf(endpoint)} does not declare a permission or a response`);
    }
  }
  for (const route of routes) {
    const asks = route.kind === 'company' && route.permits !== undefined;
    if (asks !== (route.endpoint.needs === 'by record')) {
      throw new Error(`${nameOf(route.endpoint)} must declare 'by record' and bind permits, or neither`);
    }
  }
}

const takingFile: Partial<RouteOptions> = {
  // If an error occurs before the whole file has arrived, the rest of the file isn't read.
  onSend: async (request, reply) => {
    if (!request.raw.complete) reply.header('connection', 'close');
  },
};

/** Bytes are sent uncompressed, so that their length is known. */
const answeringFile: Partial<RouteOptions> = { compress: false };

function bind(app: FastifyInstance, services: Serving, route: Route): void {
  const { endpoint } = route;
  queries.set(endpoint, queryOf(endpoint));
  if (isWholeList(endpoint)) wholeLists.add(endpoint);
  app.route({
    ...(endpoint.takes === 'file' ? takingFile : endpoint.reply === 'file' ? answeringFile : {}),
    config: { takesFile: endpoint.takes === 'file', reads: isRead(endpoint), takesKey: takesKey(endpoint) },
    method: endpoint.reply === 'file' ? [endpoint.method, 'HEAD'] : endpoint.method,
    url: `/api${endpoint.path.replace(/\{(\w+)\}/g, ':$1')}`,
    exposeHeadRoute: false,
    // Runs before the body is read, so that an anonymous request costs only a single lookup and gets no information.
    onRequest: async (request, reply) => {
      request.caller = endpoint.needs === 'public' ? undefined : await callerOf(services, request);
      if (request.caller !== undefined) setCallerHeaders(reply, request.caller);
      await countKey(services, request.caller, reply);
      authorise(endpoint, request.caller);
      const { mostMb = services.config.maxUploadMb } = endpoint;
      if (endpoint.takes === 'file') checkUploadHeaders(request.headers, mostMb);
    },
    handler: async (request, reply) => {
      const answer = await runAlone(services, request, () => run(services, route, request));
      if (request.isReplay) reply.header('idempotent-replayed', 'true');
      return send(reply, endpoint, answer);
    },
  });
}

/** Sets headers that name the company for a proxy, and inform the web client whether its permissions are current. */
function setCallerHeaders(reply: FastifyReply, { companyId, roleName: userRole, permissions }: SessionUser): void {
  reply.header(COMPANY_HEADER, companyId);
  reply.header(PERMISSIONS_HEADER, permissionsVersion({ userRole, permissions }));
}

async function callerOf(services: Serving, request: FastifyRequest): Promise<SessionUser | undefined> {
  const token = bearerToken(request.headers.authorization);
  if (token === undefined) return undefined;
  return isKey(token) ? findKey(services, token, request.ip) : services.findSession(token);
}

/** Counts a request with an API key. The headers contain the number of requests left in this minute. */
async function countKey(services: Serving, caller: SessionUser | undefined, reply: FastifyReply): Promise<void> {
  if (caller?.key === undefined) return;
  await countRequest(services, caller.key, ({ limit, remaining, resetSeconds }) => {
    void reply.headers({
      'ratelimit-limit': limit,
      'ratelimit-remaining': remaining,
      'ratelimit-reset': resetSeconds,
    });
  });
}

/** The query schema of each bound endpoint. The query for a list also accepts paging parameters. */
const queries = new WeakMap<Endpoint, z.ZodObject | undefined>();
/** Lists whose handlers return all rows. */
const wholeLists = new WeakSet<Endpoint>();

/**
 * Runs a request. A program that repeats a request while the first request is running gets 409, so that it doesn't have
 * to wait. A person's request waits for the first request and gets the same response. So does a program's request if
 * the first request runs in another process.
 */
async function runAlone<T>({ running }: Serving, request: FastifyRequest, work: () => Promise<T>): Promise<T> {
  const { caller } = request;
  const key = caller?.key === undefined ? undefined : keyOf(request);
  if (caller === undefined || key === undefined) return work();
  const name = `${caller.companyId}:${caller.userId}:${key}`;
  if (running.has(name)) throw stillRunning();
  running.add(name);
  try {
    return await work();
  } finally {
    running.delete(name);
  }
}

const stillRunning = (): Failure =>
  new Failure(
    'conflict',
    'The first request with this Idempotency-Key is still running. Try again in a moment.',
    undefined,
    { retryAfterSeconds: 1 },
  );

/**
 * The size in bytes of a body whose validation takes milliseconds. If there are several of these bodies, each one waits
 * for its own turn of the event loop.
 */
const LONG_BODY = 16_384;

async function run(services: Serving, route: Route, request: FastifyRequest): Promise<Answer> {
  const takesLong = route.endpoint.body !== undefined && Number(request.headers['content-length'] ?? 0) > LONG_BODY;
  if (takesLong) await nextTurn();
  const list = route.kind === 'company' ? listOf(route, request.body) : undefined;
  const isOneTransaction = route.kind === 'company' && list === undefined;
  const asked = request.headers[REHEARSE_HEADER];
  const isRehearsed = asked !== undefined && isRehearsal(asked, route.endpoint, isOneTransaction);
  if (!isRehearsed) requireProposal(route.endpoint, request.caller);
  await requireFew(services, route.endpoint, request.caller);
  if (list !== undefined && 'creation' in list) return answerInBatches(services, route.endpoint, { request, ...list });
  const input = decodeInput(route.endpoint, queries.get(route.endpoint), request);
  if (route.kind === 'company') {
    if (list !== undefined) return answerApart(services, route, { request, input, ...list });
    if (isRehearsed) return answerRehearsal(services, route, { request, input });
  }
  if (route.endpoint.takes !== 'file') return answer(services, route, { request, input });
  const { dataDir, maxUploadMb } = services.config;
  const limits = { folder: join(dataDir, 'uploads'), mostMb: route.endpoint.mostMb ?? maxUploadMb };
  const upload = await receiveUpload(request.body as Readable, request.headers, limits);
  try {
    const { virusScan } = services.config;
    if (virusScan !== undefined) await requireClean(virusScan, upload.name, (size) => upload.parts(size));
    return await answer(services, route, { request, input: { ...input, body: upload } as never });
  } finally {
    await upload.close();
  }
}

type BatchedList = Pick<InBatches, 'creation'> & { record: z.ZodType };

/**
 * Returns how the records in a list are created. Returns undefined for a single record, which is created in one
 * transaction.
 */
export function listOf({ command, endpoint }: CompanyRoute, body: unknown): BatchedList | Apart | undefined {
  if (command === undefined) return undefined;
  if ('creation' in command && endpoint.body !== undefined && 'element' in endpoint.body) {
    return { creation: command.creation, record: endpoint.body.element as z.ZodType };
  }
  return 'told' in command && Array.isArray(body) ? command : undefined;
}

/** Runs a call, rolls it back, and returns its effects. The idempotency key isn't used. */
async function answerRehearsal(services: Serving, route: CompanyRoute, { request, input }: Asked): Promise<string> {
  const { endpoint } = route;
  const user = request.caller;
  if (user === undefined) throw new Error(`${nameOf(endpoint)} is a company call but doesn't require a sign-in`);
  const actor = actorOf(user, causeOf(request));
  const { pool, rehearsing } = services;
  const turn = {
    companyId: user.companyId,
    record: recordOf(endpoint, input),
    isGone: () => request.raw.socket.destroyed,
  };
  const read = <T>(reading: (ctx: Ctx) => Promise<T>): Promise<T> =>
    readCompany(pool, turn, (tx) => reading({ ...actor, tx, services }));
  const prepared = await route.prepare?.({ ...actor, services, isGone: turn.isGone, read }, input);
  return rehearse(
    { pool, turn, describe: rehearsing.describe },
    (tx) => ({ ...actor, tx, services }),
    (ctx) => perform(ctx, route, { input, prepared }, rehearsing.createWithin),
  );
}

/**
 * Runs a call inside an open transaction of the company and returns its response as JSON text. A record that would be
 * created in a batch is created in the transaction. The caller checks the endpoint's permission.
 */
export async function perform(
  ctx: Ctx,
  route: CompanyRoute,
  { input, prepared }: { input: Input<Endpoint>; prepared?: unknown },
  createWithin: Rehearsing['createWithin'],
): Promise<string> {
  const named = namedBy(route.endpoint, input.body);
  const batch = batchOf(route, input.body, named);
  const value =
    batch === undefined
      ? await handled(route, ctx, { input, named, prepared })
      : await createWithin(ctx, batch.creation, { input: input.body });
  return textOf(answerOf(route, value, input));
}

/** Throws 403 for a write with an agent's key, unless the call creates or handles a proposal. */
function requireProposal(endpoint: Endpoint, caller: SessionUser | undefined): void {
  if (caller?.key?.isAgent !== true || isRead(endpoint) || endpoint.ofAgents === true) return;
  const message = 'This API key has an agent policy, so it can make changes only through proposals at /mcp';
  throw new Failure('forbidden', message);
}

const HOUR_SECONDS = 3600;

/** Throws 429 if a company makes an expensive call too often within an hour. */
export async function requireFew(
  { pool }: Pick<Services, 'pool'>,
  endpoint: Endpoint,
  caller: { companyId: number } | undefined,
): Promise<void> {
  const { atMost } = endpoint;
  if (atMost === undefined || caller === undefined) return;
  const message = `Your company can do this at most ${atMost.toLocaleString('en-US')} times per hour. Try again later.`;
  const limit = { name: nameOf(endpoint), most: atMost, seconds: HOUR_SECONDS, message };
  await take(pool, limit, String(caller.companyId));
}

export type CompanyRoute = Extract<Route, { kind: 'company' }>;

interface Asked {
  request: FastifyRequest;
  input: Input<Endpoint>;
}

/**
 * Returns the ID of the saved record that a POST's body refers to. Returns 0 for a new record, or if the call has no
 * such ID.
 */
function namedBy({ names }: Endpoint, body: unknown): number {
  const id = names === undefined ? undefined : (body as Record<string, unknown>)[names];
  return typeof id === 'number' && id > 0 ? id : 0;
}

/** Returns the batch that creates a new record. */
function batchOf({ command }: CompanyRoute, body: unknown, named: number): InBatches | undefined {
  const isBatched = command !== undefined && named === 0 && 'creation' in command && command.takes?.(body) !== false;
  return isBatched ? command : undefined;
}

/** Runs a call inside its transaction. `named` is the saved record that the body refers to, or 0. */
async function handled(
  route: CompanyRoute,
  ctx: Ctx,
  { input, named, prepared }: { input: Input<Endpoint>; named: number; prepared: unknown },
): Promise<unknown> {
  const permissions = (await route.permits?.(ctx, input)) ?? 'allowed';
  if (permissions !== 'allowed') requireOneOf(ctx, permissions);
  const { save } = route;
  return named === 0 || save === undefined ? route.handler(ctx, input, prepared) : save(ctx, input, named, prepared);
}

async function answer(services: Serving, route: Route, { request, input }: Asked): Promise<Answer> {
  const { endpoint } = route;
  if (route.kind === 'open') {
    const { ip, headers, caller } = request;
    const from = { address: networkOf(ip), agent: headers['user-agent'] };
    const value = await route.handler({ services, ...from, user: caller, key: keyOf(request) }, input);
    return drawn(answerOf(route, value, input));
  }
  const user = request.caller;
  if (user === undefined) throw new Error(`${nameOf(endpoint)} is a company call but doesn't require a sign-in`);
  const actor = actorOf(user, causeOf(request));
  const key = keyOf(request);
  const asked = endpoint.takes === 'file' ? tellApart(input) : request.body;
  const onReplay = () => void (request.isReplay = true);
  const once = key === undefined ? undefined : { ...onceOf(user, key, hashOfRequest(request, asked)), onReplay };
  const isGone = () => request.raw.socket.destroyed;
  const named = namedBy(endpoint, input.body);
  const { command } = route;
  const batch = batchOf(route, input.body, named);
  if (batch !== undefined) {
    const { creation } = batch;
    const bytes = Number(request.headers['content-length'] ?? 0);
    return services.submit({ actor, creation, input: input.body, once, bytes, isGone });
  }
  const turn = { companyId: user.companyId, record: recordOf(endpoint, input), isGone };
  let prepared: unknown;
  if (route.prepare !== undefined) {
    const earlier = once === undefined ? undefined : await answeredBefore(services.pool, turn, once);
    if (earlier !== undefined) return earlier;
    const read = <T>(reading: (ctx: Ctx) => Promise<T>): Promise<T> =>
      readCompany(services.pool, turn, (tx) => reading({ ...actor, tx, services }));
    prepared = await route.prepare({ ...actor, services, isGone, read }, input);
  }
  const work = async (tx: Tx) => {
    const value = await handled(route, { ...actor, tx, services }, { input, named, prepared });
    return answerOf(route, value, input);
  };
  if (once !== undefined && named === 0 && command !== undefined && 'shares' in command && command.shares(input.body)) {
    const { createEach } = command;
    return services.shared.onlyOnce({
      turn,
      once,
      input: { input: input.body, today: actor.today, by: actor.by },
      group: `${nameOf(endpoint)} ${user.companyId} ${user.userId}`,
      work: async (tx, news) =>
        eachMade(await createEach({ ...actor, tx, services }, news), (value) => textOf(answerOf(route, value, input))),
    });
  }
  if (once !== undefined) return onlyOnce(services.pool, turn, once, async (tx) => textOf(await work(tx)));
  const gate = route.isShort?.(input) === true ? undefined : route.gate;
  if (gate === undefined) return drawn(await (isRead(endpoint) ? readCompany : inCompany)(services.pool, turn, work));
  // The rows stay in memory until the text or file is created, so only a few of these calls run at a time. They hold no
  // connection while it is created.
  return services.pool.gates[gate].pass(turn, async () => drawn(await readCompany(services.pool, turn, work)));
}

/** The maximum number of records in one request. A single batch takes only some of these records. */
const MOST_RECORDS = 500;

/**
 * Returns a function that creates one record in a list, with a key derived from the request's key. A rejected record
 * doesn't affect the others.
 */
function creatingIn(services: Serving, request: FastifyRequest) {
  const { caller: user, body } = request;
  if (user === undefined) throw new Error(`${request.url} accepts a list but doesn't require a sign-in`);
  const key = keyOf(request);
  const isGone = () => request.raw.socket.destroyed;
  const create = async (index: number, work: (once: Once | undefined) => Promise<string>): Promise<Told<string>> => {
    try {
      const hash = hashOfRequest(request, (body as readonly unknown[])[index]);
      const once = key === undefined ? undefined : onceOf(user, `${key}:${index}`, hash);
      return { made: await work(once) };
    } catch (error) {
      return { error: answerLogged(services, error, { ...aboutOf(request), index }).body };
    }
  };
  return { actor: actorOf(user, causeOf(request)), isGone, create };
}

/** Passes each record in a list to the company's batches. */
async function answerInBatches(
  services: Serving,
  endpoint: Endpoint,
  { request, creation, record: schema }: BatchedList & { request: FastifyRequest },
): Promise<string> {
  const { body } = request;
  if (!Array.isArray(body)) throw new Failure('malformed', 'The request must be a list');
  if (body.length > MOST_RECORDS) throw new Failure('too_large', `A list can have at most ${MOST_RECORDS} records`);
  const { actor, isGone, create } = creatingIn(services, request);
  const bytes = Math.ceil(Number(request.headers['content-length'] ?? 0) / body.length);
  const answers = body.map(async (record: unknown, index) => {
    const { made, error } = await create(index, async (once) => {
      const input = decode(schema, record);
      if (namedBy(endpoint, input) > 0) throw refuse('A list can contain only new records');
      return services.submit({ actor, creation, input, once, bytes, isGone });
    });
    return error === undefined ? `{"record":${made}}` : `{"error":${JSON.stringify(error)}}`;
  });
  return `[${(await Promise.all(answers)).join(',')}]`;
}

/** Handles each item in a list in a separate transaction, until the client disconnects. */
async function answerApart(
  services: Serving,
  route: CompanyRoute,
  { request, input, told }: Asked & Apart,
): Promise<string> {
  const { pool } = services;
  const { actor, isGone, create } = creatingIn(services, request);
  const answers: unknown[] = [];
  for (const [index, body] of (input.body as unknown as unknown[]).entries()) {
    if (isGone()) break;
    const own = { ...input, body: body as never };
    const turn = { companyId: actor.companyId, record: recordOf(route.endpoint, own), isGone };
    const work = async (tx: Tx) => textOf(answerOf(route, await route.handler({ ...actor, tx, services }, own), own));
    const { made, error } = await create(index, (once) =>
      once === undefined ? inCompany(pool, turn, work) : onlyOnce(pool, turn, once, work),
    );
    answers.push(told(body, error === undefined ? { made: JSON.parse(made) as unknown } : { error }));
  }
  return JSON.stringify(answers);
}

/**
 * Identifies the record that a call changes or deletes by the first segment of the path and the ID in the path or body.
 */
function recordOf(endpoint: Endpoint, { params, body }: Input<Endpoint>): string | undefined {
  if (isRead(endpoint)) return undefined;
  const { id = 0 }: { id?: unknown } = { ...(body as object | undefined), ...(params as object | undefined) };
  return id === 0 ? undefined : `${endpoint.path.split('/')[1]} ${String(id)}`;
}

/** A write with a key always returns JSON and never a file. */
function textOf(answer: Answer | Later): string {
  if (typeof answer !== 'string') throw new Error("a write with an idempotency key can't return a file");
  return answer;
}

const MOST_KEY = 100;

/** Returns the client's idempotency key, if the call accepts one. */
function keyOf(request: FastifyRequest): string | undefined {
  const key = request.headers['idempotency-key'];
  if (key === undefined || request.routeOptions.config.takesKey !== true) return undefined;
  if (typeof key !== 'string' || key.length === 0 || key.length > MOST_KEY) {
    throw new Failure('malformed', `Idempotency-Key must have 1 to ${MOST_KEY} characters`);
  }
  return key;
}

/** Returns the request as the cause of its changes. */
function causeOf(request: FastifyRequest): Pick<By, 'requestId' | 'idempotencyKey'> {
  const idempotencyKey = keyOf(request);
  return { requestId: request.id, ...(idempotencyKey === undefined ? {} : { idempotencyKey }) };
}

function onceOf({ companyId, userId }: SessionUser, key: string, hash: Buffer): Once {
  return { companyId, userId, key: `${userId}:${key}`, requestHash: hash };
}

/** Two API keys of one user never get each other's responses. */
const hashOfRequest = ({ method, url, caller }: FastifyRequest, body: unknown): Buffer =>
  requestHash(method, url, { body, keyId: caller?.key?.id });

/** Returns the properties that distinguish two files, for comparing repeated requests. */
function tellApart({ body }: { body: unknown }): unknown {
  const { name, sha256 } = body as Upload;
  return { name, sha256: sha256.toString('hex') };
}

const drawn = (answer: Answer | Later): Answer | Promise<Answer> => (typeof answer === 'function' ? answer() : answer);

/**
 * Returns the text to send. The text is created inside the transaction, so that an error rolls the transaction back.
 * Long text is created afterward.
 */
function answerOf(route: Route, value: unknown, { query }: Input<Endpoint>): Answer | Later {
  const { endpoint } = route;
  if (endpoint.reply === 'file') return value as StoredFile;
  if (typeof endpoint.reply === 'string') return value as Drawn | Drawing;
  const { reply } = endpoint;
  if (route.kind === 'company' && route.gate === 'long') {
    return () => longJson(value, reply);
  }
  const whole = encode(reply, value as never);
  return JSON.stringify(wholeLists.has(endpoint) ? wholeList(whole as unknown[], query as ListQuery) : whole);
}

/**
 * The number of characters that are converted to bytes in one step. Converting megabytes in one step would block all
 * other requests.
 */
const AT_ONCE = 65_536;

/** Otherwise, the stream would create sixteen parts at a time. */
const ONE_AHEAD = { highWaterMark: 1 };

async function* inParts(texts: readonly string[]): AsyncGenerator<Buffer> {
  const breath = breaths();
  for (const text of texts) {
    for (let at = 0; at < text.length;) {
      let end = at + AT_ONCE;
      // A surrogate pair is a single character.
      if (/[\ud800-\udbff]/.test(text.charAt(end - 1))) end += 1;
      yield Buffer.from(text.slice(at, end));
      // A fast client takes each part immediately, so that the stream would otherwise send all of them in one step.
      await breath();
      at = end;
    }
  }
}

function sendText(reply: FastifyReply, text: Text): FastifyReply {
  const texts = typeof text === 'string' ? [text] : text;
  const [first = ''] = texts;
  const isLong = texts.length > 1 || first.length > AT_ONCE;
  return reply.type('application/json; charset=utf-8').send(isLong ? Readable.from(inParts(texts), ONE_AHEAD) : first);
}

function send(reply: FastifyReply, endpoint: Endpoint, answer: Answer): FastifyReply {
  if (typeof answer === 'string' || Array.isArray(answer)) return sendText(reply, answer);
  if ('contentType' in answer) {
    setFileHeaders(reply, answer);
    return reply.request.method === 'HEAD' ? reply.send() : reply.send(Readable.from(answer.bytes()));
  }
  const [type, ending] = endpoint.reply === EXCEL ? [EXCEL, 'xlsx'] : ['application/pdf', 'pdf'];
  const plainName = endpoint.path.split('/').find((part) => part !== '') ?? 'document';
  const { name, drawn: bytes } = 'drawn' in answer ? answer : { name: plainName, drawn: answer };
  return reply
    .type(type)
    .header('content-disposition', `inline; filename="${name.replace(/[^\w &-]/g, '')}.${ending}"`)
    .send(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
}
