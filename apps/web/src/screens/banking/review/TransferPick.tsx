import type { BankLine } from '@evenkeel/contract/statements';
import { formatDate } from '@evenkeel/core/dates';
import { formatAmount } from '@evenkeel/core/money';
import { useState } from 'react';
import { bankOptions, type Banks } from '../../../parts/banking/moves.ts';
import { Picker } from '../../../ui/fields/Picker.tsx';
import { TextField } from '../../../ui/fields/TextField.tsx';
import { Editor } from './Editor.tsx';
import { Told } from './Told.tsx';
import { useDelivery } from './useDelivery.ts';
import type { Review } from './useReview.ts';
import { sizeOf } from './work.ts';

export interface TransferPickProps {
  review: Review;
  line: BankLine;
  banks: Banks;
}

/** Records a bank transaction as a transfer between two of the company's accounts. */
export function TransferPick({ review, line, banks }: TransferPickProps) {
  const [other, setOther] = useState<number | null>(line.candidate?.bankAccountId ?? null);
  const [memo, setMemo] = useState(line.text);
  const delivery = useDelivery(review, line);
  const isIn = line.amount > 0;
  const others = bankOptions(banks, ({ bankingAccountID: id }) => id !== line.bankAccountId, undefined);
  const size = formatAmount(sizeOf(line.amount));
  return (
    <Editor
      title={`Transfer: ${size} ${isIn ? 'in' : 'out'}`}
      detail={`Posts a transfer on ${formatDate(line.date)} and matches the bank transaction`}
      word="Transfer"
      isOff={other === null}
      isBusy={delivery.isBusy}
      isTyped={memo !== line.text}
      onDo={() => delivery.run({ action: 'transfer', bankAccountId: other, memo })}
      onClose={() => review.setWay(undefined)}
    >
      <Told delivery={delivery} />
      <div className="rv-whole">
        <Picker
          label={isIn ? 'From' : 'To'}
          options={others}
          isLoading={banks.isLoading}
          value={other}
          onChange={setOther}
          autoFocus
        />
        <TextField label="Memo" maxLength={500} value={memo} onChange={setMemo} />
      </div>
    </Editor>
  );
}
