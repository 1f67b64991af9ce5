import { bankingCalls } from '@evenkeel/contract/banking';
import { billingCalls } from '@evenkeel/contract/billing';
import type { Endpoint } from '@evenkeel/contract/endpoint';
import { attachmentCalls } from '@evenkeel/contract/uploads';
import { reconciliationCalls } from '@evenkeel/contract/reconciliation';
import { statementCalls as calls } from '@evenkeel/contract/statements';
import { addDays, isoDate } from '@evenkeel/core/dates';
import type { Dice } from '@evenkeel/core/dice';
import * as z from 'zod';
import { type RawRequest, requestOf } from '../../../testing/app.ts';
import { CHECK } from '../../../testing/factories.ts';
import { multipart } from '../../../testing/files.ts';
import { type BankSays, ofx } from './statement-files.ts';

/** Sends one request, in this process or over the network. */
export type Send = (
  request: Pick<RawRequest, 'method' | 'url' | 'headers' | 'body'>,
) => Promise<{ status: number; body: unknown }>;

type Given = Parameters<typeof requestOf>[1];

const Ids = z.array(z.looseObject({ id: z.number() }));
const Lines = z.array(
  z.object({
    id: z.number(),
    amount: z.number(),
    candidate: z.object({ key: z.string(), action: z.string() }).nullable(),
  }),
);
const Entry = z.object({ glid: z.number(), debitAmount: z.number().nullable(), creditAmount: z.number().nullable() });
const Open = z.object({
  incomingEntries: z.array(Entry),
  outgoingEntries: z.array(Entry),
  lastBalance: z.number(),
  mostRecentReconDate: z.string().nullable(),
});
const Reconciled = z.array(z.object({ reconciliationID: z.number() }));

const DAY = isoDate('2026-03-20');
/** Only a few different amounts, so that bank transactions, entries, and payments often match. */
const DOLLARS = [10, 20, 30, 40] as const;
const OFFICE = 160;

/** The status codes that a user can get. Any other status is considered a bug. */
const FINE = [200, 404, 409, 422];

/** A user who performs random steps in one bank account, independently of other users. */
export class Hand {
  /** The number of responses with status 200, by kind of step. */
  readonly done = new Map<string, number>();
  readonly #send: Send;
  readonly #dice: Dice;
  readonly #bankAccountId: number;
  readonly #customerId: number;

  constructor(send: Send, dice: Dice, { bankAccountId, customerId }: { bankAccountId: number; customerId: number }) {
    this.#send = send;
    this.#dice = dice;
    this.#bankAccountId = bankAccountId;
    this.#customerId = customerId;
  }

  /** Performs a random step. Throws on an unexpected response. */
  async step(): Promise<void> {
    const name = this.#dice.any(Object.keys(this.#steps)) ?? '';
    const status = await this.#steps[name]?.();
    if (status === 200) this.done.set(name, (this.done.get(name) ?? 0) + 1);
  }

