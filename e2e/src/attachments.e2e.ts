import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { root } from '../../scripts/checkout.mjs';
import { addCustomer, addInvoice, addVendor, paymentsOf } from './books.ts';
import { journey } from './journey.ts';
import { checkLook, gone, holds, seen } from './look.ts';
import { brokenPicture, pdfOf } from './oddFiles.ts';
import { Billing, BillingEntry, PaymentDialog } from './pages/Billing.ts';
import { button, field, pick } from './pages/fields.ts';
import { visit } from './visit.ts';

/** A valid one-pixel picture. */
const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** Drops a file next to a form. The page and the entered text must not change. */
async function droppedBeside(page: Page): Promise<void> {
  await visit(page, '/billing?edit=0');
  const dialog = page.getByRole('dialog', { name: 'Billing Entry' });
  await field(dialog, 'Description').fill('Two days of pruning');
  const address = page.url();
  // A file that is dragged from the desktop must come from the browser itself, because a scripted drop never opens a
  // file.
  const browser = await page.context().newCDPSession(page);
  const data = { items: [], files: [join(root, 'apps/server/assets/privacy.pdf')], dragOperationsMask: 1 };
  for (const [x, y] of [
    [20, 20],
    [720, 450],
  ] as const) {
    for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
      await browser.send('Input.dispatchDragEvent', { type, x, y, data });
    }
    await page.waitForTimeout(300);
    expect({ x, y, at: page.url() }).toEqual({ x, y, at: address });
    expect(page.context().pages()).toHaveLength(1);
    await holds(field(dialog, 'Description'), 'Two days of pruning');
  }
}

journey(
  'files on a payment can be selected, dropped, viewed, downloaded, and deleted, and files dropped outside are ignored',
  async (stage) => {
    const { administrator } = await stage.company('Paper Trail');
    const { api } = administrator;
    const customerId = await addCustomer(api, 'Canal Stores');
    await addInvoice(api, { customerId, amount: '100.00' });
    const paper = await readFile(join(root, 'apps/server/assets/privacy.pdf'));
    const page = await stage.open('/customers', { as: administrator });
    await button(page, 'Post Payment for Canal Stores').click();
    const payment = new PaymentDialog(page);
    const { dialog } = payment;
    const tab = dialog.getByRole('tab', { name: /^Attachments/ });
    await payment.amount('100');
    await pick(dialog, 'Payment Type', 'Cash');
    await pick(dialog, 'Deposit Account', 'Undeposited Funds');

    // One file is dropped on the payment, and two are selected in the file dialog.
    const dropped = await page.evaluateHandle(() => {
      const files = new DataTransfer();
      files.items.add(new File(['paid in cash'], 'note.txt'));
      return files;
    });
    const place = dialog.locator('.ek-drop');
    await place.dispatchEvent('dragenter', { dataTransfer: dropped });
    await seen(dialog.getByText('Drop Files Here'));
    await place.dispatchEvent('drop', { dataTransfer: dropped });
    await seen(dialog.getByText('note.txt'));
    await dialog
      .getByLabel('Attach Files')
      .and(dialog.locator('input'))
      .setInputFiles([
        { name: 'Quittung März.pdf', mimeType: 'application/pdf', buffer: paper },
        { name: 'photo.png', mimeType: 'image/png', buffer: PICTURE },
      ]);
    await seen(dialog.getByText('photo.png'));
    await expect.poll(() => tab.innerText()).toContain('(3)');
    await payment.post();
    await gone(dialog);

    // After a reload, the files are shown next to the payment, and a download returns the uploaded bytes.
    const [posted] = await paymentsOf(api, customerId);
    const { id = 0, documentLinks = [] } = posted ?? {};
    expect(documentLinks.map((link) => [link.documentName, link.size])).toEqual([
      ['note.txt', 12],
      ['Quittung März.pdf', paper.length],
      ['photo.png', PICTURE.length],
    ]);
    await page.goto(`/billing?payment=${id}`);
    const panel = page.getByRole('complementary').filter({ hasText: 'Attachments' });
    await button(panel, 'photo.png').click();
    const shown = page.getByRole('dialog', { name: 'photo.png' });
    await seen(shown.getByRole('img', { name: 'photo.png' }));
    await button(shown, 'Close').click();
    await button(panel, 'Quittung März.pdf').click();
    const pdf = page.getByRole('dialog', { name: 'Quittung März.pdf' });
    await seen(pdf.getByText('Privacy Policy'));
    await button(pdf, 'Close').click();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      button(panel, 'Download Quittung März.pdf').click(),
    ]);
    expect(download.suggestedFilename()).toBe('Quittung März.pdf');
    expect((await buffer(await download.createReadStream())).equals(paper)).toBe(true);

    // Deletes a file and undoes the deletion, deletes another file, and adds a file that is never saved.
    await button(panel, 'Open Billing Payment').click();
    await tab.click();
    await button(dialog, 'Delete photo.png').click();
    await button(dialog, 'Restore photo.png').click();
    await button(dialog, 'Delete note.txt').click();
    await expect.poll(() => tab.innerText()).toContain('(2)');
    await checkLook(page, 'attachments of a saved payment, one of them deleted');
    await payment.post();
    await gone(dialog);
    const [saved] = await paymentsOf(api, customerId);
    expect(saved?.documentLinks.map((link) => link.documentName)).toEqual(['Quittung März.pdf', 'photo.png']);
    await droppedBeside(page);
  },
);

