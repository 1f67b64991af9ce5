/** The Evenkeel logo: a keel below a level beam. */
export function Mark({ size = 24 }: { size?: number }) {
  return (
    <svg
      className="ek-mark"
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={2.2}
      strokeLinecap="round"
      aria-hidden="true"
    >
      <path d="M2.5 8.5h19" />
      <path d="M5 12.5c.9 4 3.7 6.3 7 6.3s6.1-2.3 7-6.3" />
      <path d="M12 12.5v9.3" />
    </svg>
  );
}
