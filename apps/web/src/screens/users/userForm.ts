import { isEmailAddress } from '@evenkeel/core/email';
import type { FieldMessages } from '@evenkeel/core/failure';
import * as z from 'zod';
import { blankOf, Day, sameFields } from '../../records/formFields.ts';
import type { User, UserInput } from './users.ts';

/** The data of the User form, its validation, and its request. */

export const UserForm = z.object({
  firstName: z.string(),
  lastName: z.string(),
  email: z.string(),
  roleId: z.number().nullable(),
  endsOn: Day.nullable(),
  rowVersion: z.number().nullable(),
});
export type UserForm = z.output<typeof UserForm>;

export const blankUser: UserForm = blankOf(UserForm);
export const userFormOf: (user: User | undefined) => UserForm = sameFields(UserForm);
export const userInput = (form: UserForm): UserInput => form;

/** Returns messages by field, worded as in the specification. */
export function userFaults({ firstName, lastName, email, roleId }: UserForm): FieldMessages {
  return {
    ...(firstName.trim() === '' ? { firstName: 'Please enter a first name' } : {}),
    ...(lastName.trim() === '' ? { lastName: 'Please enter a last name' } : {}),
    ...(isEmailAddress(email.trim()) ? {} : { email: 'Please enter a valid email address' }),
    ...(roleId === null ? { roleId: 'Please Select a User Role' } : {}),
  };
}
