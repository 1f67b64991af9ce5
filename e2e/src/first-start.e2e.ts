import { authCalls } from '@evenkeel/contract/auth';
import { expect } from 'vitest';
import { Api } from './api.ts';
import { startEvenkeel } from './evenkeel.ts';
import { journey } from './journey.ts';
import { checkLook, seen } from './look.ts';
import { Frame } from './pages/Frame.ts';
import { Registration } from './pages/Registration.ts';

journey('an empty installation leads by its printed link to the first company and its dashboard', async (stage) => {
  const empty = await startEvenkeel();
  try {
    const page = await stage.open(`${empty.url}/billing`);
    await seen(page.getByRole('heading', { name: 'Welcome to Evenkeel' }));
    await seen(page.getByText('The program printed a link'));
    expect(await page.getByLabel('Password').count()).toBe(0);
    await checkLook(page, 'empty installation');

    await page.goto(empty.firstLink ?? '');
    await seen(page.getByRole('button', { name: 'Look around a demo company' }));
    await checkLook(page, 'first registration');

    // First a look around: two years of somebody else's books. The link stays good.
    const frame = new Frame(page);
    await page.getByRole('button', { name: 'Look around a demo company' }).click();
    await seen(frame.title('Terms of Service'));
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

    // Signed in at once, in the time zone of the browser.
    await seen(frame.title('Dashboard'));
    await seen(page.getByText('First Light Bakery'));

    // The link has done its work: whoever finds it later registers nothing by it.
    const token = new URL(empty.firstLink ?? '').searchParams.get('token') ?? '';
    const names = { companyName: 'Too Late', firstname: 'Lou', lastname: 'Late', email: 'late@first.example' };
    const body = { ...names, password, confirmPassword: password, acceptedterms: true, token };
    await expect(new Api(empty.url).call(authCalls.register, { body })).rejects.toThrow(/link/);
    // Pending reads of the dashboard are cancelled before the program ends.
    await page.close();
  } finally {
    await empty.stop();
  }
});
