import * as z from 'zod';
import { sql } from 'kysely';
import type { Job, JobHandler } from '../../platform/db/jobs.ts';
import type { Tx } from '../../platform/db/tx.ts';
import type { Config } from '../../platform/config.ts';
import { newSecret } from '../../platform/http/session.ts';
import { escapeHtml, mailButton, mailPage } from '../../platform/mail/html.ts';
import { LETTER, type Mailer, type Message } from '../../platform/mail/mailer.ts';
import { retireInvitations } from './members.sql.ts';
import { insertToken, retireTokens, type TokenKind } from './tokens.sql.ts';

/**
 * The types of emails that the server sends. 'known': someone tried to register an address that has an account.
 * 'changed': the password was changed. 'factor…': two-step verification. 'passkey…': a passkey. 'recovery': a recovery
 * code was used. 'email': an address must be confirmed, or the request was canceled. 'emailChanged': sent to the
 * previous address. 'place': a new device. 'webhookPaused': a webhook was paused after too many failures.
 */
const KINDS = [
  'verify',
  'reset',
  'invite',
  'known',
  'changed',
  'factorOn',
  'factorOff',
  'factorLifted',
  'codes',
  'recovery',
  'passkeyOn',
  'passkeyOff',
  'passkeyCopied',
  'email',
  'emailChanged',
  'place',
  'webhookPaused',
] as const;
type EmailKind = (typeof KINDS)[number];

const Payload = z.object({
  letter: z.enum(KINDS),
  userId: z.number(),
  to: z.string().optional(),
  /** The user who sent the invitation. */
  invitedBy: z.number().optional(),
  /** The record that the email is about. */
  about: z.object({ id: z.number(), name: z.string() }).optional(),
});

/**
 * Returns a job that emails a user, requested by `askedBy`. The job contains no secret, because the link is created
 * when the email is sent.
 */
export function letter(kind: EmailKind, userId: number, askedBy = userId): Job {
  const invitedBy = kind === 'invite' && askedBy !== userId ? { invitedBy: askedBy } : {};
  return jobOf({ letter: kind, userId, ...invitedBy }, askedBy);
}

/** Returns a job that sends an email to a previous or future address of the user. Each address gets its own email. */
export function letterTo(to: string, kind: EmailKind, userId: number): Job {
  return jobOf({ letter: kind, userId, to }, userId);
}

/** Returns a job that informs an administrator that a webhook was paused after too many failures. */
export const webhookLetter = (userId: number, about: { id: number; name: string }): Job =>
  jobOf({ letter: 'webhookPaused', userId, about }, userId);

function jobOf(payload: z.output<typeof Payload>, askedBy: number): Job {
  const { letter: kind, userId, to, about } = payload;
  const own = [to, about?.id].filter((each) => each !== undefined);
  return { kind: LETTER, key: [kind, userId, ...own].join(' '), payload, userId: askedBy };
}

interface Wording {
  subject: string;
  text: string;
  /**
   * The page and kind of the link, the label of its button, and the name of the query parameter for its secret. Missing
   * if the email has no link.
   */
  link?: { page: string; kind: TokenKind; label: string; key?: string };
  /** The text after the link, for someone who did not request the email. */
  after?: string;
}

const NOT_YOU =
  'If this wasn\'t you, open the sign-in page, choose "Forgot Password?", and tell your administrator right away.';

const UNKNOWN_COMPANY = "If you don't know this company, you can ignore this email.";

