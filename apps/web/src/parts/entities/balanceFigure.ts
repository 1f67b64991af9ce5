/** Returns the URL name of a customer's or vendor's balance. */
export function balanceFigure(id: number): string {
  return `balance-${id}`;
}

/** Returns the ID of a balance's owner, or undefined for another amount. */
export function entityOfFigure(name: string | undefined): number | undefined {
  const [, id] = /^balance-(\d{1,15})$/.exec(name ?? '') ?? [];
  return id === undefined ? undefined : Number(id);
}

/** The URL name of the total balance. */
export const BALANCES = 'balances';
