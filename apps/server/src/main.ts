import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { buildApp } from './app/app.ts';
import { firstStartLink } from './across/auth/first-start.ts';
import { loadLegal } from './across/auth/legal.ts';
import { warmPasswords } from './across/auth/passwords.ts';
import { reach } from './app/cli/database.ts';
import { type Config, ConfigError, readConfig } from './platform/config.ts';
import { KeyError, openBox } from './platform/db/box.ts';
import { tablesToSpread } from './platform/db/citus.ts';
import { type Connection, openPool, type Pool, SERVER_NAME } from './platform/db/connect.ts';
import { openInstallationBox } from './platform/db/key-mark.ts';
import { DatabaseInUse } from '@evenkeel/postgres/embedded';
import { migrate, MigrationError } from './platform/db/migrate.ts';
import { installation } from './platform/db/tx.ts';
import { productionTuning, type Services } from './platform/http/context.ts';
import { serveMetrics } from './platform/http/operations.ts';
import { openPseudonyms } from './platform/http/security-log.ts';
import { keepOperatorRule } from './platform/http/session.ts';
import { openMailer, requireOutbox } from './platform/mail/mailer.ts';
import { openTerminal } from './app/terminal.ts';
import { startWorker } from './app/worker.ts';
import { closeReader } from './across/moving/reader.ts';
import { reader } from './features/banking/reader.ts';
import { printer } from './platform/pdf/printer.ts';

const DRAIN_MS = 7000;
const GIVE_UP_MS = 9500;
/** The time limit for statements in health checks and imports, which can take a long time. */
const HOUR_MS = 3_600_000;

let isEnding = false;
/** Announces that the program is stopping, and waits until proxies and clients have had time to notice. */
let leave = async (): Promise<void> => undefined;
/** Ends the wait in `leave`. Called on a second signal. */
let hurry = (): void => undefined;
const hurried = new Promise<void>((resolve) => {
  hurry = resolve;
});

/** The functions that stop the parts that were started, in the order in which they run. */
const endings: (() => Promise<unknown>)[] = [];

function openRuntimePool(connection: Connection, log: Logger): Pool {
  const pool = openPool({ connection, as: 'runtime', name: SERVER_NAME });
  const warnOfLoss = (error: Error): void => log.warn({ reason: error.message }, 'lost a database connection');
  pool.on('error', warnOfLoss);
  return pool;
}

async function start(): Promise<void> {
  const config = readConfig(process.env);
  const { log, say, announce, welcome } = openTerminal(config, process.stdout);
  const legal = await loadLegal(config.termsDir);
  // An invalid key file causes an error before the database starts.
  openBox(config);
  const { connection, books, stop } = await reach(config, 'server', say);
  endings.unshift(stop);
  await requireOutbox(config);
  for (const name of await migrate(connection)) log.info({ migration: name }, 'migration applied');
  const whole = await tablesToSpread(connection);
  if (whole.length > 0) log.warn({ tables: whole }, 'tables are not distributed yet. Run evenkeel distribute');
  const pool = openRuntimePool(connection, log);
  endings.unshift(() => pool.end());
  const box = await openInstallationBox(config, pool);
  await installation(pool, keepOperatorRule(config));
  const pseudonym = await openPseudonyms(pool);
  const services: Services = { pool, config, box, log, pseudonym, legal, tuning: productionTuning };
  const app = await buildApp(services);
  if (typeof config.metrics === 'object') {
    const apart = await serveMetrics(app, config.metrics).catch((error: unknown) => {
      const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
      throw new ConfigError(`METRICS: cannot listen on this address (${code})`);
    });
    endings.unshift(apart.close);
  }
  endings.unshift(() => Promise.all([printer.close(), reader.close(), closeReader()]));
  endings.unshift(() => drain(app));
  leave = async () => {
    app.leaving.begun = true;
    await Promise.race([sleep(config.drainSeconds * 1000), hurried]);
  };
  await app.listen(placeOf(config));
  if (config.port === 0) config.publicUrl = config.publicUrl.replace(/:0$/, `:${portOf(app)}`);
  // The server must survive the loss of its database even at this point. The link is offered again at the next start.
  const firstLink = await firstStartLink(services).catch((error: unknown) =>
    log.warn({ err: error }, 'could not create the first-start link'),
  );
  welcome({ url: config.publicUrl, books }, firstLink ?? undefined);
  const patient = openPool({
    connection,
    as: 'runtime',
    max: 4,
    patience: { statementMs: HOUR_MS, answerMs: HOUR_MS },
  });
  endings.unshift(async () => void patient.end());
  endings.unshift(startWorker(services, openMailer(config, announce), patient));
  // Loading these modules takes a long time, so it happens after the first page is served, but before the first PDF is
  // drawn.
  await Promise.all([warmPasswords(services.tuning.passwordCost), printer.warm()]).catch((error: unknown) => {
    if (!isEnding) log.warn({ err: error }, 'could not warm up the caches for the first request');
  });
}

/**
 * Returns the socket that systemd keeps open across restarts. Without such a socket, the server listens on its own host
 * and port.
 */
function placeOf({ socket, host, port }: Config): { host: string; port: number } {
  // Without the host, the framework would also listen on a second address. A socket from systemd already has its
  // address.
  return { host, port, ...(socket === undefined ? {} : { fd: socket }) };
}

/** Returns the port that the system assigned for PORT=0. */
function portOf(app: FastifyInstance): number {
  const address = app.server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

/**
 * Waits, up to a time limit, until requests in progress get their responses. Connections that stay open don't delay the
 * shutdown.
 */
async function drain(app: FastifyInstance): Promise<void> {
  const timer = setTimeout(() => app.server.closeAllConnections(), DRAIN_MS);
  // A connection that was busy when the shutdown began is idle after its response, and would otherwise be kept open.
  const sweep = setInterval(() => app.server.closeIdleConnections(), 50);
  await app.close().finally(() => [timer, sweep].forEach(clearTimeout));
}

async function end(code: number): Promise<void> {
  if (isEnding) return hurry();
  isEnding = true;
  await leave();
  setTimeout(() => process.exit(1), GIVE_UP_MS).unref();
  for (const ending of endings) await ending().catch(() => undefined);
  process.exit(code);
}

/** Returns a one-line message for errors that the operator can fix. */
function explain(error: unknown): string {
  const told = [ConfigError, KeyError, DatabaseInUse, MigrationError];
  if (error instanceof Error && told.some((kind) => error instanceof kind)) return error.message;
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  const port = process.env['PORT'] ?? '3000';
  if (code === 'EADDRINUSE')
    return `Port ${port} is already in use. Stop the other program or set PORT to a different port`;
  if (code === 'EACCES') return `Permission denied for port ${port} or the data directory`;
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return 'The host name in HOST or DATABASE_URL could not be found';
  return error instanceof Error ? error.message || String(code) : String(error);
}

process.on('SIGTERM', () => void end(0));
process.on('SIGINT', () => void end(0));
try {
  await start();
} catch (error) {
  process.stderr.write(`Evenkeel could not start: ${explain(error)}\n`);
  await end(1);
}
