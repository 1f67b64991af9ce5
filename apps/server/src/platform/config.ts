import { join, resolve } from 'node:path';
import * as z from 'zod';

/**
 * The operator's settings, which the server reads from the environment at startup. An invalid value causes a one-line
 * error.
 */
export interface Config {
  port: number;
  host: string;
  dataDir: string;
  /**
   * The key that encrypts values at rest (platform/db/box.ts). If undefined, the key file in the data directory is
   * used.
   */
  secretKey: Buffer | undefined;
  databaseUrl: string | undefined;
  publicUrl: string;
  smtpUrl: string | undefined;
  mailFrom: string;
  mailDir: string;
  signUp: 'invite' | 'open';
  chatWidgetUrl: string | undefined;
  trustProxy: boolean;
  /** If undefined, these two settings are chosen based on the log's destination. See terminal.ts. */
  logLevel: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent' | undefined;
  logFormat: 'pretty' | 'json' | undefined;
  maxUploadMb: number;
  /**
   * The number of seconds after the stop signal during which new connections are accepted, so that a proxy's health
   * checks notice the stop.
   */
  drainSeconds: number;
  /** The socket that systemd created and passed to the server. It is used instead of the host and port. */
  socket: number | undefined;
  sessionIdleHours: number;
  sessionMaxDays: number;
  passwordMin: number;
  /** The users who must use two-step verification in every company. With `company`, each company decides. */
  secondFactor: 'company' | 'administrators' | 'everybody';
  /** The address of the ClamAV daemon that scans files before they are stored. */
  virusScan: { host: string; port: number } | { path: string } | undefined;
  /**
   * The address that serves /metrics: the server's own address, a separate address, or none. `auto` means the server's
   * own address, but only for requests from this machine.
   */
  metrics: 'auto' | 'on' | 'off' | { host: string; port: number };
  /**
   * Whether webhooks can use private addresses, and unencrypted connections to this machine. Otherwise, users could
   * reach programs in the operator's network.
   */
  webhookPrivateTargets: boolean;
  /** The address of Stripe's API. Tests point it at a fake server, and an operator can point it at a proxy. */
  stripeApiUrl: string;
  /** The folder with replacements for the built-in terms and privacy documents. */
  termsDir: string | undefined;
}

export class ConfigError extends Error {}

// Only digits are accepted. JavaScript would also convert values such as "0x50" and "8e1" to numbers, but the operator
// may not have intended that.
const whole = (low: number, high: number) =>
  z
    .string()
    .refine(
      (value) => /^\d{1,9}$/.test(value) && Number(value) >= low && Number(value) <= high,
      `must be a whole number from ${low} to ${high}`,
    )
    .transform(Number);
const hasNoControl = (value: string): boolean => ![...value].some((each) => each < ' ' || each === '\u007f');
const text = () => z.string().refine(hasNoControl, 'must be one line without control characters');
const oneOf = <const T extends readonly [string, ...string[]]>(...words: T) =>
  z.enum(words, `must be one of ${words.join(', ')}`);
const url = (protocols: string, host = '[^\\s/]') =>
  text()
    .refine(
      (value) => new RegExp(`^(${protocols})://${host}\\S*$`).test(value) && URL.canParse(value),
      `must be a URL that begins with ${protocols.replace('|', ':// or ')}://`,
    )
    .transform((value) => value.replace(/\/+$/, ''));
