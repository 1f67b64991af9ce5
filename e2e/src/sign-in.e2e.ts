import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { authenticatorCode } from '../../apps/server/src/testing/authenticator.ts';
import { mailedLink, PASSWORD } from './company.ts';
import { journey, type Stage } from './journey.ts';
import { checkLook, seen } from './look.ts';
import { button, field } from './pages/fields.ts';
import { Frame } from './pages/Frame.ts';
import { Registration } from './pages/Registration.ts';
import { SignIn } from './pages/SignIn.ts';
import { Users } from './pages/Users.ts';

/** Resets a forgotten password with the emailed link, which works only once. The page shows the sign-in form. */
async function forgotten(stage: Stage, page: Page, email: string): Promise<void> {
  await page.getByRole('link', { name: 'Forgot Password?' }).click();
  await seen(page.getByRole('button', { name: 'Send Link' }));
  await checkLook(page, 'forgot password');
  await page.getByLabel('Email', { exact: true }).fill(email);
  await page.getByRole('button', { name: 'Send Link' }).click();
  await seen(page.getByText('Please check your email for password reset instructions'));
  const link = await mailedLink(stage, email);
  await page.goto(link);
  await seen(page.getByRole('button', { name: 'Reset Password' }));
  await checkLook(page, 'reset password');
  await page.getByLabel('Password', { exact: true }).fill('another good one');
  await page.getByLabel('Confirm Password', { exact: true }).fill('another good one');
  await page.getByRole('button', { name: 'Reset Password' }).click();
  await seen(page.getByText('Password reset successful, you can now login'));
  await new SignIn(page).enter(email, 'another good one');
  await seen(new Frame(page).title('Dashboard'));

  stage.health.allow(/validate-reset-token/);
  const again = await stage.open(link);
  await seen(again.getByRole('alert'));
  await checkLook(again, 'a link used before');
}

const DESK = { protocol: 'ctap2', transport: 'internal', hasResidentKey: true, hasUserVerification: true } as const;

/**
 * Adds a passkey for this machine's host name, because browsers do not accept an IP address. The passkey can be used to
 * sign in without a password, and also as two-step verification after the password. After the passkey is removed, it
 * can't be used to sign in.
 */
async function byPasskey(stage: Stage, page: Page, { email, codes }: { email: string; codes: string[] }) {
  const password = 'another good one';
  const home = stage.url.replace('127.0.0.1', 'localhost');
  const devices = await page.context().newCDPSession(page);
  await devices.send('WebAuthn.enable');
  const options = { ...DESK, isUserVerified: true, automaticPresenceSimulation: true };
  await devices.send('WebAuthn.addVirtualAuthenticator', { options });
  const [signIn, frame] = [new SignIn(page), new Frame(page)];
  const passkeys = page.getByRole('region', { name: 'Passkeys' });
  stage.health.allow(/\/api\/login/);
  await page.goto(`${home}/account`);
  await signIn.enter(email, password);
  await field(page, 'Code').fill(codes[1] ?? '');
  await button(page, 'Sign in').click();
  await button(passkeys, 'Add Passkey').click();
  await field(passkeys, 'Name').fill('Work laptop');
  await field(passkeys, 'Current Password').fill(password);
  await field(passkeys, 'Code').fill(codes[2] ?? '');
  await button(passkeys, 'Add Passkey').click();
  await seen(passkeys.getByText('not used yet'));

  await frame.logout();
  await button(page, 'Sign in with a passkey').click();
  await seen(frame.title('Account'));
  await frame.logout();
  await signIn.enter(email, password);
  await button(page, 'Use a passkey').click();
  await button(passkeys, 'Remove Work laptop').click();
  await field(passkeys, 'Current Password').fill(password);
  await button(passkeys, 'Remove Passkey').click();
  await seen(page.getByText('You can no longer sign in with Work laptop.'));
  await frame.logout();
  await button(page, 'Sign in with a passkey').click();
  await seen(page.getByText("This passkey can't be used to sign in here."));
  stage.health.allow();
}

/**
 * Sets up two-step verification, confirms a new email address with the emailed link, and signs in with the new address
 * and a verification code. The page shows the dashboard.
 */
