import './show.css';

export interface BarProps {
  /** The accessible name, for example `Steps of the setup`. */
  label: string;
  /** The completed amount, out of `max`. */
  value: number;
  max: number;
}

/** A progress bar. Its container can set its height with `--bar-h` (4 px by default), and its color with `--bar-c`. */
export function Bar({ label, value, max }: BarProps) {
  return <progress className="ek-bar" max={max} value={value} aria-label={label} />;
}
