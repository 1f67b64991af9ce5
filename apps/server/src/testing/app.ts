import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import { type Logger, pino } from 'pino';
import { inject } from 'vitest';
import type * as z from 'zod';
import { authCalls } from '@evenkeel/contract/auth';
import { type Endpoint, ErrorReply, type ReplyOf } from '@evenkeel/contract/endpoint';
import { decode } from '@evenkeel/contract/wire';
import { buildApp } from '../app/app.ts';
import { loadLegal } from '../across/auth/legal.ts';
import { letterSender } from '../across/auth/letters.ts';
import type { Config } from '../platform/config.ts';
import { openBox } from '../platform/db/box.ts';
import { openPool, type Pool } from '../platform/db/connect.ts';
import { runDueJobs } from '../platform/db/jobs.ts';
import { inCompany, type Tx } from '../platform/db/tx.ts';
import { watchWaits } from '../platform/waits.ts';
import type { Ctx, Services, Tuning } from '../platform/http/context.ts';
import { openPseudonyms } from '../platform/http/security-log.ts';
import { actorOf, openSessions } from '../platform/http/session.ts';
import type { Mailer, Message } from '../platform/mail/mailer.ts';
import { EVENT_JOB } from '../across/online/connection.ts';
import { eventHandler } from '../across/online/events.ts';
import { mailSender } from '../across/sending/deliver.ts';
import type { Route } from '../platform/http/route.ts';
import { allRoutes } from '../app/routes.ts';
import { endpoints } from '@evenkeel/contract/all';
import { createDatabase, dropDatabase } from './databases.ts';
import type { TestGround } from './global-setup.ts';
import { testConfig, testTuning } from './settings.ts';
import { addCompany, addPerson, PASSWORD, type Person, type World, type WorldCompany } from './world.ts';

type Wire<T> = T extends z.ZodType ? z.input<T> : undefined;
type Part<E, K extends string> = K extends keyof E ? Wire<E[K]> : undefined;

/** The parts of a call in API format (dollars, not cents). */
export interface Sent<E extends Endpoint> {
  params?: Part<E, 'params'> | Record<string, unknown>;
  query?: Part<E, 'query'> | Record<string, unknown>;
  body?: unknown;
  token?: string;
  headers?: Record<string, string>;
}

/** A raw response. `body` is the JSON, and `bytes` contains everything. */
export interface RawAnswer {
  status: number;
  headers: Record<string, string | number | string[] | undefined>;
  body: unknown;
  bytes: Buffer;
}

export interface RawRequest {
  method: Endpoint['method'] | 'HEAD' | 'OPTIONS' | 'PATCH';
  url: string;
  token?: string | undefined;
  headers?: Record<string, string>;
  /** The body. An object is sent as JSON. A string or bytes are sent unchanged, and the content type must be set. */
  body?: unknown;
  address?: string;
}

export interface TestApp {
  app: FastifyInstance;
  services: Services;
  pool: Pool;
  world: World;
  /** A connection string for the database of this test file. It connects as the database's owner. */
  databaseUrl: string;
  /** Calls an endpoint and decodes its response. Throws a Refused if the response is an error. */
  call<E extends Endpoint>(endpoint: E, sent?: Sent<E>): Promise<ReplyOf<E>>;
  /**
   * Calls an endpoint that must reject the request, and returns the status and error. Throws if the request is
   * accepted.
   */
  refused<E extends Endpoint>(endpoint: E, sent?: Sent<E>): Promise<Refusal>;
  request(request: RawRequest): Promise<RawAnswer>;
  /** Runs `work` in a transaction in the company, for data that no endpoint returns. */
  inCompany<T>(companyId: number, work: (tx: Tx) => Promise<T>): Promise<T>;
  /** Runs a use case with a user's context in one transaction. */
  withCtx<T>(person: Person, work: (ctx: Ctx) => Promise<T>): Promise<T>;
  createCompany(displayname?: string): Promise<WorldCompany>;
  /** Adds a user with the role of this name, and signs the user in. */
  signIn(company: WorldCompany, roleName: string): Promise<Person>;
  /** Signs in over HTTP with an email address and password. */
  login(email: string, password?: string): Promise<ReplyOf<typeof authCalls.login>>;
  /** Runs the waiting jobs. Returns the emails that the jobs sent. */
  runJobs(): Promise<Message[]>;
  /** Runs the waiting jobs once with this mailer. Returns the errors. */
  runMail(mailer: Mailer): Promise<string[]>;
  /** Starts another server on the same database, as a restart does. Returns its requests and a function to stop it. */
  restart(): Promise<Pick<TestApp, 'request' | 'close'>>;
  /** Stops the app and drops its database. */
  close(): Promise<void>;
}