/** Accepts a base URL for links. Rejects a URL with a query, a fragment, or credentials. */
const isBase = (value: string): boolean => {
  const { search, hash, username, password } = new URL(value);
  return `${search}${hash}${username}${password}` === '' && !/[?#]/.test(value);
};
/** A sender in the format of an email header: `books@harbor.example`, `<…>`, or `Name <…>`. */
const sender = /^(?:[^<>]*<[^\s<>@,;"]+@[^\s<>@,;"]+>|[^\s<>@,;"]+@[^\s<>@,;"]+)$/;
const flag = oneOf('on', 'off', 'true', 'false', '1', '0').transform((value) => ['on', 'true', '1'].includes(value));

/** `HOST:PORT`. An IPv6 address must be in brackets. */
const address = /^(?:\[([\da-f:.%\w]+)\]|([\w.-]+)):(\d{1,5})$/i;
const place = text()
  .refine((value) => {
    const port = Number(address.exec(value)?.[3]);
    return value === 'on' || value === 'off' || (port >= 0 && port <= 65_535);
  }, 'must be on, off, or an address such as 127.0.0.1:9100')
  .transform((value) => {
    const [, six, four, port] = address.exec(value) ?? [];
    if (port === undefined) return value === 'off' ? ('off' as const) : ('on' as const);
    return { host: six ?? four ?? '', port: Number(port) };
  });

/** The `HOST:PORT` of a scanner, or the path of its socket. */
const scanner = text()
  .refine(
    (value) => value.startsWith('/') || Number(address.exec(value)?.[3]) <= 65_535,
    'must be an address such as 127.0.0.1:3310, or the path of a socket',
  )
  .transform((value) => {
    const [, six, four, port] = address.exec(value) ?? [];
    return port === undefined ? { path: value } : { host: six ?? four ?? '', port: Number(port) };
  });

/** A 32-byte key, encoded as 64 hexadecimal digits or in base64. */
const key = z
  .string()
  .refine((value) => keyOf(value) !== undefined, 'must be 32 bytes, encoded as 64 hexadecimal digits or in Base64')
  .transform(keyOf);

/** Parses a key in the format of SECRET_KEY. Returns undefined if it isn't a key. */
export function keyOf(value: string): Buffer | undefined {
  if (/^[\da-f]{64}$/i.test(value)) return Buffer.from(value, 'hex');
  return /^[\w+/-]{43}=?$/.test(value) ? Buffer.from(value, 'base64') : undefined;
}

/** The number of the first file descriptor that systemd passes to the server (sd_listen_fds). */
const FIRST_SOCKET = 3;

const Environment = z.object({
  PORT: whole(0, 65_535).default(3000),
  HOST: z
    .string()
    .regex(/^[\w.:%-]+$/, 'must be a host name or an IP address')
    .default('127.0.0.1'),
  DATA_DIR: text().default('./data'),
  SECRET_KEY: key.optional(),
  DATABASE_URL: url('postgres|postgresql', '').optional(),
  PUBLIC_URL: url('http|https')
    .refine(isBase, 'must contain only a scheme and a host, such as https://books.example')
    .optional(),
  SMTP_URL: url('smtp|smtps').optional(),
  MAIL_FROM: text()
    .regex(sender, 'must be one address, such as "Books <books@example.com>"')
    .default('Evenkeel <evenkeel@localhost>'),
  MAIL_DIR: text().optional(),
  SIGN_UP: oneOf('invite', 'open').default('invite'),
  CHAT_WIDGET_URL: url('http|https').optional(),
  TRUST_PROXY: flag.default(false),
  LOG_LEVEL: oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent').optional(),
  LOG_FORMAT: oneOf('pretty', 'json').optional(),
  MAX_UPLOAD_MB: whole(1, 1024).default(25),
  DRAIN_SECONDS: whole(0, 300).default(0),
  LISTEN_FDS: whole(0, 16).default(0),
  LISTEN_PID: whole(0, 999_999_999).optional(),
  SESSION_IDLE_HOURS: whole(1, 8760).default(12),
  SESSION_MAX_DAYS: whole(1, 365).default(30),
  PASSWORD_MIN: whole(6, 64).default(6),
  SECOND_FACTOR: oneOf('company', 'administrators', 'everybody').default('company'),
  VIRUS_SCAN: scanner.optional(),
  METRICS: place.optional(),
  WEBHOOK_PRIVATE_TARGETS: flag.default(false),
  STRIPE_API_URL: url('http|https')
    .refine(isBase, 'must contain only a scheme and a host, such as https://api.stripe.com')
    .default('https://api.stripe.com'),
  TERMS_DIR: text().optional(),
});

/**
 * Converts environment variables to a Config. An empty variable counts as unset. Throws a one-line ConfigError with the
 * name of the variable.
 */
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
    secretKey: e.SECRET_KEY,
    databaseUrl: e.DATABASE_URL,
    publicUrl: e.PUBLIC_URL ?? defaultUrl(e.HOST, e.PORT),
    smtpUrl: e.SMTP_URL,
    mailFrom: e.MAIL_FROM,
    mailDir: resolve(e.MAIL_DIR ?? join(dataDir, 'outbox')),
    signUp: e.SIGN_UP,
    chatWidgetUrl: e.CHAT_WIDGET_URL,
    trustProxy: e.TRUST_PROXY,
    logLevel: e.LOG_LEVEL,
    logFormat: e.LOG_FORMAT,
    maxUploadMb: e.MAX_UPLOAD_MB,
    drainSeconds: e.DRAIN_SECONDS,
    // Ignores a socket that is intended for another process, such as npm or a shell.
    socket: e.LISTEN_FDS > 0 && e.LISTEN_PID === process.pid ? FIRST_SOCKET : undefined,
    sessionIdleHours: e.SESSION_IDLE_HOURS,
    sessionMaxDays: e.SESSION_MAX_DAYS,
    passwordMin: e.PASSWORD_MIN,
    secondFactor: e.SECOND_FACTOR,
    virusScan: e.VIRUS_SCAN,
    metrics: e.METRICS ?? 'auto',
    webhookPrivateTargets: e.WEBHOOK_PRIVATE_TARGETS,
    stripeApiUrl: e.STRIPE_API_URL,
    termsDir: e.TERMS_DIR === undefined ? undefined : resolve(e.TERMS_DIR),
  };
}

/**
 * Returns localhost for a server that listens on all interfaces, because this machine can reach the server by that
 * name.
 */
function defaultUrl(host: string, port: number): string {
  const shown = host === '0.0.0.0' || host === '::' ? 'localhost' : host.includes(':') ? `[${host}]` : host;
  return `http://${shown}:${port}`;
}
