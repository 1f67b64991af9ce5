/** The name of a customer's or vendor's balance in the address. */
export function balanceFigure(id: number): string {
  return `balance-${id}`;
}

/** The owner of a balance figure; undefined for another figure. */
export function entityOfFigure(name: string | undefined): number | undefined {
  const [, id] = /^balance-(\d{1,15})$/.exec(name ?? '') ?? [];
  return id === undefined ? undefined : Number(id);
}

/** The name of the total balance in the address. */
export const BALANCES = 'balances';