const wordings: Record<EmailKind | 'emailDropped' | 'join', Wording> = {
  verify: {
    subject: 'Confirm your email address',
    text:
      'This email address was used to register with Evenkeel. To confirm it, open this link within ' + '60 minutes:',
    link: { page: '/verify-email', kind: 'verify', label: 'Confirm Email Address' },
    after: "If this wasn't you, you can ignore this email.",
  },
  reset: {
    subject: 'Reset your password',
    text: 'Someone asked to reset your password. To choose a new one, open this link within 60 minutes:',
    link: { page: '/reset-password', kind: 'reset', label: 'Choose a New Password' },
    after: "If this wasn't you, you can ignore this email. Your password stays the same.",
  },
  invite: {
    subject: '{inviter} invited you to {company}',
    text: "{inviter} has invited you to work on {company}'s books in Evenkeel. To join, open this link within 7 days:",
    link: { page: '/register', kind: 'invite', label: 'Join {company}' },
    after: UNKNOWN_COMPANY,
  },
  join: {
    subject: '{inviter} invited you to {company}',
    text:
      "{inviter} has invited you to work on {company}'s books in Evenkeel. You already have an account. To accept, " +
      'open this link within 7 days and sign in:',
    link: { page: '/login', kind: 'join', label: 'Accept Invitation', key: 'join' },
    after: UNKNOWN_COMPANY,
  },
  known: {
    subject: 'You already have an account',
    text:
      'Someone tried to create another account with this email address, but you already have an ' +
      'account. If you forgot your password, open the sign-in page and choose "Forgot Password?".',
  },
  changed: {
    subject: 'Your password was changed',
    text:
      "Your password was changed, and you were signed out on all other devices. If this wasn't " +
      'you, open the sign-in page, choose "Forgot Password?", and tell your administrator right ' +
      'away.',
  },
  email: {
    subject: 'Confirm your new email address',
    text:
      'Someone asked to use this email address to sign in to Evenkeel. To confirm it, open ' +
      'this link within 60 minutes:',
    link: { page: '/verify-email', kind: 'email', label: 'Confirm Email Address' },
    after: "If this wasn't you, you can ignore this email.",
  },
  emailDropped: {
    subject: 'Your email address was not changed',
    text:
      'Someone asked to use this address to sign in to Evenkeel, but then canceled the change or ' +
      "chose another address. You don't need to do anything.",
  },
  emailChanged: {
    subject: 'Your email address was changed',
    text:
      'The email address for your account was changed. You can no longer sign in with this address, ' +
      "and this is the last email we send to it. If this wasn't you, tell your administrator right " +
      'away.',
  },
  place: {
    subject: 'New sign-in to your account',
    text:
      'Someone signed in to your account from a new device and network. To see where you are ' +
      `signed in, or to sign out on other devices, open your account page. ${NOT_YOU}`,
  },
  webhookPaused: {
    subject: 'A webhook was paused',
    text:
      "{company}'s webhook {about} was paused because its last 100 deliveries failed. New events are stored for " +
      '30 days. Fix the receiver, and then resume the webhook on the Webhooks page.',
  },
  factorOn: {
    subject: 'Two-step verification is on',
    text:
      'Two-step verification was turned on for your account, and you were signed out on all other ' +
      `devices. ${NOT_YOU}`,
  },
  factorOff: {
    subject: 'Two-step verification is off',
    text:
      'Two-step verification was turned off for your account, and you were signed out on all other ' +
      `devices. You now sign in with your password only. ${NOT_YOU}`,
  },
  factorLifted: {
    subject: 'Two-step verification was removed',
    text:
      'An administrator removed two-step verification from your account, and you were signed out ' +
      'on all devices. You now sign in with your password only. You can set it up again on your ' +
      "account page. If you didn't ask for this, tell your administrator right away.",
  },
  codes: {
    subject: 'You have new recovery codes',
    text:
      'New recovery codes were created for your account, and you were signed out on all other ' +
      'devices. Your old codes no longer work. ' +
      NOT_YOU,
  },
  passkeyOn: {
    subject: 'A passkey was added',
    text:
      'A passkey was added to your account, and you were signed out on all other devices. You can ' +
      'now sign in with just the passkey. If you sign in with your password, you are also asked for ' +
      `the passkey. ${NOT_YOU}`,
  },
  passkeyOff: {
    subject: 'A passkey was removed',
    text: 'A passkey was removed from your account, and you were signed out on all other devices. ' + NOT_YOU,
  },
  passkeyCopied: {
    subject: 'A passkey was rejected',
    text:
      'We rejected a sign-in with one of your passkeys because the passkey may have been copied. ' +
      `Remove it on your account page and add a new one. ${NOT_YOU}`,
  },
  recovery: {
    subject: 'A recovery code was used',
    text:
      'A recovery code was used to sign in to your account. That code no longer works. To see how ' +
      `many codes you have left or to create new ones, open your account page. ${NOT_YOU}`,
  },
};

