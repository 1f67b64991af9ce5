import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import nodemailer from 'nodemailer';
import { makeFolder, requireWritable } from '@evenkeel/postgres/folder';
import type { Config } from '../config.ts';
import { now } from '../clock.ts';

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
}

export interface Mailer {
  send(message: Message): Promise<void>;
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
      refuseForgery(message);
      await deliver(message);
    },
  };
}

/** A line break in a header would begin another one. One recipient, so no list either. */
function refuseForgery({ to, subject }: Message): void {
  const hasControl = (value: string): boolean =>
    [...value].some((character) => character < ' ' || character === '\u007f');
  if (hasControl(to) || hasControl(subject) || /[,;<>\s]/.test(to)) {
    throw new Error('the e-mail has an address or a subject that no header may hold');
  }
}

function bySmtp(settings: MailSettings, smtpUrl: string) {
  const transport = nodemailer.createTransport({
    url: smtpUrl,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 20_000,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return async ({ to, subject, text, html }: Message): Promise<void> => {
    await transport.sendMail({ from: settings.mailFrom, to: { name: '', address: to }, subject, text, html });
  };
}

function toOutbox(settings: MailSettings, announce: Announce) {
  return async ({ to, subject, text, html, link }: Message): Promise<void> => {
    await makeFolder('MAIL_DIR', settings.mailDir, 0o700);
    const name = `${now().toISOString().replace(/[:.]/g, '-')}-${crypto.randomUUID()}`;
    const partial = join(settings.mailDir, `.${name}.partial`);
    await writeFile(partial, JSON.stringify({ to, subject, text, html }, null, 2), { mode: 0o600 });
    // Renamed when whole: whoever reads the folder never meets half an e-mail.
    await rename(partial, join(settings.mailDir, `${name}.json`));
    if (link !== undefined) announce(`${subject} (${to})`, link);
  };
}
