import type { Logger } from 'pino';
import type { IsoDate } from '@evenkeel/core/dates';
import type { Pool } from '../db/connect.ts';
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
  /** Of the company: what "today" means. */
  timeZone: string;
  tokenHash: Buffer;
}

/** What a use case may touch: one transaction of one company, who asks, and today's date in the company's time zone. */
export interface Ctx {
  readonly tx: Tx;
  readonly companyId: number;
  readonly userId: number;
  readonly today: IsoDate;
  readonly user: SessionUser;
  /** Settings, documents and logger of the process; never a way around `tx`. */
  readonly services: Services;
}

/** The terms and the privacy policy that are in force; the version follows from the terms' bytes. */
export interface LegalDocuments {
  termsVersion: string;
  terms: Uint8Array;
  privacy: Uint8Array;
}

/** What only code may choose (tests make it cheap); no environment variable reaches it. */
export interface Tuning {
  /** argon2id: kibibytes of memory and rounds. */
  passwordCost: { memoryCost: number; timeCost: number };
  /** Answers that must not tell known from unknown addresses by time take at least this long. */
  answerFloorMs: number;
  /** Requests a minute that one address may send before it is told to wait. */
  requestsPerMinute: number;
}

export const productionTuning: Tuning = {
  passwordCost: { memoryCost: 19_456, timeCost: 2 },
  answerFloorMs: 250,
  requestsPerMinute: 120_000,
};

/** What exists once per process. Calls without a company (sign-in) get it instead of a transaction. */
export interface Services {
  readonly pool: Pool;
  readonly config: Config;
  readonly log: Logger;
  readonly legal: LegalDocuments;
  readonly tuning: Tuning;
}
