import './settings.css';
import './payments.css';
import { type OnlineConnection, onlineCalls, OnlinePayments } from '@evenkeel/contract/online';
import { cents } from '@evenkeel/core/money';
import { Button } from '@mantine/core';
import { useState } from 'react';
import * as z from 'zod';
import { ask, type Read, useRead, useWrite } from '../../client/api.ts';
import { isAdministrator, useSession } from '../../client/session.ts';
import { usePostingAccounts } from '../../parts/banking/postingAccounts.ts';
import { usePaymentChoices } from '../../parts/documents/payment/moneyAccounts.ts';
import { Money } from '../../records/formFields.ts';
import { InlineAlert } from '../../ui/alerts/InlineAlert.tsx';
import { MoneyField } from '../../ui/fields/MoneyField.tsx';
import { Picker } from '../../ui/fields/Picker.tsx';
import { SwitchField } from '../../ui/fields/SwitchField.tsx';
import { Page } from '../../ui/page/Page.tsx';
import { CopyButton } from '../../ui/show/CopyButton.tsx';
import { ErrorState } from '../../ui/show/EmptyState.tsx';
import { Lines } from '../../ui/show/Lines.tsx';
import { MomentText } from '../../ui/show/MomentText.tsx';
import { Status } from '../../ui/show/Status.tsx';
import { ClearingPanel } from './ClearingPanel.tsx';
import { ConnectModal, DisconnectModal } from './ConnectModal.tsx';
import { FormHistory, FormNotes } from './FormNotes.tsx';
import { Pane } from './Pane.tsx';
import { Section } from './Section.tsx';
import { SettingFacts } from './SettingsCards.tsx';
import { changedLabels, useSettingsForm } from './settingsForm.ts';

const PAYMENTS = ask(onlineCalls.getOnlinePayments, {});
const CLEARING = ask(onlineCalls.onlineClearing, {});
/** Events arrive while the page is open. */
const LIVE_MS = 30_000;

/** Online payments: their settings, for administrators, and the clearing account with its reviews. */
export function PaymentsScreen() {
  const isAdmin = isAdministrator(useSession());
  const settings = useRead(PAYMENTS, {
    enabled: isAdmin,
    keep: true,
    everyMs: LIVE_MS,
    alert: 'Error Loading Payments',
  });
  const clearing = useRead(CLEARING, { keep: true, everyMs: LIVE_MS, alert: 'Error Loading Clearing Account' });
  const back = isAdmin ? { label: 'Settings', to: '/settings' } : undefined;
  return (
    <Page title="Online Payments" back={back}>
      {(isAdmin && isLoading(settings)) || isLoading(clearing) ? (
        <p className="ek-page-pad ek-muted" role="status">
          Loading...
        </p>
      ) : (
        <div className="op-body">
          {isAdmin && (
            <Pane label="Online payment settings">
              {settings.error !== undefined && <ErrorState message={settings.error} onRetry={settings.retry} />}
              {settings.value !== undefined && <Setup payments={settings.value} />}
            </Pane>
          )}
          <aside className="op-aside" aria-label="Clearing account" tabIndex={0}>
            {clearing.error !== undefined && <ErrorState message={clearing.error} onRetry={clearing.retry} />}
            {clearing.value !== undefined && <ClearingPanel clearing={clearing.value} />}
          </aside>
        </div>
      )}
    </Page>
  );
}

/**
 * The settings and the clearing account appear at the same time, because settings that appear later would move the
 * clearing account down on a phone.
 */
const isLoading = ({ value, error }: Pick<Read<unknown>, 'value' | 'error'>): boolean =>
  value === undefined && error === undefined;

