import type { BankingAccount } from '@evenkeel/contract/banking';
import {
  type Reconciliation,
  ReconciliationProgress,
  reconciliationCalls,
  type UnreconciledEntries,
} from '@evenkeel/contract/reconciliation';
import { formatDate } from '@evenkeel/core/dates';
import { useEffect, useState } from 'react';
import { ask, type Read, send, useClearCache, useRead, useStale } from '../../client/api.ts';
import { AttachmentPane } from '../../parts/attachments/AttachmentTabs.tsx';
import { countOf } from '../../parts/attachments/attachmentForm.ts';
import { isOurs, useAttachments } from '../../parts/attachments/useAttachments.ts';
import { useAccountChoices } from '../../parts/choices/accounts.ts';
import { useManages } from '../../records/active.tsx';
import { Loaded } from '../../records/Loaded.tsx';
import { ClosingReason } from '../../records/RecordModal.tsx';
import { useOne } from '../../records/records.ts';
import { StaleChoice } from '../../records/StaleChoice.tsx';
import { type RecordForm, useRecordForm } from '../../records/useRecordForm.ts';
import { DateField } from '../../ui/fields/DateField.tsx';
import { MoneyField } from '../../ui/fields/MoneyField.tsx';
import { Picker } from '../../ui/fields/Picker.tsx';
import { useToday } from '../../ui/hooks/today.tsx';
import { FooterBar } from '../../ui/overlay/FooterBar.tsx';
import { Page } from '../../ui/page/Page.tsx';
import { FormErrorSummary } from '../../ui/show/FormErrorSummary.tsx';
import { bankAccounts, progressOf, unreconciledOf } from './banking.ts';
import { type BankSide, useBankSide } from './bankSide.ts';
import { Difference } from './Difference.tsx';
import { EntryTicks } from './EntryTicks.tsx';
import {
  type Figures,
  figuresOf,
  progressInput,
  ReconcileForm,
  reconcileFaults,
  reconcileFormOf,
  reconciliationInput,
  withEntries,
} from './reconcileForm.ts';

export interface ReconcileProps {
  bankAccountId: number;
  onClose: () => void;
}

const TOLD = { alert: 'Error Loading Account Entries' };

/** The reconciliation form. The account, its entries, and any reconciliation in progress are loaded first. */
export function Reconcile({ bankAccountId, onClose }: ReconcileProps) {
  const account = useOne(bankAccounts, bankAccountId);
  const glAccountID = account.value?.glAccountID ?? 0;
  const entries = useRead(unreconciledOf(glAccountID), { ...TOLD, keep: true, enabled: glAccountID > 0 });
  const progress = useRead(progressOf(bankAccountId), TOLD);
  const bank = useBankSide(bankAccountId, TOLD.alert);
  const reads: Read<unknown>[] = [account, entries, progress, ...bank.reads];
  const { side } = bank;
  if (
    account.value !== undefined &&
    entries.value !== undefined &&
    progress.value !== undefined &&
    side !== undefined
  ) {
    const read = { account: account.value, entries: entries.value, progress: progress.value, side };
    return <Working {...read} onClose={onClose} />;
  }
  const read = {
    value: undefined,
    error: reads.find(({ error }) => error !== undefined)?.error,
    retry: async () => void (await Promise.all(reads.map(({ retry }) => retry()))),
  };
  return (
    <Page title="Reconcile" onClose={onClose}>
      <Loaded read={read}>{() => null}</Loaded>
    </Page>
  );
}

type Tab = 'info' | 'receivables' | 'payables' | 'attachments';

interface WorkingProps {
  account: BankingAccount;
  entries: UnreconciledEntries;
  progress: ReconciliationProgress;
  side: BankSide;
  onClose: () => void;
}

/** Manages the form and its two actions: finishing the reconciliation, or saving it in progress. */
function useReconcileForm({ account, entries, progress, side, onClose }: WorkingProps) {
  const { bankingAccountID, glAccountID } = account;
  const today = useToday();
  const stale = useStale();
  const forget = useClearCache();
  const files = useAttachments();
  const manages = useManages('Manage Banking');
  const lastDate = entries.mostRecentReconDate;
  const params = { bankAccountId: bankingAccountID };
  const form = useRecordForm<Reconciliation | ReconciliationProgress, ReconcileForm>({
    name: `reconciliation:${bankingAccountID}`,
    id: 0,
    saved: undefined,
    formOf: (one) =>
      reconcileFormOf(one !== undefined && 'openedBy' in one ? one : progress, {
        lastDate,
        today,
        matched: side.matched,
      }),
    schema: ReconcileForm,
    check: (typed) => reconcileFaults(typed, lastDate),
    before: files.before,
    onFaults: files.onFaults,
    send: async (typed, { place, reason }) => {
      const ids = { figures: figuresOf(typed, entries), accountID: glAccountID, bankAccountID: bankingAccountID };
      const body = { ...reconciliationInput(typed, ids), ...(reason === '' ? {} : { closingOverrideReason: reason }) };
      return send(ask(reconciliationCalls.createReconciliation, { body }), place);
    },
    keep: async (typed) =>
      send(ask(reconciliationCalls.saveReconciliationProgress, { params, body: progressInput(typed) })),
    reply: ReconciliationProgress,
    words: { saved: (one) => ('openedBy' in one ? 'Saved in progress' : 'Recon saved') },
    onSaved: () => {
      forget(progressOf(bankingAccountID));
      stale();
      onClose();
    },
    isReadOnly: !manages,
  });
  return { form, files };
}

