import { type OnlineClearing, type OnlineReview, type OnlineTrouble, onlineCalls } from '@evenkeel/contract/online';
import { cents, formatAmount } from '@evenkeel/core/money';
import { Button } from '@mantine/core';
import { Link } from 'react-router';
import { messageOf, useWrite } from '../../client/api.ts';
import { useMay } from '../../client/session.ts';
import { troubleWords } from '../../parts/ledger/onlineTrouble.ts';
import { useAlerts } from '../../ui/alerts/Alerts.tsx';
import { InlineAlert } from '../../ui/alerts/InlineAlert.tsx';
import { Amount } from '../../ui/show/Amount.tsx';
import { EmptyState } from '../../ui/show/EmptyState.tsx';
import { Totals } from '../../ui/show/Facts.tsx';
import { Figure } from '../../ui/show/Figure.tsx';
import { Status } from '../../ui/show/Status.tsx';
import { reviewWords, SUM_LABELS } from './paymentWords.ts';

/** The amounts that make up the clearing account's balance, and the online payments that a user must review. */
export function ClearingPanel({ clearing }: { clearing: OnlineClearing }) {
  const { account, reviews, troubles } = clearing;
  return (
    <>
      {troubles.map((trouble) => (
        <InlineAlert key={trouble.name} kind="Warning">
          {`${troubleWords(trouble)}${WHAT_NOW[trouble.name]}`}
        </InlineAlert>
      ))}
      {account !== null && <Equation clearing={clearing} account={account} />}
      <section className="op-reviews" aria-label="For review">
        <h2>For review</h2>
        {reviews.length === 0 && <EmptyState title="No payments to review" />}
        {reviews.map((review) => (
          <Review key={review.id} review={review} />
        ))}
      </section>
    </>
  );
}

/** The next step for each kind of problem. */
const WHAT_NOW: Record<OnlineTrouble['name'], string> = {
  reviews: '. Decide on each payment below.',
  silent: '. Check the webhook and its signing secret in Stripe.',
  unpaid: '. Compare the balance with Stripe.',
};

interface EquationProps {
  clearing: OnlineClearing;
  account: NonNullable<OnlineClearing['account']>;
}

function Equation({ clearing: { sums, expected, balance }, account }: EquationProps) {
  const may = useMay();
  const other = cents(balance - expected);
  return (
    <section aria-label={account.name}>
      <h2>{account.name}</h2>
      <Figure note="In transit to the bank">
        <Amount value={balance} sign />
      </Figure>
      <Totals
        lines={[
          ...sums
            .filter(({ name, amount }) => amount !== 0 || ['charges', 'fees', 'refunds', 'payouts'].includes(name))
            .map(({ name, amount }) => ({ label: SUM_LABELS[name], value: <Amount value={amount} /> })),
          { label: 'Balance', value: <Amount value={expected} />, sum: true },
        ]}
      />
      {other === 0 ? (
        <Status look="done">Agrees with the ledger</Status>
      ) : (
        <Status look="late">{formatAmount(other)} posted by hand</Status>
      )}
      {may('View Accounting') && (
        <p>
          <Link to={`/accounting?account=${account.accountId}`}>Open Clearing Account</Link>
        </p>
      )}
    </section>
  );
}

function Review({ review }: { review: OnlineReview }) {
  const { id, customerId, customerDisplayName, invoiceId } = review;
  const alerts = useAlerts();
  const may = useMay();
  const finish = useWrite(onlineCalls.finishOnlineReview);
  const { title, text } = reviewWords(review);
  const done = () =>
    finish.mutate(
      { params: { id } },
      {
        onSuccess: () => alerts.success(`${title}: marked as done`),
        onError: (error) => alerts.error(messageOf(error)),
      },
    );
  return (
    <article className="op-review" aria-label={title}>
      <h3>{title}</h3>
      <p className="ek-second ek-small">{text}</p>
      <div className="op-acts">
        {customerId !== null && may('View Customers') && (
          <Link to={`/customers?customer=${customerId}`}>{customerDisplayName}</Link>
        )}
        {customerId === null && invoiceId !== null && <Link to={`/billing?invoice=${invoiceId}`}>Open Invoice</Link>}
        {may('Manage Billing') && (
          <Button
            variant="default"
            size="xs"
            aria-label={`Done with ${title.toLowerCase()}`}
            loading={finish.isPending}
            onClick={done}
          >
            Done
          </Button>
        )}
      </div>
    </article>
  );
}