function Setup({ payments }: { payments: OnlinePayments }) {
  const { connection } = payments;
  const [dialog, setDialog] = useState<'connect' | 'disconnect'>();
  const close = () => setDialog(undefined);
  const isConnected = connection?.isConnected === true;
  return (
    <>
      <Section
        title="Stripe"
        hint="Customers pay invoices by card or bank debit on Stripe's page."
        beside={<State connection={connection} />}
        actions={
          <>
            <Button variant={isConnected ? 'default' : 'filled'} size="xs" onClick={() => setDialog('connect')}>
              {isConnected ? 'Replace Key' : 'Connect'}
            </Button>
            {isConnected && (
              <Button variant="subtle" size="xs" className="ek-btn-delete" onClick={() => setDialog('disconnect')}>
                Disconnect
              </Button>
            )}
          </>
        }
      >
        {isConnected ? <Facts payments={payments} connection={connection} /> : <Steps payments={payments} />}
      </Section>
      {connection !== null && <Rules payments={payments} connection={connection} />}
      {dialog === 'connect' && <ConnectModal isConnected={isConnected} onClose={close} />}
      {dialog === 'disconnect' && <DisconnectModal onClose={close} />}
    </>
  );
}

function State({ connection }: { connection: OnlineConnection | null }) {
  if (connection?.isConnected !== true) return <Status look="plain">Not connected</Status>;
  return (
    <>
      <Status look="done">Connected</Status>
      {!connection.isLive && <Status look="hold">Test mode</Status>}
    </>
  );
}

/** The steps in Stripe before connecting. */
function Steps({ payments: { webhookUrl, events } }: { payments: OnlinePayments }) {
  return (
    <ol className="op-steps">
      <li>
        In Stripe, create a restricted key with write access to Checkout Sessions, and read access to charges, refunds,
        disputes, payouts, and balance transactions.
      </li>
      <li>
        Add a webhook with this address and the events below.
        <div className="op-url">
          <code>{webhookUrl}</code>
          <CopyButton label="Copy" text={webhookUrl} />
        </div>
        <details>
          <summary>{events.length} events</summary>
          <Lines texts={events} />
        </details>
      </li>
      <li>Connect with the key and the webhook’s signing secret. Missing accounts are created.</li>
    </ol>
  );
}

interface ConnectedProps {
  payments: OnlinePayments;
  connection: OnlineConnection;
}

function Facts({ payments: { lastEventAt, waiting, waitingError, webhookUrl }, connection }: ConnectedProps) {
  const { keyHint, connectedAt } = connection;
  return (
    <>
      {waiting > 0 && waitingError !== null && (
        <InlineAlert kind="Warning">{`${waiting} events are waiting to be posted: ${waitingError}`}</InlineAlert>
      )}
      <SettingFacts
        facts={[
          { label: 'Restricted Key', value: <code>{keyHint}</code> },
          { label: 'Connected', value: <MomentText value={connectedAt} /> },
          { label: 'Last Event', value: lastEventAt === null ? 'None yet' : <MomentText value={lastEventAt} /> },
          { label: 'Webhook Address', value: <code className="op-code">{webhookUrl}</code> },
        ]}
      />
    </>
  );
}

const Form = z.object({
  paysNow: z.boolean(),
  paysParts: z.boolean(),
  leastPart: Money.nullable(),
  limitsCards: z.boolean(),
  mostByCard: Money.nullable(),
  clearingBankAccountId: z.number().nullable(),
  payoutBankAccountId: z.number().nullable(),
  feeAccountId: z.number().nullable(),
  reviewAccountId: z.number().nullable(),
  rowVersion: z.number(),
});
type Form = z.output<typeof Form>;

const LABELS = {
  paysNow: 'Pay Now on Invoices',
  paysParts: 'Pay a Part',
  leastPart: 'Smallest Part',
  limitsCards: 'Limit Card Payments',
  mostByCard: 'Maximum Card Payment',
  clearingBankAccountId: 'Clearing Account',
  payoutBankAccountId: 'Payouts To',
  feeAccountId: 'Fee Account',
  reviewAccountId: 'Disputes and Review',
};
const NAMES = [
  'paysNow',
  'paysParts',
  'leastPart',
  'limitsCards',
  'mostByCard',
  'clearingBankAccountId',
  'payoutBankAccountId',
  'feeAccountId',
  'reviewAccountId',
] as const;
const LABELED = NAMES.map((name) => [name, LABELS[name]] as const);

