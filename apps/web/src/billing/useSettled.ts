import { useEffect, useState } from 'react';

/** The value once it has stayed the same for `ms` (Specification part 1 §9: the history's debounce of 200 ms). */
export function useSettled<Value>(value: Value, ms: number): Value {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return settled;
}
