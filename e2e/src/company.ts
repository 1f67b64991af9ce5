import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { authCalls } from '@evenkeel/contract/auth';
import type { ReplyOf } from '@evenkeel/contract/endpoint';
import { expect } from 'vitest';
import { type Companies, openCompanies } from '../../apps/server/src/testing/companies.ts';
import { Api } from './api.ts';
import { connectionOf } from './database.ts';

export type Session = ReplyOf<typeof authCalls.login>;

/** Everybody's password. */
export const PASSWORD = 'correct horse battery';

/** Somebody of a company, signed in with the terms accepted. */
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
  /** Mails somebody an invitation to a role by name. */
  mailInvitation(roleName: string, person: Invited): Promise<void>;
  /** Invites somebody with a role by name, who then registers by the mailed link. */
  invite(roleName: string): Promise<Person>;
  /** Gives it a credit card beside Checking, so that money can be transferred. */
  addCard(): Promise<void>;
}

export interface Place {
  url: string;
  dataDir: string;
}

let made = 0;
let companies: Promise<Companies> | undefined;

/** Lets go of the database; to be called when a file's journeys are over. */
export async function closeCompanies(): Promise<void> {
  const open = await companies;
  companies = undefined;
  await open?.close();
}

/** A company of its own, so that no journey stands in another one's way. */
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

/** Signs in and accepts the terms when that was not done yet. */
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

/** The id of a role by its name. */
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

/** The newest link that was mailed to an address; without a mail server letters are files. */
export async function mailedLink({ dataDir }: Place, email: string): Promise<string> {
  const outbox = join(dataDir, 'outbox');
  let link: string | undefined;
  const look = async (): Promise<string | undefined> => {
    const names = await readdir(outbox).catch(() => []);
    for (const name of names.toSorted((a, b) => (a < b ? 1 : -1))) {
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