export interface Refusal extends z.output<typeof ErrorReply> {
  status: number;
  headers: RawAnswer['headers'];
}

export class Refused extends Error {
  readonly refusal: Refusal;
  constructor(endpoint: Endpoint, refusal: Refusal) {
    super(`${endpoint.method} ${endpoint.path} answered ${refusal.status}: ${refusal.message}`);
    this.refusal = refusal;
  }
}

export interface TestAppOptions {
  config?: Partial<Config>;
  tuning?: Partial<Tuning>;
  log?: Logger;
  /** Replaces Evenkeel's table of endpoints, for tests of http/serve itself. */
  table?: { endpoints: readonly Endpoint[]; routes: readonly Route[]; webFolder?: string };
}

/**
 * Returns the endpoints that are both declared and connected to a route, so that an unfinished endpoint doesn't fail
 * other tests. A missing route is found by a separate test (platform/http/endpoints.test.ts) and when the server
 * starts.
 */
function servedTable(): { endpoints: readonly Endpoint[]; routes: readonly Route[] } {
  const bound = new Set(allRoutes.map((route) => route.endpoint));
  const known = new Set(endpoints);
  return {
    endpoints: endpoints.filter((endpoint) => bound.has(endpoint)),
    routes: allRoutes.filter((route) => known.has(route.endpoint)),
  };
}

let databases = 0;
let shipped: ReturnType<typeof loadLegal> | undefined;

/** Reads the built-in documents once for all test files in a process. */
function legalOf(termsDir: string | undefined): ReturnType<typeof loadLegal> {
  return termsDir === undefined ? (shipped ??= loadLegal(undefined)) : loadLegal(termsDir);
}

/**
 * Starts the app on a separate database for this file. The database is copied from the template with the test world.
 */
export async function startTestApp(options: TestAppOptions = {}): Promise<TestApp> {
  watchWaits();
  const { server, template, world }: TestGround = inject('ground');
  const name = `${template}_${process.pid}_${(databases += 1)}`;
  await createDatabase(server, name, template);
  const databaseUrl = `${server}/${name}`;
  const pool = openPool({ connection: { connectionString: databaseUrl }, as: 'runtime' });
  const log = options.log ?? pino({ level: process.env['LOG_LEVEL'] ?? 'silent' });
  const config = testConfig(options.config);
  const services: Services = {
    pool,
    config,
    box: openBox(config),
    log,
    pseudonym: await openPseudonyms(pool),
    legal: await legalOf(options.config?.termsDir),
    tuning: { ...testTuning, ...options.tuning },
  };
  const table = options.table ?? servedTable();
  const app = await buildApp(services, table);
  const restart: TestApp['restart'] = async () => {
    const another = await buildApp(services, table);
    return { request: clientOf(another).request, close: () => another.close() };
  };
  const close = async (): Promise<void> => {
    await app.close();
    await pool.end();
    await dropDatabase(server, name);
  };
  return { app, services, pool, world, databaseUrl, ...clientOf(app), ...groundOf(services, app), restart, close };
}

function clientOf(app: FastifyInstance): Pick<TestApp, 'call' | 'refused' | 'request'> {
  const request = (sent: RawRequest) => rawRequest(app, sent);
  return {
    request,
    call: async (endpoint, sent = {}) => {
      const answer = await request(requestOf(endpoint, sent));
      if (answer.status !== 200) throw new Refused(endpoint, refusalOf(answer));
      return replyOf(endpoint, answer);
    },
    refused: async (endpoint, sent = {}) => {
      const answer = await request(requestOf(endpoint, sent));
      if (answer.status === 200) throw new Error(`${endpoint.method} ${endpoint.path} was not rejected`);
      return refusalOf(answer);
    },
  };
}

function refusalOf(answer: RawAnswer): Refusal {
  return { ...ErrorReply.parse(answer.body), status: answer.status, headers: answer.headers };
}

/** Decodes the response with its schema. A response that doesn't match the schema fails the test. */
function replyOf<E extends Endpoint>(endpoint: E, answer: RawAnswer): ReplyOf<E> {
  const { reply } = endpoint;
  return valueOf(reply, answer) as ReplyOf<E>;
}

