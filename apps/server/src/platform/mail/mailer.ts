import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import nodemailer from 'nodemailer';
import { makeFolder, requireWritable } from '@evenkeel/postgres/folder';
import type { Config } from '../config.ts';
import { now } from '../clock.ts';
import { requireNoTransaction } from '../waits.ts';

/** The kind of job that sends emails. */
export const LETTER = 'letter';

/** An email to a single recipient. */
export interface Message {
  to: string;
  subject: string;
  text: string;
  html: string;
  /** The link in the email, which is printed to the terminal if no SMTP server is set up. */
  link: string | undefined;
  /** The sender's name, which is shown with the address from MAIL_FROM. */
  fromName?: string;
  replyTo?: string;
  /** If the email is one of several copies, all recipients that it shows. */
  shown?: { to: readonly string[]; cc: readonly string[] };
  attachments?: readonly { name: string; bytes: Uint8Array }[];
  /** Identifies the email, even if it is sent again. Contains only letters, digits, dots, and hyphens. */
  id?: string;
  /**
   * Called just before the last bytes are sent, and only once. Before this call, the mail server can't have accepted
   * the email. After this call, only the server's response indicates whether the email arrived. If this function
   * throws, the email is not sent.
   */
  beforeHandover?: () => Promise<void>;
}

export interface Mailer {
  /**
   * Sends an email and returns the mail server's response. If the server rejects the email, throws MailRefused with the
   * server's message.
   */
  send(message: Message): Promise<string>;
}

/** The error for an email that the mail server rejected. `isFinal` means that retries can't succeed. */
export class MailRefused extends Error {
  readonly isFinal: boolean;
  constructor(answer: string, isFinal: boolean) {
    super(answer);
    this.name = 'MailRefused';
    this.isFinal = isFinal;
  }
}

type MailSettings = Pick<Config, 'smtpUrl' | 'mailFrom' | 'mailDir'>;

/**
 * Checks whether emails can be written to files. If not, throws a one-line error that mentions MAIL_DIR, so that the
 * server fails at startup rather than later.
 */
export async function requireOutbox({ smtpUrl, mailDir }: MailSettings): Promise<void> {
  if (smtpUrl !== undefined) return;
  await makeFolder('MAIL_DIR', mailDir, 0o700);
  await requireWritable('MAIL_DIR', mailDir);
}

type Announce = (title: string, link: string) => void;

/**
 * Opens the mailer. It uses SMTP_URL if set. Otherwise, it writes one JSON file per message to MAIL_DIR and passes the
 * links to `announce`.
 */
export function openMailer(settings: MailSettings, announce: Announce): Mailer {
  const deliver = settings.smtpUrl === undefined ? toOutbox(settings, announce) : bySmtp(settings, settings.smtpUrl);
  return {
    send: async (message) => {
      requireNoTransaction('An email');
      refuseForgery(message);
      return deliver(message);
    },
  };
}

/**
 * A line break in a header would start another header. Each email has one recipient, so lists aren't allowed either.
 */
function refuseForgery({ to, subject, replyTo, fromName = '', shown, id = '' }: Message): void {
  const hasControl = (value: string): boolean =>
    [...value].some((character) => character < ' ' || character === '\u007f');
  const addresses = [to, ...(replyTo === undefined ? [] : [replyTo]), ...(shown?.to ?? []), ...(shown?.cc ?? [])];
  const isForged = [subject, fromName, ...addresses].some(hasControl) || addresses.some((one) => /[,;<>\s]/.test(one));
  if (isForged || !/^[\w.-]*$/.test(id)) {
    throw new Error('the email has an address or a subject that is not valid in a header');
  }
}

