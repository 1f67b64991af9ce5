import './show.css';

export interface BarProps {
  /** The accessible name, for example `Steps of the setup`. */
  label: string;
  /** The completed part of `max`. */
  value: number;
  max: number;
}

/** A progress bar. It is 4 px high unless its container sets `--bar-h`. */
export function Bar({ label, value, max }: BarProps) {
  return <progress className="ek-bar" max={max} value={value} aria-label={label} />;
}
