import { authCalls, type RoleRecord, type UserRecord } from '@evenkeel/contract/auth';
import type { IsoDate } from '@evenkeel/core/dates';
import type * as z from 'zod';
import { ask } from '../../client/api.ts';
import { records } from '../../records/records.ts';

export type User = z.output<typeof UserRecord>;
export type Role = z.output<typeof RoleRecord>;

export interface UserInput {
  firstName: string;
  lastName: string;
  email: string;
  roleId: number | null;
  endsOn: IsoDate | null;
  rowVersion: number | null;
}

/**
 * The server stores these two values and returns them unchanged. Administrators can't accept the terms for other users.
 */
const forNewUsers = () => ({ colonyBooksTermsAccepted: true, baseURL: window.location.origin });

export const users = records<User, User, UserInput>({
  words: { one: 'user', many: 'users', loadAll: 'Error Loading Users', loadOne: 'Error Loading User' },
  idOf: (user) => user.id,
  list: (_, query) => ask(authCalls.listUsers, { query }),
  get: (id) => ask(authCalls.getUser, { params: { id: id } }),
  create: (body) => ask(authCalls.createUser, { body: { ...body, ...forNewUsers() } }),
  update: (id, body) => ask(authCalls.updateUser, { body: { ...body, id } }),
  remove: (id) => ask(authCalls.deleteUser, { params: { id: id } }),
});

export interface RoleInput {
  roleName: string;
  roleProperties: string[];
  rowVersion: number | null;
}

export const roles = records<Role, Role, RoleInput>({
  words: { one: 'role', many: 'roles', loadAll: 'Error Loading Roles', loadOne: 'Error Loading Role' },
  idOf: (role) => role.id,
  list: (_, query) => ask(authCalls.listRoles, { query }),
  get: (id) => ask(authCalls.getRole, { params: { id: id } }),
  create: (body) => ask(authCalls.createRole, { body }),
  update: (id, body) => ask(authCalls.updateRole, { body: { ...body, id } }),
  remove: (id) => ask(authCalls.deleteRole, { params: { id: id } }),
});
