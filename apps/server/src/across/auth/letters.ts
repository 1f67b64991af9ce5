import * as z from 'zod';
import { sql } from 'kysely';
import type { Job, JobHandler } from '../../platform/db/jobs.ts';
import type { Tx } from '../../platform/db/tx.ts';
import type { Config } from '../../platform/config.ts';
import { newSecret } from '../../platform/http/session.ts';
import { escapeHtml } from '../../platform/mail/html.ts';
import { LETTER, type Mailer, type Message } from '../../platform/mail/mailer.ts';
import { retireInvitations } from './members.sql.ts';
import { insertToken, retireTokens, type TokenKind } from './tokens.sql.ts';

/**
 * The kinds of e-mail that the server sends. 'known': somebody tried to register with an address that has an account;
 * 'changed': the password was changed; 'factor…': the second factor; 'passkey…': a passkey; 'recovery': a recovery
 * code was used; 'email': to an address that is to be confirmed, or that is not waited for any more; 'emailChanged':
 * to the one of before; 'place': a new device.
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
] as const;
type LetterKind = (typeof KINDS)[number];

const Payload = z.object({ letter: z.enum(KINDS), userId: z.number(), to: z.string().optional() });

/**
 * The job that writes to a user, in the name of the person who asks for it. It holds no secret: the link is made when
 * the e-mail is sent.
 */
export function letter(kind: LetterKind, userId: number, askedBy = userId): Job {
  return jobOf({ letter: kind, userId }, askedBy);
}

/** A letter to an address that the user has no more, or not yet: each address gets its own. */
export function letterTo(to: string, kind: LetterKind, userId: number): Job {
  return jobOf({ letter: kind, userId, to }, userId);
}

function jobOf(payload: z.output<typeof Payload>, askedBy: number): Job {
  const { letter: kind, userId, to } = payload;
  return { kind: LETTER, key: [kind, userId, ...(to === undefined ? [] : [to])].join(' '), payload, userId: askedBy };
}

interface Wording {
  subject: string;
  text: string;
  /** Page and kind of the link, and the name of its secret; absent when the e-mail has none. */
  link?: { page: string; kind: TokenKind; key?: string };
}

const NOT_YOU =
  'If it was not you, open the sign-in page, choose "Forgot Password?" and tell your administrator at once.';

const wordings: Record<LetterKind | 'emailDropped' | 'join', Wording> = {
  verify: {
    subject: 'Confirm your e-mail address',
    text: 'Open this link within 60 minutes to confirm your e-mail address:',
    link: { page: '/verify-email', kind: 'verify' },
  },
  reset: {
    subject: 'Reset your password',
    text:
      'Somebody asked to reset your password. If it was not you, nothing needs to be done. Open this link within 60 ' +
      'minutes to choose a new one:',
    link: { page: '/reset-password', kind: 'reset' },
  },
  invite: {
    subject: 'You are invited to the books',
    text: 'You have been invited to Evenkeel. Open this link within 7 days to register:',
    link: { page: '/register', kind: 'invite' },
  },
  join: {
    subject: 'You are invited to further books',
    text:
      '{company} has invited you to its books in Evenkeel, and you have an account already. Open this link within 7 ' +
      'days and sign in to accept. If you do not know this company, nothing needs to be done:',
    link: { page: '/login', kind: 'join', key: 'join' },
  },
  known: {
    subject: 'You already have an account',
    text:
      'Somebody tried to use this e-mail address for another account, and it has one. If you forgot your password, ' +
      'open the sign-in page and choose "Forgot Password?".',
  },
  changed: {
    subject: 'Your password was changed',
    text:
      'The password of your account was changed, and all other devices were signed out. If it was not you, open the ' +
      'sign-in page, choose "Forgot Password?" and tell your administrator at once.',
  },
  email: {
    subject: 'Confirm your new e-mail address',
    text: 'Open this link within 60 minutes to sign in to Evenkeel with this address from now on:',
    link: { page: '/verify-email', kind: 'email' },
  },
  emailDropped: {
    subject: 'Your address was not taken',
    text:
      'Somebody asked to sign in to Evenkeel with this address, and dropped it or chose another one before this ' +
      'e-mail left. Nothing needs to be done.',
  },
  emailChanged: {
    subject: 'Your e-mail address was changed',
    text:
      'The e-mail address of your account was changed: this one signs in no more, and no further letter comes to it. ' +
      'If it was not you, tell your administrator at once.',
  },
  place: {
    subject: 'A sign-in from a new device',
    text:
      'Your account was signed in from a device and a network that it did not know. Your account page shows where ' +
      `you are signed in, and ends sessions. ${NOT_YOU}`,
  },
  factorOn: {
    subject: 'Your second factor is on',
    text: `The second factor of your account was turned on, and all other devices were signed out. ${NOT_YOU}`,
  },
  factorOff: {
    subject: 'Your second factor is off',
    text:
      'The second factor of your account was turned off, and all other devices were signed out. The password alone ' +
      `signs in now. ${NOT_YOU}`,
  },
  factorLifted: {
    subject: 'Your second factor was removed',
    text:
      'An administrator removed the second factor of your account, and all devices were signed out. The password ' +
      'alone signs in now; you can set up another one on your account page. If you did not ask for it, tell your ' +
      'administrator at once.',
  },
  codes: {
    subject: 'You have new recovery codes',
    text:
      'New recovery codes were made for your account, and all other devices were signed out; the old ones are void. ' +
      NOT_YOU,
  },
  passkeyOn: {
    subject: 'A passkey was added',
    text:
      'A passkey was added to your account, and all other devices were signed out. It signs in alone, and is asked ' +
      `for after the password. ${NOT_YOU}`,
  },
  passkeyOff: {
    subject: 'A passkey was removed',
    text: `A passkey of your account was removed, and all other devices were signed out. ${NOT_YOU}`,
  },
  passkeyCopied: {
    subject: 'A passkey was refused',
    text:
      'A passkey of your account was refused: it has counted fewer uses than before, as a copy of it would. Please ' +
      `remove it on your account page, and add a new one. ${NOT_YOU}`,
  },
  recovery: {
    subject: 'A recovery code was used',
    text:
      'A recovery code of your account was used, and works no more. Your account page says how many are left, and ' +
      `makes new ones. ${NOT_YOU}`,
  },
};

