import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import nodemailer from 'nodemailer';
import { makeFolder, requireWritable } from '@evenkeel/postgres/folder';
import type { Config } from '../config.ts';
import { now } from '../clock.ts';
import { requireNoTransaction } from '../waits.ts';

/** The kind of the jobs that send e-mails. */
export const LETTER = 'letter';

/** One e-mail to one person. */
export interface Message {
  to: string;
  subject: string;
  text: string;
  html: string;
  /** The link in it, printed to the terminal when there is no SMTP server. */
  link: string | undefined;
  /** The name beside the address of MAIL_FROM. */
  fromName?: string;
  replyTo?: string;
  /** Everybody whom it names, where it is one of several copies. */
  shown?: { to: readonly string[]; cc: readonly string[] };
  attachments?: readonly { name: string; bytes: Uint8Array }[];
  /** Tells it from all others, tried again too: letters, digits, dots and hyphens. */
  id?: string;
  /**
   * Called once, just before its last bytes leave; until then nothing was handed over, behind it an answer alone tells
   * whether it arrived. It is not handed over where this throws.
   */
  beforeHandover?: () => Promise<void>;
}

export interface Mailer {
  /** Hands an e-mail over and answers what the mail server said. Throws MailRefused for a refusal in its words. */
  send(message: Message): Promise<string>;
}

/** The mail server said no; `isFinal` when it will not say yes later. */
export class MailRefused extends Error {
  readonly isFinal: boolean;
  constructor(answer: string, isFinal: boolean) {
    super(answer);
    this.name = 'MailRefused';
    this.isFinal = isFinal;
  }
}

type MailSettings = Pick<Config, 'smtpUrl' | 'mailFrom' | 'mailDir'>;

/** Throws one line that names MAIL_DIR when e-mails should be files and cannot be: at start, not later. */
export async function requireOutbox({ smtpUrl, mailDir }: MailSettings): Promise<void> {
  if (smtpUrl !== undefined) return;
  await makeFolder('MAIL_DIR', mailDir, 0o700);
  await requireWritable('MAIL_DIR', mailDir);
}

type Announce = (title: string, link: string) => void;

/** By SMTP_URL, else one JSON file per message in MAIL_DIR, with the links handed to `announce`. */
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

/** A line break in a header would begin another one. One recipient, so no list either. */
function refuseForgery({ to, subject, replyTo, fromName = '', shown, id = '' }: Message): void {
  const hasControl = (value: string): boolean =>
    [...value].some((character) => character < ' ' || character === '\u007f');
  const addresses = [to, ...(replyTo === undefined ? [] : [replyTo]), ...(shown?.to ?? []), ...(shown?.cc ?? [])];
  const isForged = [subject, fromName, ...addresses].some(hasControl) || addresses.some((one) => /[,;<>\s]/.test(one));
  if (isForged || !/^[\w.-]*$/.test(id)) {
    throw new Error('the email has an address or a subject that a header cannot contain');
  }
}

/** A connection for one e-mail, whose content is not read before the server has asked for it. */
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

/** Longest for one e-mail, shorter than a job is leased to its worker. */
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

/** The name and the address of "Books <books@harbor.example>". */
function addressOf(mailFrom: string): { name: string; address: string } {
  const [, name = '', address = mailFrom] = /^(.*)<([^<>]+)>\s*$/.exec(mailFrom) ?? [];
  return { name: name.trim(), address: address.trim() };
}

/** All of a message but its last byte, which waits until `before` is done. */
async function* heldBack(source: Readable, before: () => Promise<void>): AsyncGenerator<Buffer> {
  const whole = await buffer(source);
  yield whole.subarray(0, -1);
  await before();
  yield whole.subarray(-1);
}

/** A refusal in the server's words. A wrong password of SMTP_URL is the operator's to mend, so it is not final. */
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
    // One that is tried again takes its own place: it is there once.
    const name = more.id ?? `${now().toISOString().replace(/[:.]/g, '-')}-${crypto.randomUUID()}`;
    const partial = join(settings.mailDir, `.${name}.partial`);
    const attachments = more.attachments?.map(({ name: fileName, bytes }) => {
      return { name: fileName, base64: Buffer.from(bytes).toString('base64') };
    });
    const { fromName, replyTo, shown } = more;
    const content = { to, subject, text, html, fromName, replyTo, ...(shown && { shown }), attachments };
    await writeFile(partial, JSON.stringify(content, null, 2), { mode: 0o600 });
    await more.beforeHandover?.();
    // Renamed when whole: whoever reads the folder never meets half an e-mail.
    await rename(partial, join(settings.mailDir, `${name}.json`));
    if (link !== undefined) announce(`${subject} (${to})`, link);
    return 'Saved to the outbox folder';
  };
}
