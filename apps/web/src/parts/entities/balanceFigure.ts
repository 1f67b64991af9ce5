/** What the address calls a customer's or vendor's balance. */
export function balanceFigure(id: number): string {
  return `balance-${id}`;
}

/** Whose balance a figure is; undefined for another figure. */
export function entityOfFigure(name: string | undefined): number | undefined {
  const [, id] = /^balance-(\d{1,15})$/.exec(name ?? '') ?? [];
  return id === undefined ? undefined : Number(id);
}

/** What the address calls the balance of all of them. */
export const BALANCES = 'balances';
