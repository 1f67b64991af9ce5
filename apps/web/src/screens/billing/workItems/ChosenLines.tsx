import { cents, formatAmount } from '@evenkeel/core/money';
import { NOTHING } from '@evenkeel/core/nothing';
import type { RecordForm } from '../../../records/useRecordForm.ts';
import { CheckField } from '../../../ui/fields/CheckField.tsx';
import { QuantityField } from '../../../ui/fields/QuantityField.tsx';
import { Amount } from '../../../ui/show/Amount.tsx';
import { type ChoosableLine, type ChoosingForm, isPercentage } from './chosenLines.ts';

interface ChosenLinesProps<Form extends ChoosingForm> {
  form: RecordForm<Form>;
  lines: readonly ChoosableLine[];
  /** The amounts of the selected lines by line ID. */
  amounts: ReadonlyMap<number, number>;
  /** The title, for example "Lines on invoice 10001". */
  title: string;
  hint: string;
  words: {
    /** The heading for the available quantity, for example "Billed". */
    whole: string;
    /** The text after the quantity that is already used, for example "credited before". */
    taken: string;
  };
}

/** The lines of a document, each with a checkbox and a field for the quantity to use. */
export function ChosenLines<Form extends ChoosingForm>(props: ChosenLinesProps<Form>) {
  const { lines, amounts, title, hint, words } = props;
  return (
    <section aria-label={title}>
      <div className="bl-credit-title">
        <h3>{title}</h3>
        <span className="ek-muted ek-small">{hint}</span>
      </div>
      <div className="bl-credit-heads" aria-hidden="true">
        <span>Product/Package/Discount</span>
        <span>{words.whole}</span>
        <span>Quantity</span>
        <span>Price</span>
        <span>Amount</span>
      </div>
      <ul className="bl-credit-lines">
        {lines.map((of, at) => (
          <Line key={of.line.id} {...props} {...{ of, at }} amount={amounts.get(of.line.id)} />
        ))}
      </ul>
    </section>
  );
}

interface LineProps<Form extends ChoosingForm> extends Pick<ChosenLinesProps<Form>, 'form' | 'words'> {
  of: ChoosableLine;
  at: number;
  amount: number | undefined;
}

function Line<Form extends ChoosingForm>({ form, words, of, at, amount }: LineProps<Form>) {
  const { line, taken, left } = of;
  const chosen = form.values.lines[at];
  if (chosen === undefined) return null;
  const isShare = isPercentage(of);
  const name = line.productName ?? line.description;
  const change = (part: Partial<typeof chosen>) =>
    form.onChange({
      ...form.values,
      lines: form.values.lines.map((each, place) => (place === at ? { ...each, ...part } : each)),
    });
  const error = form.errorOf(`lines.${at}.quantity`);
  const notes = [
    line.description === name ? '' : line.description,
    line.taxable ? '' : 'Not taxable',
    taken.gt(0) && !isShare ? `${taken.toString()} ${words.taken}` : '',
  ].filter((note) => note !== '');
  return (
    <li data-out={chosen.isIn ? undefined : ''}>
      <CheckField
        label={name}
        hint={notes.join(' · ')}
        value={chosen.isIn}
        disabled={left.lte(0)}
        readOnly={form.isReadOnly}
        onChange={(isIn) => change({ isIn })}
      />
      <span className="ek-muted ek-small bl-credit-of">
        {isShare ? '' : `Quantity (of ${line.quantity.toString()} at ${formatAmount(line.itemPrice)})`}
      </span>
      <span className="ek-num bl-credit-billed">{isShare ? '' : line.quantity.toString()}</span>
      {isShare ? (
        <span />
      ) : (
        <QuantityField
          inRow
          label={`Quantity of ${name}`}
          value={chosen.isIn ? chosen.quantity : null}
          disabled={!chosen.isIn}
          error={chosen.isIn ? error : undefined}
          onChange={(quantity) => change({ quantity })}
        />
      )}
      <span className="ek-num bl-credit-price">
        {isShare ? `${line.discountTerms?.discountPercentage.toString() ?? ''}%` : formatAmount(line.itemPrice)}
      </span>
      <span className="ek-num ek-semi">
        {chosen.isIn && amount !== undefined ? <Amount value={cents(amount)} /> : NOTHING}
      </span>
      {error !== undefined && chosen.isIn && <p className="dc-late">{error}</p>}
    </li>
  );
}
