import { formatDate, type IsoDate } from '../dates.ts';
import { Failure } from '../failure.ts';

/** The reconciliation that has marked a line, with its name for messages. */
export interface Mark {
  reconciliationId: number;
  bankAccountId: number;
  /** The name of the bank account. */
  name: string;
  statementDate: IsoDate;
}

/** The marked lines by ID. */
export type Marks = ReadonlyMap<number, Mark>;

/**
 * The error for a change to lines that a reconciliation has marked. Until the reconciliation is deleted, the date,
 * account, amount, and basis of these lines are fixed. Descriptions and dimensions may change. The error links to the
 * reconciliation of the first line.
 */
export class ReconciledFailure extends Failure {
  readonly lineIds: readonly number[];
  constructor(lineIds: readonly number[], mark: Mark | undefined) {
    const told = mark === undefined ? '' : ` This entry is reconciled on ${statementOf(mark)}.`;
    super(
      'conflict',
      `You can't delete a reconciled entry or change its date, account, or amount.${told} Delete ` +
        'the reconciliation first.',
      undefined,
      mark === undefined ? {} : { reconciliation: { id: mark.reconciliationId, bankAccountId: mark.bankAccountId } },
    );
    this.lineIds = lineIds;
  }
}

/** Returns text such as "the Checking statement dated 5/31/2026". */
export function statementOf({ name, statementDate }: Pick<Mark, 'name' | 'statementDate'>): string {
  return `the ${name} statement dated ${formatDate(statementDate)}`;
}

/** Returns the error for a change to these marked lines. */
export function reconciled(lineIds: readonly number[], marks: Marks): ReconciledFailure {
  const first = lineIds.find((id) => marks.has(id));
  return new ReconciledFailure(lineIds, first === undefined ? undefined : marks.get(first));
}
