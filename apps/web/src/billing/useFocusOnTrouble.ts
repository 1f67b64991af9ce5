import { useEffect, useState } from 'react';

/** Call it after a failed try: the focus goes to the first field of the modal that is marked as wrong. */
export function useFocusOnTrouble(): () => void {
  const [tries, setTries] = useState(0);
  useEffect(() => {
    if (tries > 0) document.querySelector<HTMLElement>('.ek-modal [aria-invalid="true"]')?.focus();
  }, [tries]);
  return () => setTries((count) => count + 1);
}
