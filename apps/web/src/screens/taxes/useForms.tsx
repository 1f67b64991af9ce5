import { companyCalls } from '@evenkeel/contract/company';
import { entityCalls } from '@evenkeel/contract/entities';
import { formCalls, type FormYear } from '@evenkeel/contract/forms1099';
import { formatDate } from '@evenkeel/core/dates';
import { IconDownload } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { ask, inAlert, messageOf, send, useRead, useStale } from '../../client/api.ts';
import { call } from '../../client/transport.ts';
import { VendorTaxModal } from '../../parts/entities/VendorTaxModal.tsx';
import { LOOK_MS } from '../../parts/sending/watch.ts';
import { useManages } from '../../records/active.tsx';
import { useAddressText, useOpenRecord } from '../../records/openRecord.ts';
import { usePlace } from '../../records/place.ts';
import { useAlerts } from '../../ui/alerts/Alerts.tsx';
import { useOnce } from '../../ui/hooks/once.ts';
import { saveFile } from '../../ui/hooks/saveFile.ts';
import { useToday } from '../../ui/hooks/today.tsx';
import type { PageAction } from '../../ui/page/Page.tsx';
import { ICON_SMALL } from '../../ui/show/icons.ts';
import { counted } from '../../ui/show/words.ts';
import { CopiesModal } from './CopiesModal.tsx';
import { useDelivery } from './delivery.ts';
import { FileFormsModal, FiledFormModal } from './FileFormsModal.tsx';
import { FormPanel, type FormPanelProps } from './FormPanel.tsx';
import { type FormRow, formsOfYear, keyOf, useOpenForm } from './forms1099.ts';
import { FormSettingsModal } from './FormSettingsModal.tsx';
import { FormsList } from './FormsList.tsx';

/** Returns the buttons, panel, list, and dialogs for 1099 forms. */
export function useForms(): {
  page: { primary?: PageAction | undefined; secondary: PageAction[]; panel: ReactNode };
  list: ReactNode;
  dialogs: ReactNode;
} {
  const place = usePlace();
  const [year] = useAddressText('year');
  const read = useRead(formsOfYear(year), { keep: true, alert: 'Error Loading 1099 Forms' });
  const open = useOpenForm();
  const tax = useOpenRecord('tax', { hasNew: false });
  const filed = useOpenRecord('filed', { hasNew: false });
  const file = useOpenRecord('file');
  const manages = useManages('Manage Accounting');
  const { value } = read;
  const row = value?.rows.find((each) => keyOf(each) === open.key);
  const ready = value?.rows.filter(({ status }) => status === 'ready') ?? [];
  const onRequest = useRequest(row);
  const w9 = useW9(row);
  const download = useExport(value);
  const settings = { isOpen: place.query.has('boxes'), open: () => place.go({ boxes: 1 }, { step: ['boxes'] }) };
  const copies = { isOpen: place.query.has('copies'), open: () => place.go({ copies: 1 }, { step: ['copies'] }) };
  const delivery = useDelivery();
  // The state of a copy changes when the mail server accepts or rejects the email.
  const isSending = value?.rows.some(({ copy }) => copy?.state === 'queued') === true;
  useRead(formsOfYear(year), { enabled: isSending && (copies.isOpen || row !== undefined), everyMs: LOOK_MS });
  const isFiling = manages && ready.length > 0 && value?.payerMissing.length === 0;
  const primary = isFiling
    ? {
        label: `Mark ${counted(ready.length, { one: 'Form', many: 'Forms' })} as Filed`,
        icon: null,
        onClick: () => file.open(0),
      }
    : undefined;
  // 0 marks all ready forms as filed, and 1 marks only the open form.
  const filing = file.id === 0 ? ready : row === undefined ? [] : [row];
  return {
    page: {
      // While the panel is open, the panel has the primary button.
      ...(row === undefined ? { primary } : {}),
      secondary: [
        { label: '1099 Settings', icon: null, quiet: true, onClick: settings.open },
        { label: 'Recipient Copies', icon: null, quiet: true, onClick: copies.open },
        ...(download === undefined ? [] : [download]),
        ...(row === undefined || primary === undefined ? [] : [primary]),
      ],
      panel: row !== undefined && value !== undefined && (
        <FormPanel
          key={open.key}
          row={row}
          of={value}
          w9={w9}
          onEdit={() => tax.open(row.vendorId)}
          onRequest={onRequest}
          onFile={() => file.open(1)}
          onFiled={filed.open}
          onBoxes={settings.open}
          onClose={open.close}
        />
      ),
    },
    list: (
      <FormsList
        read={read}
        open={open}
        onYear={(next) => place.go({ year: next, nec: undefined, misc: undefined })}
        onSettings={settings.open}
        onRequest={onRequest}
      />
    ),
    dialogs: (
      <>
        {tax.id !== undefined && <VendorTaxModal vendorId={tax.id} onClose={tax.close} />}
        {settings.isOpen && <FormSettingsModal onClose={() => place.go({ boxes: undefined })} />}
        {copies.isOpen && value !== undefined && (
          <CopiesModal of={value} delivery={delivery} onClose={() => place.go({ copies: undefined })} />
        )}
        {file.id !== undefined && value !== undefined && filing.length > 0 && (
          <FileFormsModal key={file.id} of={value} rows={filing} onClose={file.close} />
        )}
        {filed.id !== undefined && <FiledFormModal id={filed.id} onClose={filed.close} />}
      </>
    ),
  };
}

