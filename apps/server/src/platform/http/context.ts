import type { Logger } from 'pino';
import type { IsoDate } from '@evenkeel/core/dates';
import type { Box } from '../db/box.ts';
import type { Pool } from '../db/connect.ts';
import type { Tx } from '../db/tx.ts';
import type { Config } from '../config.ts';

/** A user's rights in a company, which `holds` checks. */
export interface Rights {
  readonly roleName: string;
  readonly systemRole: boolean;
  readonly permissions: readonly string[];
}

/**
 * The channel through which an actor acts, as recorded in the audit log. Contains names instead of IDs, because
 * sessions and jobs are temporary.
 */
export interface By {
  readonly kind: 'session' | 'key' | 'job' | 'command' | 'server' | 'link';
  /** The device of a session, or the name of a job, key, or command. */
  readonly name: string;
  readonly sessionId?: number;
  /** The API key of a program. */
  readonly keyId?: number;
  /** The user's name. Empty if the server acts on behalf of a user. */
  readonly person: string;
  /** The request that caused the change, and its idempotency key. Webhook events contain both. */
  readonly requestId?: string;
  readonly idempotencyKey?: string;
}

/**
 * The actor in a company, with rights and a date: a signed-in user, or the server on a user's behalf. A command gets no
 * other information about its caller.
 */
export interface Actor extends Rights {
  readonly companyId: number;
  /** The user that is recorded in the journal and the audit log. */
  readonly userId: number;
  readonly by: By;
  /** The date in the company's time zone. */
  readonly today: IsoDate;
}

/** A session's signed-in user. */
export interface SessionUser extends Rights {
  userId: number;
  companyId: number;
  roleId: number;
  email: string;
  firstName: string;
  lastName: string;
  termsAccepted: boolean;
  /** Whether the company requires two-step verification and the user hasn't set it up. */
  secondFactorMissing: boolean;
  /** The company's time zone, which determines "today". */
  timeZone: string;
  sessionId: number;
  /** The name of the device, for example "Firefox on Mac". */
  device: string;
  tokenHash: Buffer;
  /** The API key of a program that acts for the user. It has no session. */
  key?: {
    id: number;
    name: string;
    requestsPerMinute: number;
    /** Whether the key has a policy for agents, so that it writes only through proposals. */
    isAgent: boolean;
  };
}

/** The context of a use case: the actor and one transaction of the company. */
export interface Ctx extends Actor {
  readonly tx: Tx;
  /** The process's settings, documents, and logger. They must never be used to bypass `tx`. */
  readonly services: Services;
}

/** The current terms and privacy policy. The version is computed from the content of the terms. */
export interface LegalDocuments {
  termsVersion: string;
  terms: Uint8Array;
  privacy: Uint8Array;
}

/** Settings that only code can set, such as cheaper password hashing in tests. They have no environment variables. */
export interface Tuning {
  /** The argon2id memory in kibibytes and the number of rounds. */
  passwordCost: { memoryCost: number; timeCost: number };
  /** The minimum time for responses whose duration must not reveal whether an address is known. */
  answerFloorMs: number;
  /** The maximum number of requests per minute from one address. */
  requestsPerMinute: number;
}

export const productionTuning: Tuning = {
  passwordCost: { memoryCost: 19_456, timeCost: 2 },
  answerFloorMs: 250,
  requestsPerMinute: 120_000,
};

/**
 * Replaces the address of a person or network in the log with a pseudonym that only this installation can link to the
 * address.
 */
export type Pseudonym = (text: string) => string;

/** The services of a process. Calls outside a company, such as sign-in, get these services instead of a transaction. */
export interface Services {
  readonly pool: Pool;
  readonly config: Config;
  /** Encrypts values that must not be readable on a stolen disk. */
  readonly box: Box;
  readonly log: Logger;
  /** Hides personal and network addresses in the log. */
  readonly pseudonym: Pseudonym;
  readonly legal: LegalDocuments;
  readonly tuning: Tuning;
}