function valueOf(reply: Endpoint['reply'], answer: RawAnswer): unknown {
  if (reply === 'file') return { bytes: answer.bytes, contentType: String(answer.headers['content-type']) };
  if (typeof reply === 'string') return answer.bytes;
  return decode(reply, answer.body);
}

/** Fills in an endpoint's path and query. */
export function requestOf<E extends Endpoint>(endpoint: E, sent: Sent<E>): RawRequest {
  const params = Object.entries((sent.params ?? {}) as Record<string, unknown>);
  const path = params.reduce(
    (url, [key, value]) => url.replace(`{${key}}`, encodeURIComponent(String(value))),
    endpoint.path,
  );
  const pairs = Object.entries((sent.query ?? {}) as Record<string, unknown>);
  const query = new URLSearchParams(pairs.map(([key, value]): [string, string] => [key, String(value)])).toString();
  const { token, headers = {}, body } = sent;
  return { method: endpoint.method, url: `/api${path}${query === '' ? '' : `?${query}`}`, token, headers, body };
}

async function rawRequest(app: FastifyInstance, { method, url, token, headers, body, address }: RawRequest) {
  const isRaw = body === undefined || typeof body === 'string' || Buffer.isBuffer(body);
  const isText = typeof body === 'string' && headers?.['content-type'] === undefined;
  const payload = isRaw && !isText ? body : JSON.stringify(body);
  const answer = await app.inject({
    method,
    url,
    remoteAddress: address ?? '127.0.0.1',
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(!isRaw || isText ? { 'content-type': 'application/json' } : {}),
      ...headers,
    },
    ...(payload === undefined ? {} : { payload }),
  });
  const isJson = String(answer.headers['content-type'] ?? '').startsWith('application/json');
  const raw: RawAnswer = {
    status: answer.statusCode,
    headers: answer.headers,
    body: isJson && answer.body !== '' ? answer.json<unknown>() : answer.body,
    bytes: answer.rawPayload,
  };
  return raw;
}

function groundOf(services: Services, app: FastifyInstance) {
  const { pool, config } = services;
  return {
    inCompany: <T>(companyId: number, work: (tx: Tx) => Promise<T>) => inCompany(pool, companyId, work),
    withCtx: <T>(person: Person, work: (ctx: Ctx) => Promise<T>) => withCtx(services, person, work),
    createCompany: (displayname = `Company ${crypto.randomUUID().slice(0, 8)}`) => addCompany(pool, displayname),
    signIn: ({ companyId }: WorldCompany, roleName: string) => {
      const slug = crypto.randomUUID().slice(0, 8);
      return addPerson(pool, { companyId, slug, roleName, firstName: 'Pat' });
    },
    login: (email: string, password = PASSWORD) => clientOf(app).call(authCalls.login, { body: { email, password } }),
    runJobs: async () => {
      const letters: Message[] = [];
      const mailer = {
        send: async (message: Message) => {
          await message.beforeHandover?.();
          letters.push(message);
          return '250 OK';
        },
      };
      const rethrow = (_job: unknown, error: unknown): never => {
        throw error;
      };
      const handlers = {
        letter: letterSender(config, mailer),
        mail: mailSender(services, mailer),
        [EVENT_JOB]: eventHandler(services),
      };
      await runDueJobs(pool, handlers, rethrow);
      return letters;
    },
    runMail: async (mailer: Mailer) => {
      const failed: string[] = [];
      const report = (_job: unknown, error: unknown): void => void failed.push(String(error));
      await runDueJobs(pool, { letter: letterSender(config, mailer), mail: mailSender(services, mailer) }, report);
      return failed;
    },
  };
}

async function withCtx<T>(services: Services, person: Person, work: (ctx: Ctx) => Promise<T>): Promise<T> {
  const user = await openSessions(services)(person.token);
  if (user === undefined) throw new Error(`${person.email} is not signed in`);
  return inCompany(services.pool, user.companyId, (tx) => work({ ...actorOf(user), tx, services }));
}

/** Counts the rows of one company in a table, to check that nothing was written. */
export async function countRows(t: TestApp, companyId: number, table: string): Promise<number> {
  const row = await t.inCompany(companyId, (tx) =>
    tx.row(
      sql<{ count: number }>`select count(*)::int as count from ${sql.table(table)} where company_id = ${companyId}`,
    ),
  );
  return row?.count ?? 0;
}