journey(
  "a bill opens with files that can't be shown, each with a reason and a download, and without a password prompt",
  async (stage) => {
    const { administrator } = await stage.company('Odd Papers');
    await addVendor(administrator.api, 'Quarry Supply');
    const page = await stage.open('/expenses?edit=0', { as: administrator });
    let asked = 0;
    page.on('dialog', (box) => {
      asked += 1;
      void box.dismiss();
    });
    const entry = new BillingEntry(page, 'Expense Entry');
    const { dialog } = entry;
    const pdf = 'application/pdf';
    const files = [
      { name: 'damaged.pdf', mimeType: pdf, buffer: Buffer.from('%PDF-1.7\nnothing of a PDF') },
      { name: 'locked.pdf', mimeType: pdf, buffer: pdfOf({ pages: 1, isLocked: true }) },
      { name: 'none.pdf', mimeType: pdf, buffer: pdfOf({ pages: 0 }) },
      { name: 'broken.png', mimeType: 'image/png', buffer: brokenPicture() },
      { name: 'banner.pdf', mimeType: pdf, buffer: pdfOf({ pages: 1, sides: [10, 14_400] }) },
      { name: 'long.pdf', mimeType: pdf, buffer: pdfOf({ pages: 1000 }) },
    ];
    const unshown: Record<string, string> = {
      'locked.pdf': 'This file is protected by a password',
      'banner.pdf': '',
      'long.pdf': '',
    };
    const walk = async (): Promise<void> => {
      const shown = dialog.getByRole('region', { name: 'Receipt' });
      for (const [at, { name, buffer: bytes }] of files.entries()) {
        if (at > 0) await button(shown, 'Next file').click();
        await seen(shown.getByText(name, { exact: true }));
        const words = unshown[name] ?? "This file can't be previewed";
        if (words === '') {
          await seen(shown.getByLabel(/^Page 1 of/).locator('canvas'));
          continue;
        }
        await seen(shown.getByText(words));
        const [download] = await Promise.all([page.waitForEvent('download'), button(shown, 'Download').click()]);
        expect([download.suggestedFilename(), (await buffer(await download.createReadStream())).length]).toEqual([
          name,
          bytes.length,
        ]);
      }
      // Only the visible pages out of 1,000 are drawn, and the last visible page is scrolled into view afterward.
      expect(await shown.locator('canvas').count()).toBeLessThan(10);
      await shown.locator('.ek-pdf-page').last().scrollIntoViewIfNeeded();
      await seen(shown.getByLabel('Page 1000 of 1000').getByText('Delivery note'));
      await expect.poll(() => shown.locator('canvas').count()).toBeLessThan(10);
    };

    await pick(dialog, 'Vendor', 'Quarry Supply');
    await field(dialog, 'Invoice Number').fill('QS-78');
    await entry.line({ account: 'Office Supplies', description: 'Gravel', amount: '1,200' });
    await dialog.getByRole('tab', { name: /^Attachments/ }).click();
    await dialog.getByLabel('Attach Files').and(dialog.locator('input')).setInputFiles(files);
    await walk();
    await button(dialog, 'Save/Send').click();
    await gone(dialog);
    await button(new Billing(page).panel('Bill QS-78'), 'Open Expense Invoice').click();
    await walk();
    await checkLook(page, 'a bill beside a file of 1,000 pages');
    expect(asked).toBe(0);
  },
);