async function secured(stage: Stage, page: Page, email: string) {
  const password = 'another good one';
  await page.getByRole('button', { name: /^Account Settings/ }).click();
  await page.getByRole('link', { name: 'Account', exact: true }).click();
  await seen(new Frame(page).title('Account'));
  const passkeys = page.getByRole('region', { name: 'Passkeys' });
  await button(passkeys, 'Add Passkey').click();
  await checkLook(page, 'account');
  await button(passkeys, 'Cancel').click();
  const card = page.getByRole('region', { name: 'Two-Step Verification' });
  await button(card, 'Set Up').click();
  await field(card, 'Current Password').fill(password);
  await button(card, 'Continue').click();
  await seen(card.getByRole('img', { name: 'QR code for the authenticator app' }));
  await checkLook(page, 'second factor');
  const secret = (await card.locator('.ac-key').textContent()) ?? '';
  const codes = await card.locator('.ac-codes > li').allTextContents();
  await field(card, 'Enter the 6-digit code from the app').fill(authenticatorCode(secret));
  await card.getByText('I saved my recovery codes').click();
  await button(card, 'Turn On').click();
  await seen(card.getByText('You have 10 of 10 recovery codes left.'));

  const next = `next.${email}`;
  const address = page.getByRole('region', { name: 'E-mail' });
  await field(address, 'New Email').fill(next);
  await field(address, 'Current Password').fill(password);
  await field(address, 'Code').fill(codes[0] ?? '');
  await button(address, 'Change Email').click();
  await seen(address.getByText(`We sent a link to ${next}`));
  await page.goto(await mailedLink(stage, next));
  await seen(page.getByText('Verification success, you can now login'));
  stage.health.allow(/\/api\/login/);
  await new SignIn(page).enter(next, password);
  await seen(page.getByRole('heading', { name: 'Enter your code' }));
  await checkLook(page, 'code');
  await field(page, 'Code').fill('000000');
  await button(page, 'Sign in').click();
  await seen(page.getByText('This code is incorrect or was already used.'));
  await field(page, 'Code').fill(authenticatorCode(secret, 1));
  await button(page, 'Sign in').click();
  await seen(new Frame(page).title('Dashboard'));
  stage.health.allow();
  return { email: next, codes };
}

journey(
  'a wrong password shows a message, and the correct password, a reset, two-step verification, and a passkey work',
  async (stage) => {
    const { administrator } = await stage.company('Sign In Works');
    stage.health.allow(/\/api\/login/);
    const page = await stage.open('/products');
    const signIn = new SignIn(page);
    await seen(signIn.heading);
    await checkLook(page, 'sign in');
    await signIn.enter(administrator.email, 'not the password');
    await seen(page.getByRole('alert'));
    expect(await page.getByLabel('Email', { exact: true }).inputValue()).toBe(administrator.email);
    await signIn.enter(administrator.email, PASSWORD);
    const frame = new Frame(page);
    await seen(frame.title('Products'));
    expect(new URL(page.url()).pathname).toBe('/products');

    await frame.logout();
    await seen(signIn.heading);
    expect(await page.evaluate(() => localStorage.getItem('user'))).toBeNull();

    stage.health.allow();
    await forgotten(stage, page, administrator.email);
    const account = await secured(stage, page, administrator.email);
    await byPasskey(stage, page, account);
  },
);

/** Checks that the terms and privacy policy are available before signing in. */
async function readable(page: Page): Promise<void> {
  await seen(page.getByRole('region', { name: 'Terms of Service' }).locator('canvas'));
  await checkLook(page, 'terms');
  await page.getByRole('link', { name: 'Privacy policy' }).click();
  await seen(page.getByRole('region', { name: 'Privacy Policy' }).locator('canvas'));
  await checkLook(page, 'privacy');
}

journey(
  'an invited user reads the terms, registers with the emailed link, and sees only what the role allows',
  async (stage) => {
    const company = await stage.company('Inviting Works');
    const email = `ruth.${company.administrator.email}`;
    const office = await stage.open('/users?tab=roles', { as: company.administrator });
    const users = new Users(office);
    await users.addRole('Look Around', { Dashboard: 'View', Billing: 'View' });
    await office.getByRole('tab', { name: 'Users' }).click();
    await users.addUser({ firstName: 'Ruth', lastName: 'Reader', email }, 'Look Around');
    await seen(office.getByRole('row').filter({ hasText: email }).getByText('Invited'));
    const page = await stage.open('/TOS');
    await readable(page);
    await page.goto(await mailedLink(stage, email));
    await seen(page.getByRole('button', { name: 'Register', exact: true }));
    await checkLook(page, 'register');
    const registration = new Registration(page);
    await registration.submit();
    await seen(page.getByText('Password is required'));
    await registration.type({ firstName: 'Ruth', lastName: 'Reader', password: PASSWORD });
    await registration.submit();
    // The invitation was emailed to the user's address, so registering signs the user in.
    const frame = new Frame(page);
    await seen(frame.title('Dashboard'));
    await seen(frame.menu.getByRole('link', { name: 'Billing' }));
    expect(await frame.menu.getByRole('link', { name: 'Customers' }).count()).toBe(0);
    expect(await frame.menu.getByRole('link', { name: 'Settings' }).count()).toBe(0);

    // Uses a separate tab, because the dashboard may still be loading.
    const settings = await page.context().newPage();
    const calls: string[] = [];
    settings.on('request', (request) => {
      if (request.url().includes('/api/') && !request.url().endsWith('/api/company')) calls.push(request.url());
    });
    await settings.goto('/settings', { waitUntil: 'networkidle' });
    await seen(settings.getByText("You don't have permission to view this page"));
    expect(calls).toEqual([]);
  },
);
