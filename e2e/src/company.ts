import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { authCalls } from '@evenkeel/contract/auth';
import type { ReplyOf } from '@evenkeel/contract/endpoint';
import { expect } from 'vitest';
import { type Companies, openCompanies } from '../../apps/server/src/testing/companies.ts';
import { Api } from './api.ts';
import { connectionOf } from './database.ts';

export type Session = ReplyOf<typeof authCalls.login>;

/** The password of every user. */
export const PASSWORD = 'correct horse battery';

/** A signed-in user who belongs to a company and has accepted the terms. */
export interface Person {
  email: string;
  session: Session;
  api: Api;
}

export interface Invited {
  firstName: string;
  lastName: string;
  email: string;
}

export interface Company {
  name: string;
  administrator: Person;
  /** Emails an invitation for the role with this name. */
  mailInvitation(roleName: string, person: Invited): Promise<void>;
  /** Invites a user for the role with this name. The user registers with the emailed link. */
  invite(roleName: string): Promise<Person>;
  /** Adds a credit card account in addition to Checking, so that transfers are possible. */
  addCard: () => Promise<void>;
}

export interface Place {
  url: string;
  dataDir: string;
}

let made = 0;
let companies: Promise<Companies> | undefined;

/** Closes the database connection. Call this function after the journeys in a file. */
export async function closeCompanies(): Promise<void> {
  const open = await companies;
  companies = undefined;
  await open?.close();
}

/** Creates a separate company, so that journeys don't affect each other. */
export async function newCompany(place: Place, name: string): Promise<Company> {
  const slug = `${name.toLowerCase().replace(/\W+/g, '-')}-${process.pid}-${(made += 1)}`;
  const email = `ada@${slug}.example`;
  companies ??= connectionOf(place.dataDir).then(openCompanies);
  const open = await companies;
  const { companyId } = await open.create({ name, email, password: PASSWORD });
  const administrator = await enter(place, email);
  return {
    name,
    administrator,
    mailInvitation: (roleName, person) => mailInvitation(administrator.api, roleName, person),
    invite: (roleName) => invite({ place, administrator, slug }, roleName),
    addCard: () => open.addCard(companyId, 'Company Card'),
  };
}

/** Signs in and accepts the terms if necessary. */
async function enter({ url }: Place, email: string): Promise<Person> {
  const session = await new Api(url).call(authCalls.login, { body: { email, password: PASSWORD } });
  if (session.termsAccepted) return { email, session, api: new Api(url, session.token) };
  const api = new Api(url, session.token);
  const token = await api.call(authCalls.updateUserTerms, { body: { termsAccepted: true } });
  return { email, session: { ...session, token, termsAccepted: true }, api: new Api(url, token) };
}

interface Invitation {
  place: Place;
  administrator: Person;
  slug: string;
}

/** Returns a role's ID by its name. */
export async function roleNamed(api: Api, roleName: string): Promise<number> {
  const answer = await api.call(authCalls.listRoles, { query: {} });
  const roles = Array.isArray(answer) ? answer : answer.items;
  const role = roles.find((one) => one.roleName === roleName);
  if (role === undefined) throw new Error(`there is no role ${roleName}`);
  return role.id;
}

async function mailInvitation(api: Api, roleName: string, person: Invited): Promise<void> {
  await api.call(authCalls.createUser, { body: { ...person, roleId: await roleNamed(api, roleName) } });
}

async function invite({ place, administrator, slug }: Invitation, roleName: string): Promise<Person> {
  const email = `${roleName.toLowerCase().replace(/\W+/g, '-')}@${slug}.example`;
  await mailInvitation(administrator.api, roleName, { firstName: 'Rita', lastName: 'Reader', email });
  const token = new URL(await mailedLink(place, email)).searchParams.get('token') ?? '';
  const password = { password: PASSWORD, confirmPassword: PASSWORD };
  const body = { ...password, email, token, firstname: 'Rita', lastname: 'Reader', acceptedterms: true };
  await new Api(place.url).call(authCalls.register, { body });
  return enter(place, email);
}

/** Returns the newest link that was emailed to an address. Without a mail server, emails are stored as files. */
export async function mailedLink({ dataDir }: Place, email: string): Promise<string> {
  const outbox = join(dataDir, 'outbox');
  let link: string | undefined;
  const look = async (): Promise<string | undefined> => {
    const names = await readdir(outbox).catch(() => []);
    // The names have the numbers of the emails, and 10 is newer than 9.
    for (const name of names.toSorted((a, b) => b.localeCompare(a, 'en', { numeric: true }))) {
      const letter: unknown = JSON.parse(await readFile(join(outbox, name), 'utf8'));
      if (isLetter(letter) && letter.to === email) return (link = /https?:\/\/\S+/.exec(letter.text)?.[0]);
    }
    return undefined;
  };
  await expect.poll(look, { timeout: 20_000 }).toBeDefined();
  return link ?? '';
}

function isLetter(value: unknown): value is { to: string; text: string } {
  return typeof value === 'object' && value !== null && 'to' in value && 'text' in value;
}
