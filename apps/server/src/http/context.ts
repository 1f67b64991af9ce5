import type { Pool } from 'pg';
import type { Logger } from 'pino';
import type { IsoDate } from '@evenkeel/core/dates';
import type { Tx } from '../db/tx.ts';
import type { Config } from '../config.ts';

/** Who calls, as the session says. */
export interface SessionUser {
  userId: number;
  companyId: number;
  email: string;
  firstName: string;
  lastName: string;
  roleId: number;
  roleName: string;
  systemRole: boolean;
  permissions: readonly string[];
  termsAccepted: boolean;
  tokenHash: Buffer;
}

/** What a use case may touch: one transaction of one company, who asks, and today's date in the company's time zone. */
export interface Ctx {
  readonly tx: Tx;
  readonly companyId: number;
  readonly userId: number;
  readonly today: IsoDate;
  readonly user: SessionUser;
}

/** What exists once per process. Calls without a company (sign-in) get it instead of a transaction. */
export interface Services {
  readonly pool: Pool;
  readonly config: Config;
  readonly log: Logger;
}