/** Returns a link to this installation. For security, it is built only from PUBLIC_URL and never from client input. */
export function linkTo(config: Config, page: string, query: Record<string, string>): string {
  return `${config.publicUrl}${page}?${new URLSearchParams(query).toString()}`;
}

/**
 * Returns the job handler for 'letter', which sends one email. Deleted users get no email. The link is committed before
 * the email is sent, so that it works immediately.
 */
export function letterSender(config: Config, mailer: Mailer): JobHandler {
  return async (tx, payload) => {
    const { letter: kind, userId, to, invitedBy, about } = Payload.parse(payload);
    const user = await tx.row(sql<Recipient>`
      select u.email, u.new_email as "newEmail", coalesce(m.first_name, u.first_name) as "firstName",
        m.company_name as "companyName", u.password_hash is not null as "isRegistered",
        coalesce((select trim(i.first_name || ' ' || i.last_name) from app_user i where i.id = ${invitedBy ?? 0}), '')
          as inviter
      from app_user u join membership m on m.user_id = u.id and m.company_id = ${tx.companyId}
      where u.id = ${userId} for no key update of u`);
    if (user === undefined) return;
    const email = to ?? user.email;
    const wording = wordings[wordingOf(kind, { ...user, email })];
    const token = wording.link && (await makeToken(tx, { kind: wording.link.kind, userId, email }));
    const { key = 'token' } = wording.link ?? {};
    const link = wording.link && token && linkTo(config, wording.link.page, { [key]: token, email });
    const button = link && wording.link && mailButton(link, named(wording.link.label, { ...user, about: '' }));
    const recipient = { ...user, email, about: about?.name ?? '' };
    return async () => void (await mailer.send(compose(recipient, wording, { link, button })));
  };
}

interface Recipient {
  email: string;
  newEmail: string | null;
  firstName: string;
  companyName: string;
  /** The name of the user who sent the invitation, or an empty string. */
  inviter: string;
  isRegistered: boolean;
}

interface Named extends Pick<Recipient, 'companyName' | 'inviter'> {
  about: string;
}

/** Chooses the text according to the user's status when the email is sent. */
function wordingOf(kind: EmailKind, { newEmail, email, isRegistered }: Recipient): keyof typeof wordings {
  if (kind === 'email' && newEmail !== email) return 'emailDropped';
  return kind === 'invite' && isRegistered ? 'join' : kind;
}

/**
 * Creates a token of this kind. Only the newest reset, email confirmation, or company invitation link works. The user's
 * row is locked.
 */
async function makeToken(
  tx: Tx,
  { kind, userId, email }: { kind: TokenKind; userId: number; email: string },
): Promise<string> {
  const secret = newSecret();
  const isInvitation = kind === 'invite' || kind === 'join';
  if (kind === 'reset' || kind === 'email') await tx.rows(retireTokens(userId, [kind]));
  if (isInvitation) await tx.rows(retireInvitations(userId, tx.companyId));
  const about = { ...(kind === 'email' && { newEmail: email }), ...(isInvitation && { joinsCompanyId: tx.companyId }) };
  await tx.rows(insertToken(kind, secret, userId, about));
  return secret;
}

interface Link {
  link: string | undefined;
  /** The link in HTML format. */
  button: string | undefined;
}

/** Fills in the company, the user who sent the invitation, and the record that the email is about. */
const named = (text: string, { companyName, inviter, about }: Named): string =>
  text
    .replace('{inviter}', () => inviter || 'An administrator')
    .replace('{company}', () => companyName)
    .replace('{about}', () => about);

function compose(user: Recipient & Named, wording: Wording, { link, button }: Link): Message {
  const greeting = user.firstName === '' ? 'Hello,' : `Hello ${user.firstName},`;
  const words = named(wording.text, user);
  const after = wording.after === undefined ? [] : [wording.after];
  const paragraphs = [greeting, words, ...(link === undefined ? [] : [link]), ...after, 'Evenkeel'];
  const html = [greeting, words, ...after].map(escapeHtml);
  if (button !== undefined) html.splice(2, 0, button);
  return {
    to: user.email,
    // A line break in a name could add another header to the email.
    subject: named(wording.subject, user).replace(/\s+/g, ' '),
    text: `${paragraphs.join('\n\n')}\n`,
    html: mailPage('Evenkeel', html),
    link,
  };
}
