import { journey } from './journey.ts';
import { checkLook, gone, says, seen } from './look.ts';
import { Accounting } from './pages/Accounting.ts';
import { button, field } from './pages/fields.ts';

journey('a journal entry is rejected while out of balance, saved as a draft, posted, and reversed', async (stage) => {
  const { administrator } = await stage.company('Journal Works');
  const page = await stage.open('/accounting', { as: administrator });
  const accounting = new Accounting(page);
  await seen(accounting.account('Checking'));
  const journal = await accounting.addEntry();
  await journal.line({ account: 'Checking', description: 'Owner pays in', amount: '5,000', side: 'Debit' });
  await journal.line({ account: 'Owner', description: 'Owner pays in', amount: '4,000', side: 'Credit' });
  await journal.post();
  await seen(journal.dialog.getByText(/^Debit and Credit must balance/));
  await checkLook(page, 'journal entry out of balance');

  // Saves the entry unchanged as a draft.
  await journal.save();
  await gone(journal.dialog);
  await says(accounting.account('Checking').getByRole('cell').last(), /^(–|0\.00|)$/);
  await accounting.more('Saved Transactions (1)');
  const saved = page.getByRole('dialog', { name: 'Saved Transactions' });
  await seen(button(saved, 'Open Owner pays in'));
  await button(saved, 'Open Owner pays in').click();
  await journal.line({ account: 'Owner', description: 'Owner pays in', amount: '1,000', side: 'Credit' });
  await seen(journal.dialog.getByText('In Balance').first());
  await journal.post();
  await gone(journal.dialog);
  await says(accounting.account('Checking').getByRole('cell').last(), '5,000.00');

  // Reverses the entry from the account's register.
  await accounting.account('Checking').click();
  await seen(accounting.ledger.getByRole('row').filter({ hasText: 'Owner pays in' }));
  // The search is stored in the URL, so a reload keeps it. Clearing the search shows all entries.
  const search = field(page, 'Search entries...');
  await search.fill('nobody');
  await seen(page.getByText('No entries in this account match “nobody”.'));
  await search.fill('owner 5,000');
  await seen(accounting.ledger.getByText('1 entry'));
  await page.reload();
  await seen(accounting.ledger.getByText('1 entry'));
  await checkLook(page, 'account ledger, a search');
  // The number opens the entry, and Back returns to the register.
  await accounting.ledger.getByRole('link').first().click();
  await seen(page.getByRole('dialog', { name: 'General Ledger Transaction' }));
  await page.goBack();
  await gone(page.getByRole('dialog', { name: 'General Ledger Transaction' }));
  await accounting.ledger.getByRole('row').filter({ hasText: 'Owner pays in' }).click();
  const transaction = page.getByRole('dialog', { name: 'General Ledger Transaction' });
  await button(transaction, 'Reverse').click();
  await seen(button(transaction, 'Post Reversal'));
  await checkLook(page, 'reversal');
  await button(transaction, 'Post Reversal').click();
  await seen(transaction.getByText('Reversal', { exact: true }));
  await transaction.getByRole('button', { name: 'Close', exact: true }).last().click();
  await gone(transaction);
  await says(accounting.account('Checking').getByRole('cell').last(), /^(–|0\.00|)$/);
});