function Working(props: WorkingProps) {
  const { account, entries, side, onClose } = props;
  const { form, files } = useReconcileForm(props);
  const [tab, setTab] = useState<Tab>('info');
  const figures = figuresOf(form.values, entries);
  const { values, change, isReadOnly } = form;
  const onTick = (on: readonly number[], off: readonly number[]) => change((typed) => withEntries(typed, on, off));
  const lastDate = entries.mostRecentReconDate;
  useFaultTab(form, setTab);
  const pick = (next: Tab) => {
    files.setTab(next === 'attachments' ? 'attachments' : 'main');
    setTab(next);
  };
  return (
    <Page<Tab>
      title={`Reconcile ${account.name}`}
      meta={lastDate === null ? 'Never reconciled' : `Last reconciled ${formatDate(lastDate)}`}
      onClose={onClose}
      tabs={{ tabs: tabsOf(figures, form), value: tab, onChange: pick }}
    >
      <div className="bk-recon">
        <div className="bk-recon-main" data-scroll={tab === 'info' || tab === 'attachments' ? '' : undefined}>
          <Messages form={form} />
          {(tab === 'info' || tab === 'attachments') && (
            <AttachmentPane form={form} files={files}>
              <StatementInfo form={form} />
            </AttachmentPane>
          )}
          {tab === 'receivables' && (
            <EntryTicks
              key="receivables"
              label="Receivables"
              entries={figures.receivables.entries}
              ticked={values.entries}
              {...{ onTick, isReadOnly }}
            />
          )}
          {tab === 'payables' && (
            <EntryTicks
              key="payables"
              label="Payables"
              entries={figures.payables.entries}
              ticked={values.entries}
              {...{ onTick, isReadOnly }}
            />
          )}
        </div>
        <aside className="bk-recon-side" aria-label="Reconciled balance">
          <div className="bk-recon-sums">
            <Difference form={values} figures={figures} side={side} onTick={isReadOnly ? undefined : onTick} />
          </div>
          {!isReadOnly && <Foot form={form} figures={figures} />}
        </aside>
      </div>
    </Page>
  );
}

/** Opens the tab that contains an invalid field. */
function useFaultTab(form: RecordForm<ReconcileForm>, setTab: (tab: Tab) => void): void {
  const wrong = Object.keys(form.fields).some((path) => !isOurs(path));
  useEffect(() => {
    if (wrong) setTab('info');
  }, [wrong, setTab]);
}

function tabsOf({ receivables, payables }: Figures, form: RecordForm<ReconcileForm>) {
  return [
    { value: 'info', label: 'Statement Info' },
    { value: 'receivables', label: 'Receivables', count: receivables.entries.length },
    { value: 'payables', label: 'Payables', count: payables.entries.length },
    { value: 'attachments', label: 'Attachments', count: countOf(form.values.documentLinks) },
  ] as const;
}

function Messages({ form }: { form: RecordForm<ReconcileForm> }) {
  const { problems, stale, closed } = form;
  if (problems.length === 0 && stale === undefined && closed === undefined) return null;
  return (
    <div className="bk-messages">
      <FormErrorSummary problems={problems.map((message) => ({ message }))} />
      {stale !== undefined && <StaleChoice onTheirs={stale.theirs} onMine={stale.mine} />}
      {closed !== undefined && <ClosingReason value={closed.reason} onChange={closed.setReason} />}
    </div>
  );
}

function StatementInfo({ form }: { form: RecordForm<ReconcileForm> }) {
  const { bind } = form;
  const { accounts } = useAccountChoices();
  return (
    <div className="ek-form bk-info">
      <DateField {...bind('statementDate')} label="Statement Date" span={6} />
      <MoneyField {...bind('statementBalance')} label="Statement Balance" span={6} />
      <MoneyField {...bind('bankCharge')} label="Bank Charge" span={6} />
      <Picker {...bind('bankChargeAccountID')} options={accounts} label="Bank Charge Account" span={6} />
      <MoneyField {...bind('interest')} label="Interest" span={6} />
      <Picker {...bind('interestAccountID')} options={accounts} label="Interest Account" span={6} />
    </div>
  );
}

function Foot({ form, figures }: { form: RecordForm<ReconcileForm>; figures: Figures }) {
  const { busy, isKeeping } = form;
  const isBalanced = figures.difference === 0;
  return (
    <FooterBar
      primary={{ label: 'Save', onClick: form.save, busy: busy && !isKeeping, disabled: !isBalanced }}
      actions={[{ label: 'Save in progress', onClick: () => form.keep?.(), busy: busy && isKeeping }]}
    />
  );
}