/** Opens a connection for one email, whose content is read only when the server requests it. */
function transportTo(smtpUrl: string, beforeHandover: Message['beforeHandover']) {
  const transport = nodemailer.createTransport({
    url: smtpUrl,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 20_000,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  if (beforeHandover === undefined) return transport;
  return transport.use('stream', ({ message }, done) => {
    const whole = message.createReadStream.bind(message);
    message.createReadStream = () => Readable.from(heldBack(whole(), beforeHandover), { objectMode: false });
    done();
  });
}

/** The time limit for one email, which is shorter than the time that a worker may keep a job. */
const LONGEST_MS = 120_000;

function bySmtp(settings: MailSettings, smtpUrl: string) {
  return async ({ to, subject, text, html, ...more }: Message): Promise<string> => {
    const { address } = addressOf(settings.mailFrom);
    const named = (each: string) => ({ name: '', address: each });
    const sent = {
      from: more.fromName === undefined ? settings.mailFrom : { name: more.fromName, address },
      to: (more.shown?.to ?? [to]).map(named),
      ...(more.shown === undefined ? {} : { cc: more.shown.cc.map(named), envelope: { from: address, to } }),
      ...(more.replyTo === undefined ? {} : { replyTo: named(more.replyTo) }),
      ...(more.id === undefined ? {} : { messageId: `<${more.id}@${address.split('@')[1] ?? 'localhost'}>` }),
      ...(more.attachments === undefined ? {} : { attachments: more.attachments.map(attached) }),
      subject,
      text,
      html,
      signal: AbortSignal.timeout(LONGEST_MS),
    };
    try {
      return (await transportTo(smtpUrl, more.beforeHandover).sendMail(sent)).response;
    } catch (error) {
      throw refusalOf(error) ?? error;
    }
  };
}

const attached = ({ name, bytes }: { name: string; bytes: Uint8Array }) => ({
  filename: name,
  content: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength),
});

/** Splits a string like "Books <books@harbor.example>" into the name and the address. */
function addressOf(mailFrom: string): { name: string; address: string } {
  const [, name = '', address = mailFrom] = /^(.*)<([^<>]+)>\s*$/.exec(mailFrom) ?? [];
  return { name: name.trim(), address: address.trim() };
}

/** Yields all bytes of a message. Waits for `before` to finish before it yields the last byte. */
async function* heldBack(source: Readable, before: () => Promise<void>): AsyncGenerator<Buffer> {
  const whole = await buffer(source);
  yield whole.subarray(0, -1);
  await before();
  yield whole.subarray(-1);
}

/**
 * Returns a rejection with the server's message. A wrong password in SMTP_URL is not final, because the operator can
 * correct it.
 */
function refusalOf(error: unknown): MailRefused | undefined {
  if (!(error instanceof Error) || !('responseCode' in error) || typeof error.responseCode !== 'number')
    return undefined;
  const isFinal = error.responseCode >= 500 && !('code' in error && error.code === 'EAUTH');
  const said = 'response' in error && typeof error.response === 'string' ? error.response : error.message;
  return new MailRefused(said, isFinal);
}

function toOutbox(settings: MailSettings, announce: Announce) {
  return async ({ to, subject, text, html, link, ...more }: Message): Promise<string> => {
    await makeFolder('MAIL_DIR', settings.mailDir, 0o700);
    // If an email is retried, its file is replaced, so that there is only one file.
    const name = more.id ?? `${now().toISOString().replace(/[:.]/g, '-')}-${crypto.randomUUID()}`;
    const partial = join(settings.mailDir, `.${name}.partial`);
    const attachments = more.attachments?.map(({ name: fileName, bytes }) => {
      return { name: fileName, base64: Buffer.from(bytes).toString('base64') };
    });
    const { fromName, replyTo, shown } = more;
    const content = { to, subject, text, html, fromName, replyTo, ...(shown && { shown }), attachments };
    await writeFile(partial, JSON.stringify(content, null, 2), { mode: 0o600 });
    await more.beforeHandover?.();
    // The file gets its name when it is complete, so that programs that read the folder never find a partial email.
    await rename(partial, join(settings.mailDir, `${name}.json`));
    if (link !== undefined) announce(`${subject} (${to})`, link);
    return 'Saved to the outbox folder';
  };
}