const TOLD = inAlert('Error Loading 1099 Information');

/**
 * Returns the dates when Form W-9 was requested from a row's vendor and when it was received. Undefined while it loads.
 */
function useW9(row: FormRow | undefined): FormPanelProps['w9'] {
  const { value, error } = useRead(ask(formCalls.getVendorTax, { params: { id: row?.vendorId ?? 0 } }), {
    enabled: row !== undefined,
    ...TOLD,
  });
  if (error !== undefined) return { requested: null, received: undefined };
  if (value === undefined || value.vendorId !== row?.vendorId) return undefined;
  const day = (date: typeof value.w9Date) => (date === null ? null : formatDate(date));
  return { requested: day(value.w9Requested), received: day(value.w9Date) };
}

/**
 * Returns the function that requests Form W-9. The function records the date and opens an email in the user's email
 * program.
 */
function useRequest(row: FormRow | undefined): (() => void) | undefined {
  const alerts = useAlerts();
  const stale = useStale();
  const once = useOnce();
  const today = useToday();
  const company = useRead(ask(companyCalls.getCompany, {})).value;
  const manages = useManages('Manage Vendors');
  const mayRequest = row !== undefined && manages && row.missing.includes('taxId');
  const { value: vendor } = useRead(ask(entityCalls.getVendor, { params: { id: row?.vendorId ?? 0 } }), {
    enabled: mayRequest,
    ...TOLD,
  });
  const { value: tax } = useRead(ask(formCalls.getVendorTax, { params: { id: row?.vendorId ?? 0 } }), {
    enabled: mayRequest,
    ...TOLD,
  });
  if (!mayRequest || vendor === undefined || tax === undefined) return undefined;
  return () =>
    void once.run(async () => {
      const { is1099, classification, w9Date, rowVersion } = tax;
      const body = { is1099, classification, w9Date, w9Requested: today, rowVersion };
      try {
        await send(ask(formCalls.updateVendorTax, { params: { id: row.vendorId }, body }));
      } catch (error) {
        alerts.error(messageOf(error));
        return undefined;
      }
      stale();
      window.location.href = mailOf(vendor.primaryContactEmail || vendor.emailAddress, company?.displayname ?? '');
      return true;
    });
}

/** Returns a mailto link for the email that requests Form W-9. */
export function mailOf(address: string, company: string): string {
  const subject = `Form W-9 for ${company}`;
  const text = [
    'Hello,',
    '',
    `Please complete Form W-9 (www.irs.gov/pub/irs-pdf/fw9.pdf), so that ${company} can report its payments to you.`,
    "Please don't send your Social Security number by email. Call us, or send the form by mail.",
    '',
    'Thank you,',
    company,
  ].join('\r\n');
  const query = [`subject=${encodeURIComponent(subject)}`, `body=${encodeURIComponent(text)}`].join('&');
  return `mailto:${encodeURIComponent(address)}?${query}`;
}

/** Returns the button that saves the files for the IRS. Only users who can edit vendors see tax IDs. */
function useExport(value: FormYear | undefined): PageAction | undefined {
  const alerts = useAlerts();
  const once = useOnce();
  const manages = useManages('Manage Vendors');
  if (!manages || value === undefined || value.irisFiles === 0 || value.payerMissing.length > 0) return undefined;
  const { year, irisFiles, figures } = value;
  const save = () =>
    void once.run(async () => {
      try {
        for (let part = 1; part <= irisFiles; part += 1) {
          const { bytes } = await call(formCalls.exportForms, { query: { year, part } });
          const name =
            irisFiles > 1 ? `IRIS 1099-NEC ${year} part ${part} of ${irisFiles}.csv` : `IRIS 1099-NEC ${year}.csv`;
          saveFile(name, [new Uint8Array(bytes)]);
        }
      } catch (error) {
        alerts.error(messageOf(error));
        return undefined;
      }
      const missing =
        figures.missing === 0
          ? ''
          : ` ${counted(figures.missing, { one: 'form', many: 'forms' })} with missing information are not included.`;
      const files = counted(irisFiles, { one: 'file', many: 'files' });
      alerts.success(`${files} with tax IDs saved.${missing}`);
      return true;
    });
  return { label: 'Export CSV (IRIS)', icon: <IconDownload {...ICON_SMALL} />, onClick: save };
}