/** The default minimum for partial payments. */
const USUAL_PART = cents(5000);

/** The default maximum for card payments. */
const USUAL_LIMIT = cents(500_000);

/** The form for the payment options that customers have, and for the accounts. */
function Rules({ payments, connection }: ConnectedProps) {
  const write = useWrite(onlineCalls.saveOnlinePayments);
  const { banks } = usePaymentChoices();
  const { options } = usePostingAccounts(0);
  const form = useSettingsForm<OnlinePayments, Form>({
    name: 'online payments',
    asked: PAYMENTS,
    saved: payments,
    formOf: (one) => {
      const { leastPart, mostByCard = null, ...rules } = one.connection ?? connection;
      const { paysNow, clearingBankAccountId, payoutBankAccountId, feeAccountId, reviewAccountId } = rules;
      const accounts = { clearingBankAccountId, payoutBankAccountId, feeAccountId, reviewAccountId };
      const paysParts = leastPart !== null;
      const cards = { limitsCards: mostByCard !== null, mostByCard: mostByCard ?? USUAL_LIMIT };
      const parts = { paysParts, leastPart: leastPart ?? USUAL_PART };
      return { paysNow, ...parts, ...cards, ...accounts, rowVersion: one.rowVersion };
    },
    changesOf: (typed, stored) => changedLabels<Form>(typed, stored, LABELED),
    schema: Form,
    check: () => ({}),
    send: ({ paysParts, leastPart, limitsCards, mostByCard, ...typed }) =>
      write.mutateAsync({
        body: {
          ...typed,
          leastPart: paysParts ? (leastPart ?? USUAL_PART) : null,
          mostByCard: limitsCards ? (mostByCard ?? USUAL_LIMIT) : null,
          clearingBankAccountId: typed.clearingBankAccountId ?? 0,
          payoutBankAccountId: typed.payoutBankAccountId ?? 0,
          feeAccountId: typed.feeAccountId ?? 0,
          reviewAccountId: typed.reviewAccountId ?? 0,
        },
      }),
    reply: OnlinePayments,
    words: { saved: () => 'Online payments saved' },
  });
  const bankOptions = banks.map(({ bankingAccountID: id, name: label }) => ({ id, label }));
  return (
    <>
      <FormNotes form={form} />
      <Section title="What customers can do">
        <div className="st-rows">
          <SwitchField
            {...form.bind('paysNow')}
            label={LABELS.paysNow}
            hint="On an invoice's private page and in the customer portal, which emails link to"
          />
          <SwitchField
            {...form.bind('paysParts')}
            label={LABELS.paysParts}
            hint="Customers can also pay part of an invoice"
          />
          {form.values.paysParts && (
            <MoneyField
              {...form.bind('leastPart')}
              label={LABELS.leastPart}
              hint="A smaller balance can always be paid"
            />
          )}
          <SwitchField
            {...form.bind('limitsCards')}
            label={LABELS.limitsCards}
            hint="Higher amounts can only be paid by bank debit"
          />
          {form.values.limitsCards && (
            <MoneyField
              {...form.bind('mostByCard')}
              label={LABELS.mostByCard}
              hint="Above this amount, only bank debit is offered"
            />
          )}
        </div>
      </Section>
      <Section title="Accounts">
        <div className="st-rows">
          <Picker
            {...form.bind('clearingBankAccountId')}
            label={LABELS.clearingBankAccountId}
            hint="Customer payments post here"
            options={bankOptions}
          />
          <Picker
            {...form.bind('payoutBankAccountId')}
            label={LABELS.payoutBankAccountId}
            hint="Payouts are posted as transfers"
            options={bankOptions}
          />
          <Picker
            {...form.bind('feeAccountId')}
            label={LABELS.feeAccountId}
            hint="Each fee is posted as a separate entry"
            options={options}
          />
          <Picker
            {...form.bind('reviewAccountId')}
            label={LABELS.reviewAccountId}
            hint="Holds disputed payments and payments without an invoice"
            options={options}
          />
        </div>
        <FormHistory name="online payments" />
      </Section>
    </>
  );
}
