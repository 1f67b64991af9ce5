import { useEffect, useState } from 'react';
import { flushSync } from 'react-dom';
import { makeRepeats } from './once.ts';

const isRepeated = makeRepeats();

/** Prints the page. A double-click prints it once. */
export function printPage(): void {
  if (!isRepeated('print')) window.print();
}

/**
 * Returns true while the page is being printed. The value changes before the browser lays out the printout, so that all
 * rows and the columns that fit are rendered.
 */
export function usePrinting(): boolean {
  const [isPrinting, setPrinting] = useState(false);
  useEffect(() => {
    // The browser doesn't wait for asynchronous work before it prints.
    const begin = () => flushSync(() => setPrinting(true));
    const end = () => setPrinting(false);
    window.addEventListener('beforeprint', begin);
    window.addEventListener('afterprint', end);
    return () => {
      window.removeEventListener('beforeprint', begin);
      window.removeEventListener('afterprint', end);
    };
  }, []);
  return isPrinting;
}
