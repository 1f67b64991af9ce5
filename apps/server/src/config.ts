import { join, resolve } from 'node:path';
import * as z from 'zod';

/** The operator's settings, read from the environment once at start. A bad value is one clear line. */
export interface Config {
  port: number;
  host: string;
  dataDir: string;
  databaseUrl: string | undefined;
  publicUrl: string;
  smtpUrl: string | undefined;
  mailFrom: string;
  mailDir: string;
  signUp: 'invite' | 'open';
  chatWidgetUrl: string | undefined;
  trustProxy: boolean;
  logLevel: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent';
  maxUploadMb: number;
  sessionIdleHours: number;
  sessionMaxDays: number;
  passwordMin: number;
  /** Folder with replacements of the shipped terms and privacy documents. */
  termsDir: string | undefined;
}

export class ConfigError extends Error {}

const whole = (low: number, high: number) => z.coerce.number().int().min(low).max(high);
const url = (protocol: RegExp) => z.url({ protocol }).transform((value) => value.replace(/\/+$/, ''));
const flag = z.enum(['on', 'off', 'true', 'false', '1', '0']).transform((value) => ['on', 'true', '1'].includes(value));

const Environment = z.object({
  PORT: whole(0, 65_535).default(3000),
  HOST: z.string().min(1).default('127.0.0.1'),
  DATA_DIR: z.string().min(1).default('./data'),
  DATABASE_URL: url(/^postgres(ql)?$/).optional(),
  PUBLIC_URL: url(/^https?$/).optional(),
  SMTP_URL: url(/^smtps?$/).optional(),
  MAIL_FROM: z.string().min(3).default('Evenkeel <evenkeel@localhost>'),
  MAIL_DIR: z.string().min(1).optional(),
  SIGN_UP: z.enum(['invite', 'open']).default('invite'),
  CHAT_WIDGET_URL: url(/^https?$/).optional(),
  TRUST_PROXY: flag.default(false),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  MAX_UPLOAD_MB: whole(1, 1024).default(25),
  SESSION_IDLE_HOURS: whole(1, 8760).default(12),
  SESSION_MAX_DAYS: whole(1, 365).default(30),
  PASSWORD_MIN: whole(6, 64).default(6),
  TERMS_DIR: z.string().min(1).optional(),
});

/** Environment variables → Config; throws ConfigError with one line that names the variable. Empty counts as unset. */
export function readConfig(environment: Record<string, string | undefined>): Config {
  const given = Object.fromEntries(
    Object.entries(environment).filter(([, value]) => value !== undefined && value !== ''),
  );
  const result = Environment.safeParse(given);
  if (!result.success) {
    const [issue] = result.error.issues;
    throw new ConfigError(`${String(issue?.path[0])}: ${issue?.message ?? 'not valid'}`);
  }
  const e = result.data;
  const dataDir = resolve(e.DATA_DIR);
  return {
    port: e.PORT,
    host: e.HOST,
    dataDir,
    databaseUrl: e.DATABASE_URL,
    publicUrl: e.PUBLIC_URL ?? defaultUrl(e.HOST, e.PORT),
    smtpUrl: e.SMTP_URL,
    mailFrom: e.MAIL_FROM,
    mailDir: resolve(e.MAIL_DIR ?? join(dataDir, 'outbox')),
    signUp: e.SIGN_UP,
    chatWidgetUrl: e.CHAT_WIDGET_URL,
    trustProxy: e.TRUST_PROXY,
    logLevel: e.LOG_LEVEL,
    maxUploadMb: e.MAX_UPLOAD_MB,
    sessionIdleHours: e.SESSION_IDLE_HOURS,
    sessionMaxDays: e.SESSION_MAX_DAYS,
    passwordMin: e.PASSWORD_MIN,
    termsDir: e.TERMS_DIR === undefined ? undefined : resolve(e.TERMS_DIR),
  };
}

/** A server on all interfaces is reached on this machine as localhost. */
function defaultUrl(host: string, port: number): string {
  const shown = host === '0.0.0.0' || host === '::' ? 'localhost' : host.includes(':') ? `[${host}]` : host;
  return `http://${shown}:${port}`;
}
