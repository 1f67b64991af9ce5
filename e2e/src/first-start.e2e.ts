import { authCalls } from '@evenkeel/contract/auth';
import { expect } from 'vitest';
import { Api } from './api.ts';
import { startEvenkeel } from './evenkeel.ts';
import { journey } from './journey.ts';
import { checkLook, holds, seen } from './look.ts';
import { Frame } from './pages/Frame.ts';
import { Registration } from './pages/Registration.ts';

journey(
  'the link that an empty installation prints leads to the first company, its setup, and its dashboard',
  async (stage) => {
    const empty = await startEvenkeel();
    try {
      const page = await stage.open(`${empty.url}/billing`);
      await seen(page.getByRole('heading', { name: 'Welcome to Evenkeel' }));
      await seen(page.getByText('it printed a link to register the first one'));
      expect(await page.getByLabel('Password').count()).toBe(0);
      await checkLook(page, 'empty installation');

      await page.goto(empty.firstLink ?? '');
      await seen(page.getByRole('button', { name: 'Explore a demo company' }));
      await checkLook(page, 'first registration');

      // First opens the demo company with two years of books. The link remains valid.
      const frame = new Frame(page);
      await page.getByRole('button', { name: 'Explore a demo company' }).click();
      // Creating two years of books takes a few seconds, or more than 30 on a busy machine.
      await frame.title('Terms of Service').waitFor({ timeout: 180_000 });
      await page.getByRole('button', { name: 'Accept' }).click();
      await seen(frame.title('Dashboard'));
      await seen(page.getByText('Fernhollow Landscaping'));
      await seen(page.getByText(/\d+ days outstanding/).first());
      await checkLook(page, 'demo dashboard');
      await frame.logout();
      await page.goto(empty.firstLink ?? '');
      const registration = new Registration(page);
      const [email, password] = ['olive@first.example', 'a few plain words'];
      const person = { companyName: 'First Light Bakery', firstName: 'Olive', lastName: 'Owner', email, password };
      await registration.type(person);
      await registration.submit();

      // The user is signed in immediately and guided through the setup. Entered values survive a reload.
      await seen(frame.title('Welcome to Evenkeel'));
      const next = (label: string) => page.getByRole('button', { name: label, exact: true }).click();
      const field = (label: string) => page.getByLabel(label, { exact: true });
      await next('Begin');
      await holds(field('Company Name'), 'First Light Bakery');
      await next('Next: Financials');
      await checkLook(page, 'first-time setup');
      await next('Next: Customers');
      await field('Customer Name').fill('Harbor Hotel');
      await page.reload();
      await holds(field('Customer Name'), 'Harbor Hotel');
      await field('Email').fill('kitchen@harbor.example');
      await next('Next: Expenses');
      await next('Next: Products');
      await field('Product Name').fill('Rye loaf');
      await field('Price').fill('6.80');
      await next('Complete Setup');

      // The dashboard uses the browser's time zone.
      await seen(frame.title('Dashboard'));
      await seen(page.getByText('First Light Bakery'));
      await frame.go('Customers');
      await seen(page.getByText('Harbor Hotel'));

      // The link has been used, so no one can register with it later.
      const token = new URL(empty.firstLink ?? '').searchParams.get('token') ?? '';
      const names = { companyName: 'Too Late', firstname: 'Lou', lastname: 'Late', email: 'late@first.example' };
      const body = { ...names, password, confirmPassword: password, acceptedterms: true, token };
      await expect(new Api(empty.url).call(authCalls.register, { body })).rejects.toThrow(/link/);
      // The dashboard's pending requests are canceled before the program ends.
      await page.close();
    } finally {
      await empty.stop();
    }
  },
);