  readonly #steps: Readonly<Record<string, () => Promise<number>>> = {
    bring: () => this.#bring(),
    pay: () => this.#call(billingCalls.createPayment, { body: this.#payment() }),
    accept: () =>
      this.#withLine('review', ({ id, candidate }) => {
        const act = candidate ?? { action: 'exclude', key: null };
        return this.#act(id, { action: act.action, candidate: act.key });
      }),
    acceptMany: () => this.#acceptMany(),
    add: () =>
      this.#withLine('review', ({ id, amount }) =>
        this.#act(id, { action: 'add', lines: [{ accountID: OFFICE, amount }] }),
      ),
    payLine: () => this.#withLine('review', ({ id }) => this.#act(id, { action: 'pay', entityId: this.#customerId })),
    undoMatch: () => this.#withLine('matched', ({ id }) => this.#act(id, { action: 'undo' })),
    undoAdd: () => this.#withLine('added', ({ id }) => this.#act(id, { action: 'undo' })),
    takeBack: () => this.#takeBack(),
    editPayment: () => this.#editPayment(),
    deletePayment: () => this.#deletePayment(),
    reconcile: () => this.#reconcile(),
    unreconcile: () => this.#unreconcile(),
  };

  async #ask(call: Endpoint, given: Given = {}): Promise<{ status: number; body: unknown }> {
    const answer = await this.#send(requestOf(call, given));
    if (!FINE.includes(answer.status)) {
      throw new Error(`${call.method} ${call.path} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
    }
    return answer;
  }

  async #call(call: Endpoint, given: Given): Promise<number> {
    return (await this.#ask(call, given)).status;
  }

  #pick<T>(all: readonly T[]): T | undefined {
    return all.length === 0 ? undefined : all[this.#dice.between(0, all.length - 1)];
  }

  #payment() {
    const base = { customerId: this.#customerId, paymentTypeId: CHECK, bankAccountId: this.#bankAccountId };
    return { ...base, paymentDate: DAY, paymentAmount: this.#dice.pick(DOLLARS) };
  }

  #act(id: number, body: object): Promise<number> {
    return this.#call(calls.actOnBankLine, { params: { id }, body });
  }

  async #lines(state: string): Promise<z.output<typeof Lines>> {
    const { body } = await this.#ask(calls.listBankLines, { query: { state } });
    return Lines.parse(body);
  }

  async #withLine(state: string, work: (line: z.output<typeof Lines>[number]) => Promise<number>): Promise<number> {
    const line = this.#pick(await this.#lines(state));
    return line === undefined ? 0 : work(line);
  }

  async #bring(): Promise<number> {
    const says = Array.from({ length: this.#dice.between(1, 4) }, (_, at): BankSays => {
      const amount = this.#dice.pick(DOLLARS) * 100;
      return {
        date: addDays(DAY, this.#dice.between(0, 3)),
        amount,
        text: 'DEPOSIT',
        id: `${this.#dice.between(1, 1e9)}-${at}`,
      };
    });
    const { headers, body: bytes } = multipart('bank.ofx', ofx(says));
    const upload = await this.#send({ ...requestOf(attachmentCalls.uploadDocument, {}), headers, body: bytes });
    const { documentId } = z.object({ documentId: z.number() }).parse(upload.body);
    const body = { documentId, bankAccountId: this.#bankAccountId, accountNumberConfirmed: true };
    return this.#call(calls.saveStatement, { body });
  }

  async #acceptMany(): Promise<number> {
    const ids = (await this.#lines('review')).map(({ id }) => id);
    // The order is random so that requests from two users can deadlock.
    const chosen = ids.filter(() => this.#dice.chance(60));
    if (this.#dice.chance(50)) chosen.reverse();
    return chosen.length === 0 ? 0 : this.#call(calls.acceptBankLines, { body: { ids: chosen } });
  }

  async #takeBack(): Promise<number> {
    const one = this.#pick(Ids.parse((await this.#ask(calls.listStatements)).body));
    return one === undefined ? 0 : this.#call(calls.deleteStatement, { params: { id: one.id } });
  }

  async #somePayment() {
    return this.#pick(Ids.parse((await this.#ask(billingCalls.listPayments)).body));
  }

  async #editPayment(): Promise<number> {
    const one = await this.#somePayment();
    return one === undefined ? 0 : this.#call(billingCalls.updatePayment, { body: { ...this.#payment(), id: one.id } });
  }

  async #deletePayment(): Promise<number> {
    const one = await this.#somePayment();
    return one === undefined ? 0 : this.#call(billingCalls.deletePayment, { params: { id: one.id } });
  }

  async #reconcile(): Promise<number> {
    const asked = await this.#ask(reconciliationCalls.unreconciledEntries, { params: { glAccountId: 101 } });
    const { incomingEntries, outgoingEntries, lastBalance, mostRecentReconDate } = Open.parse(asked.body);
    const chosen = [...incomingEntries, ...outgoingEntries].filter(() => this.#dice.chance(30));
    const dollars = chosen.reduce((all, each) => all + (each.debitAmount ?? 0) - (each.creditAmount ?? 0), lastBalance);
    const body = {
      bankAccountID: this.#bankAccountId,
      statementDate: addDays(isoDate(mostRecentReconDate ?? '2026-04-01'), 1),
      statementBalance: Math.round(dollars),
      incomingEntries: chosen.map(({ glid }) => glid),
    };
    return this.#call(reconciliationCalls.createReconciliation, { body });
  }

  async #unreconcile(): Promise<number> {
    const params = { bankAccountId: this.#bankAccountId };
    const all = Reconciled.parse((await this.#ask(reconciliationCalls.listReconciliations, { params })).body);
    // The direction is random, so it can be wrong.
    const one = this.#pick(all);
    if (one === undefined) return 0;
    return this.#call(reconciliationCalls.deleteReconciliation, { params: { id: one.reconciliationID } });
  }
}

/** Returns the bank account and one of the customers in the sender's company. */
export async function groundOfHands(send: Send, customerId: number) {
  const { body } = await send(requestOf(bankingCalls.listBankingAccounts, {}));
  const [bank] = z.array(z.object({ bankingAccountID: z.number() })).parse(body);
  return { bankAccountId: bank?.bankingAccountID ?? 0, customerId };
}
