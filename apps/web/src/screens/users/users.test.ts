import { AREAS } from '@evenkeel/contract/areas';
import { expect, test } from 'vitest';
import { LEVELS, roleFaults, roleFormOf, roleInput } from './roleForm.ts';
import { blankUser, userFaults } from './userForm.ts';
import type { Role } from './users.ts';

const role = (given: Partial<Role>): Role => ({
  id: 7,
  roleName: 'Crew Lead',
  systemRole: false,
  roleProperties: [],
  userCount: 2,
  rowVersion: 3,
  ...given,
});

test('No Access grants no permissions for an area, View grants one, and Manage grants two', () => {
  const roleProperties = ['View Billing', 'Manage Billing', 'View Reports'];
  const form = roleFormOf(role({ roleProperties }));
  expect([form.levels['Billing'], form.levels['Reports'], form.levels['Banking']]).toEqual([
    'Manage',
    'View',
    'No Access',
  ]);
  expect(roleInput(form)).toEqual({ roleName: 'Crew Lead', roleProperties, rowVersion: 3 });
  const lowered = roleInput({ ...form, levels: { ...form.levels, Billing: 'View', Reports: 'No Access' } });
  expect(lowered.roleProperties).toEqual(['View Billing']);
});

test('every level of every area is restored as selected', () => {
  for (const level of LEVELS) {
    const form = roleFormOf(undefined);
    const levels = Object.fromEntries(AREAS.map((area) => [area, level]));
    const { roleProperties } = roleInput({ ...form, levels });
    expect(roleFormOf(role({ roleProperties })).levels).toEqual(levels);
  }
});

test('Administrator and Superuser show Manage for every area, although they list no permissions', () => {
  for (const roleName of ['Administrator', 'Superuser']) {
    const { levels } = roleFormOf(role({ roleName, systemRole: true }));
    expect(new Set(Object.values(levels))).toEqual(new Set(['Manage']));
  }
  const own = roleFormOf(role({ roleName: 'Superuser' }));
  expect(new Set(Object.values(own.levels))).toEqual(new Set(['No Access']));
});

test("a missing role name or user field is reported with the field's label", () => {
  expect(roleFaults({ ...roleFormOf(undefined), roleName: ' ' })).toEqual({ roleName: 'Please enter a role name' });
  expect(userFaults(blankUser)).toEqual({
    firstName: 'Please enter a first name',
    lastName: 'Please enter a last name',
    email: 'Please enter a valid email address',
    roleId: 'Please Select a User Role',
  });
  const good = { ...blankUser, firstName: 'Ann', lastName: 'Rose', email: ' ann@rose.example ', roleId: 3 };
  expect(userFaults(good)).toEqual({});
});
