/** Returns the name in the URL for a customer's or vendor's balance. */
export function balanceFigure(id: number): string {
  return `balance-${id}`;
}

/** Returns the ID of the customer or vendor that a balance belongs to, or undefined for another amount. */
export function entityOfFigure(name: string | undefined): number | undefined {
  const [, id] = /^balance-(\d{1,15})$/.exec(name ?? '') ?? [];
  return id === undefined ? undefined : Number(id);
}

/** The name of the total balance in the URL. */
export const BALANCES = 'balances';
