import { FormSettings, formCalls } from '@evenkeel/contract/forms1099';
import { checkTaxId, partName } from '@evenkeel/core/taxes/forms1099';
import { type AccountBox, accountBoxIds, formBoxIds, taxIdKinds } from '@evenkeel/core/taxes/ids';
import { ActionIcon, Button } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import * as z from 'zod';
import { ask, send, useRead, useStale } from '../../client/api.ts';
import { endedTaxId } from '../../parts/entities/VendorTaxModal.tsx';
import { useAccountChoices } from '../../parts/choices/accounts.ts';
import { useManages } from '../../records/active.tsx';
import { LoadedModal, RecordModal } from '../../records/RecordModal.tsx';
import { binderOf, type RecordForm, useRecordForm } from '../../records/useRecordForm.ts';
import { Picker } from '../../ui/fields/Picker.tsx';
import { TextField } from '../../ui/fields/TextField.tsx';
import { ICON_SMALL } from '../../ui/show/icons.ts';

const Row = z.object({ key: z.number(), accountId: z.number().nullable(), box: z.enum(accountBoxIds).nullable() });
type Row = z.output<typeof Row>;

const SettingsForm = z.object({
  taxIdKind: z.enum(taxIdKinds).nullable(),
  accounts: z.array(Row),
  rowVersion: z.number().nullable(),
});
type SettingsForm = z.output<typeof SettingsForm>;

const BOXES: readonly { id: AccountBox; label: string }[] = [
  ...formBoxIds.map((id) => ({ id, label: partName(id) })),
  { id: 'withheld', label: 'Box 4: Backup withholding (liability account)' },
  { id: 'network', label: 'Payment network (bank account)' },
];
const KINDS = [
  { id: 'ein' as const, label: 'EIN' },
  { id: 'ssn' as const, label: 'SSN' },
];

/** The company's tax ID, and the 1099 form box for each account. */
export function FormSettingsModal({ onClose }: { onClose: () => void }) {
  const read = useRead(ask(formCalls.getFormSettings, {}), { alert: 'Error Loading 1099 Settings', isFresh: true });
  return (
    <LoadedModal read={read} title="1099 Settings" size="lg" grows onClose={onClose}>
      {(saved) => saved !== undefined && <Loaded saved={saved} onClose={onClose} />}
    </LoadedModal>
  );
}

function Loaded({ saved, onClose }: { saved: FormSettings; onClose: () => void }) {
  const stale = useStale();
  // The tax ID is not part of the form, because the browser stores its draft.
  const [taxId, setTaxId] = useState<string>();
  const form = useRecordForm<FormSettings, SettingsForm>({
    name: '1099 settings',
    id: 1,
    saved,
    formOf: (settings = saved) => ({
      taxIdKind: settings.taxIdKind ?? 'ein',
      accounts: settings.accounts.map((row, key) => ({ ...row, key })),
      rowVersion: settings.rowVersion,
    }),
    schema: SettingsForm,
    check: ({ accounts, taxIdKind }) => ({
      ...(taxId === undefined ? {} : checkTaxId({ taxId, taxIdKind })),
      ...Object.fromEntries(
        accounts.flatMap(({ accountId, box }, at) => [
          ...(accountId === null ? [[`accounts.${at}.accountId`, 'Please Select an Account']] : []),
          ...(box === null ? [[`accounts.${at}.box`, 'Please select a box']] : []),
        ]),
      ),
    }),
    reply: FormSettings,
    send: async ({ accounts, taxIdKind, rowVersion }) => {
      const body = {
        rowVersion,
        accounts: accounts.flatMap(({ accountId, box }) =>
          accountId === null || box === null ? [] : [{ accountId, box }],
        ),
        ...(taxId === undefined ? {} : { taxId, taxIdKind }),
      };
      const next = await send(ask(formCalls.updateFormSettings, { body }));
      stale();
      return next;
    },
    words: { saved: () => '1099 settings saved' },
    onSaved: onClose,
    isReadOnly: !useManages('Manage Accounting'),
  });
  return (
    <RecordModal form={form} title="1099 Settings" size="lg" grows onClose={onClose}>
      <div className="ek-form">
        <Picker {...form.bind('taxIdKind')} label="Your Tax ID Type" options={KINDS} span={6} />
        <TextField
          label="Your Tax ID"
          hint={
            saved.taxIdEnd === ''
              ? 'Nine digits. The number is encrypted and printed on every form.'
              : `Saved: ${endedTaxId(saved.taxIdEnd)}. Enter another number to replace it.`
          }
          value={taxId ?? ''}
          onChange={(text) => setTaxId(text === '' ? undefined : text)}
          error={form.errorOf('taxId')}
          readOnly={form.isReadOnly}
          maxLength={11}
          span={6}
        />
      </div>
      <Accounts form={form} proposed={saved.proposed} />
    </RecordModal>
  );
}

