import type { Logger } from 'pino';
import type { IsoDate } from '@evenkeel/core/dates';
import type { Box } from '../db/box.ts';
import type { Pool } from '../db/connect.ts';
import type { Tx } from '../db/tx.ts';
import type { Config } from '../config.ts';
import type { Pseudonym } from './security-log.ts';

/** Rights of somebody in a company; `holds` answers them. */
export interface Rights {
  readonly roleName: string;
  readonly systemRole: boolean;
  readonly permissions: readonly string[];
}

/** The way by which somebody acts, as the audit log keeps it: names, for sessions and jobs come and go. */
export interface By {
  readonly kind: 'session' | 'key' | 'job' | 'command' | 'server' | 'link';
  /** The device of a session, or the name of the job, key or command. */
  readonly name: string;
  readonly sessionId?: number;
  /** The name of the person; empty where the server acts for one. */
  readonly person: string;
}

/**
 * Who acts in a company, with which rights and on which of its days: a person with a session, or the server in a
 * person's name. A command knows nothing else of its caller.
 */
export interface Actor extends Rights {
  readonly companyId: number;
  /** The person whom journal and audit log name. */
  readonly userId: number;
  readonly by: By;
  /** In the company's time zone. */
  readonly today: IsoDate;
}

/** Who is signed in, as the session says. */
export interface SessionUser extends Rights {
  userId: number;
  companyId: number;
  roleId: number;
  email: string;
  firstName: string;
  lastName: string;
  termsAccepted: boolean;
  /** The company requires a second factor, and the user has none. */
  secondFactorMissing: boolean;
  /** The company's time zone, which decides "today". */
  timeZone: string;
  sessionId: number;
  /** "Firefox on Mac". */
  device: string;
  tokenHash: Buffer;
}

/** The context of a use case: the actor, and one transaction of the company. */
export interface Ctx extends Actor {
  readonly tx: Tx;
  /** Settings, documents and logger of the process; never a way around `tx`. */
  readonly services: Services;
}

/** The terms and the privacy policy that are in force; the version follows from the terms' bytes. */
export interface LegalDocuments {
  termsVersion: string;
  terms: Uint8Array;
  privacy: Uint8Array;
}

/** Settings for code alone (tests make them cheap); no environment variable reaches them. */
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

/** Services that exist once per process. Calls without a company (sign-in) get it instead of a transaction. */
export interface Services {
  readonly pool: Pool;
  readonly config: Config;
  /** Seals what must not be read from a stolen disk. */
  readonly box: Box;
  readonly log: Logger;
  /** Hides addresses of people and networks in the log. */
  readonly pseudonym: Pseudonym;
  readonly legal: LegalDocuments;
  readonly tuning: Tuning;
}
