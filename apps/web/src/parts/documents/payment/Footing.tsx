import { type Cents, formatAmount, negate, ZERO } from '@evenkeel/core/money';

interface FootingProps {
  /** The label of the used amount: "Applied". */
  verb: string;
  part: Cents;
  total: Cents;
  discounts?: Cents;
  /** The unused amount. Negative if the used amount exceeds the total. */
  rest: { label: string; amount: Cents };
}

/** The footer of a payment, refund, or credit: "Applied 693.00 of 693.00, unapplied 0.00". */
export function Footing({ verb, part, total, discounts = ZERO, rest }: FootingProps) {
  const isOver = rest.amount < 0;
  return (
    <p className="dc-footing">
      {verb} <strong>{formatAmount(part)}</strong> of {formatAmount(total)}
      {discounts > 0 && (
        <>
          , discounts <strong>{formatAmount(discounts)}</strong>
        </>
      )}
      {isOver ? (
        <span data-bad="">
          , <strong>{formatAmount(negate(rest.amount))}</strong> too much
        </span>
      ) : (
        <>
          , {rest.label} <strong>{formatAmount(rest.amount)}</strong>
        </>
      )}
    </p>
  );
}