/** A link of this installation; never built from anything a client sent (security: PUBLIC_URL only). */
export function linkTo(config: Config, page: string, query: Record<string, string>): string {
  return `${config.publicUrl}${page}?${new URLSearchParams(query).toString()}`;
}

/**
 * Sends one e-mail: the job handler of kind 'letter'. A user who is gone gets none. It leaves when its link is
 * committed, not before: who opens it at once finds a link that works.
 */
export function letterSender(config: Config, mailer: Mailer): JobHandler {
  return async (tx, payload) => {
    const { letter: kind, userId, to } = Payload.parse(payload);
    const user = await tx.row(sql<Recipient>`
      select u.email, u.new_email as "newEmail", coalesce(m.first_name, u.first_name) as "firstName",
        m.company_name as "companyName", u.password_hash is not null as "isRegistered"
      from app_user u join membership m on m.user_id = u.id and m.company_id = ${tx.companyId}
      where u.id = ${userId} for no key update of u`);
    if (user === undefined) return;
    const email = to ?? user.email;
    const wording = wordings[wordingOf(kind, { ...user, email })];
    const token = wording.link && (await makeToken(tx, { kind: wording.link.kind, userId, email }));
    const { key = 'token' } = wording.link ?? {};
    const link = wording.link && token && linkTo(config, wording.link.page, { [key]: token, email });
    return async () => void (await mailer.send(compose({ ...user, email }, wording, link)));
  };
}

interface Recipient {
  email: string;
  newEmail: string | null;
  firstName: string;
  companyName: string;
  isRegistered: boolean;
}

/** A letter says what holds when it leaves. */
function wordingOf(kind: LetterKind, { newEmail, email, isRegistered }: Recipient): keyof typeof wordings {
  if (kind === 'email' && newEmail !== email) return 'emailDropped';
  return kind === 'invite' && isRegistered ? 'join' : kind;
}

/**
 * A token of this kind; of the links to reset a password or to confirm an address, and of a company's invitations, the
 * newest alone can be used. The user's row is locked.
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

function compose(user: Recipient, wording: Wording, link: string | undefined): Message {
  const greeting = user.firstName === '' ? 'Hello,' : `Hello ${user.firstName},`;
  const words = wording.text.replace('{company}', () => user.companyName);
  const paragraphs = [greeting, words, ...(link === undefined ? [] : [link]), 'Evenkeel'];
  const html = paragraphs.map((each) =>
    each === link ? `<p><a href="${escapeHtml(each)}">${escapeHtml(each)}</a></p>` : `<p>${escapeHtml(each)}</p>`,
  );
  return {
    to: user.email,
    subject: wording.subject,
    text: `${paragraphs.join('\n\n')}\n`,
    html: html.join('\n'),
    link,
  };
}
