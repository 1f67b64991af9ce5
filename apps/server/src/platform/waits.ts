import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * A transaction holds a connection and one of a few turns. Code inside a transaction must therefore not wait for mail,
 * a worker thread, an image, a password hash, an upload, or a scanner. Tests detect these waits. In production, these
 * checks are off.
 */

let open: AsyncLocalStorage<true> | undefined;

/** After this call, waits inside transactions throw an error. */
export function watchWaits(): void {
  open ??= new AsyncLocalStorage();
}

/** Runs the work of a transaction. */
export const asTransaction = <T>(work: () => Promise<T>): Promise<T> => open?.run(true, work) ?? work();

/** Throws an Error if this wait begins inside a transaction. */
export function requireNoTransaction(what: string): void {
  if (open?.getStore() === true) throw new Error(`${what} must not be awaited inside a transaction`);
}
