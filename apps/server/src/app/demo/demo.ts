import { randomBytes } from 'node:crypto';
import type { IsoDate } from '@evenkeel/core/dates';
import { conflict } from '@evenkeel/core/failure';
import { hashPassword } from '../../across/auth/passwords.ts';
import { deletePasskeysOf } from '../../across/auth/passkeys.sql.ts';
import { factors } from '../../across/auth/second-factor.sql.ts';
import { deleteSessionsOf, findForSignIn, PASSWORD_LINK_KINDS, resetPassword } from '../../across/auth/signin.sql.ts';
import { retireTokens } from '../../across/auth/tokens.sql.ts';
import { todayIn } from '../../platform/clock.ts';
import { isUniqueViolation } from '../../platform/db/errors.ts';
import { analyzeTables } from '../../platform/db/statistics.ts';
import { inCompany, inInstallation, installation, type Tx } from '../../platform/db/tx.ts';
import type { Ctx, Services } from '../../platform/http/context.ts';
import { serverActor } from '../../platform/http/session.ts';
import { type CreatedCompany, writeCompany } from '../../across/setup/company.ts';
import { nextCompanyId } from '../../across/setup/company.sql.ts';
import { DEMO_EMAIL } from '../../platform/mail/demo-email.ts';
import { writeBanks } from './bank.ts';
import { markDemoSql } from './demo.sql.ts';
import { spanOf } from './story.ts';
import { tellStory } from './tell.ts';
import { tellWork } from './work-items.ts';
import { writeStory } from './write.ts';

const DEMO_NAME = 'Fernhollow Landscaping';
const TIME_ZONE = 'America/New_York';

export interface DemoLogin {
  companyId: number;
  email: string;
  /** A random password. Only its hash is stored. */
  password: string;
}

export interface DemoCompany {
  companyId: number;
  userId: number;
}

/** Returns this installation's demo company, or undefined. */
export async function findDemo({ pool }: Pick<Services, 'pool'>): Promise<DemoCompany | undefined> {
  const [row] = await installation(pool, findForSignIn(DEMO_EMAIL));
  return row;
}

/**
 * Creates the demo company: the last two years of a landscaping business, written in one transaction with the API's
 * functions. The books are always the same for a given date. The first-start link stays valid. Throws 409 if the demo
 * company already exists.
 */
export async function createDemo(services: Services, today: IsoDate = todayIn(TIME_ZONE)): Promise<DemoLogin> {
  if ((await findDemo(services)) !== undefined) throw existsAlready();
  const { password, passwordHash } = await newPassword(services);
  const [reserved] = await installation(services.pool, nextCompanyId());
  if (reserved === undefined) throw new Error('no company ID was given');
  try {
    await inCompany(services.pool, reserved.companyId, (tx) => fill(services, tx, { passwordHash, today }));
  } catch (error) {
    throw isUniqueViolation(error, 'app_user_email') ? existsAlready() : error;
  }
  await analyzeTables(services.pool);
  return { companyId: reserved.companyId, email: DEMO_EMAIL, password };
}

/**
 * Gives the demo company a new password and keeps its books. Ends its sessions and removes two-step verification, so
 * that the password is enough to sign in. If the demo company is missing, creates it.
 */
export async function resetDemo(services: Services): Promise<DemoLogin> {
  const demo = await findDemo(services);
  if (demo === undefined) return createDemo(services);
  const { password, passwordHash } = await newPassword(services);
  await inInstallation(services.pool, async (run) => {
    await run(resetPassword(demo.userId, passwordHash));
    await run(retireTokens(demo.userId, PASSWORD_LINK_KINDS));
    await run(factors.delete({ userId: demo.userId }));
    await run(deletePasskeysOf(demo.userId));
    await run(deleteSessionsOf(demo.userId));
  });
  return { companyId: demo.companyId, email: DEMO_EMAIL, password };
}

function existsAlready(): Error {
  return conflict('There is a demo company already');
}

async function newPassword({ tuning }: Services): Promise<{ password: string; passwordHash: string }> {
  const password = randomBytes(12).toString('base64url');
  return { password, passwordHash: await hashPassword(password, tuning.passwordCost) };
}

async function fill(
  services: Services,
  tx: Tx,
  { passwordHash, today }: { passwordHash: string; today: IsoDate },
): Promise<void> {
  const administrator = { email: DEMO_EMAIL, firstName: 'Fern', lastName: 'Hollow', passwordHash };
  const created = await writeCompany(tx, {
    displayname: DEMO_NAME,
    timeZone: TIME_ZONE,
    administrator: { ...administrator, isVerified: true, termsVersion: null },
  });
  tx.atEnd(markDemoSql());
  const on = contexts(services, created, tx);
  const story = { events: tellStory(today), work: tellWork(today), span: spanOf(today) };
  const { checkingId } = await writeStory(on, story);
  await writeBanks(on(today), checkingId, story.span.first);
}

/** Returns a context for each day in the story. All contexts share one transaction. */
function contexts(services: Services, created: CreatedCompany, tx: Tx): (today: IsoDate) => Ctx {
  return (today) => ({ ...serverActor(created, today), tx, services });
}