interface AccountsProps {
  form: RecordForm<SettingsForm>;
  proposed: FormSettings['proposed'];
}

function Accounts({ form, proposed }: AccountsProps) {
  const { values, patch, isReadOnly } = form;
  const { accounts } = useAccountChoices();
  const labelOf = (id: number) => accounts.find((account) => account.id === id)?.label ?? '';
  const change = (at: number, next: Row) =>
    patch({ accounts: values.accounts.map((each, index) => (index === at ? next : each)) });
  const add = (row: Omit<Row, 'key'>) => {
    const key = Math.max(-1, ...values.accounts.map((each) => each.key)) + 1;
    patch({ accounts: [...values.accounts, { ...row, key }] });
  };
  const open = proposed.filter(({ accountId }) => !values.accounts.some((row) => row.accountId === accountId));
  return (
    <section className="ek-stack" aria-label="Boxes">
      <h3 className="tx-head">Boxes</h3>
      <p className="ek-second ek-small tx-for">
        Payments posted to these accounts are reported in the box. To withhold tax from a bill, add a credit line with
        the account for backup withholding.
      </p>
      {values.accounts.map((row, at) => {
        const bind = binderOf({
          values: row,
          onChange: (next) => change(at, next),
          errorOf: (field) => form.errorOf(`accounts.${at}.${field}`),
          isReadOnly,
        });
        return (
          <div className="tx-box" key={row.key}>
            <Picker {...bind('accountId')} label="Account" options={accounts} />
            <Picker {...bind('box')} label="Box" options={BOXES} />
            {!isReadOnly && (
              <ActionIcon
                aria-label={`Delete box ${at + 1}`}
                onClick={() => patch({ accounts: values.accounts.filter((_, index) => index !== at) })}
              >
                <IconTrash {...ICON_SMALL} />
              </ActionIcon>
            )}
          </div>
        );
      })}
      {!isReadOnly && (
        <div>
          <Button
            variant="default"
            size="xs"
            leftSection={<IconPlus {...ICON_SMALL} />}
            onClick={() => add({ accountId: null, box: null })}
          >
            Add Account
          </Button>
        </div>
      )}
      {!isReadOnly && open.length > 0 && (
        <div>
          <p className="ek-second ek-small tx-for">Suggested from account names:</p>
          <ul className="tx-facts">
            {open.map(({ accountId, box }) => (
              <li key={accountId}>
                <span aria-hidden="true" />
                <div>
                  {labelOf(accountId)}
                  <span className="ek-second ek-small tx-note">{boxLabel(box)}</span>
                </div>
                <div className="tx-fix">
                  <Button
                    variant="default"
                    size="xs"
                    aria-label={`Add ${labelOf(accountId)}`}
                    onClick={() => add({ accountId, box })}
                  >
                    Add
                  </Button>
                </div>
              </li>
            ))}
          </ul>
        </div>
      )}
    </section>
  );
}

const boxLabel = (box: AccountBox): string => (box === 'withheld' || box === 'network' ? '' : partName(box));
