interface HeadsProps {
  /** The headings of the first columns, which contain text. */
  texts: readonly string[];
  /** The headings of the other columns, which contain right-aligned numbers. A column that is false is omitted. */
  numbers: readonly (string | false)[];
}

/** The header row of a small table that isn't sorted. */
export function Heads({ texts, numbers }: HeadsProps) {
  return (
    <thead>
      <tr>
        {texts.map((text) => (
          <th key={text} scope="col">
            {text}
          </th>
        ))}
        {numbers.map(
          (text) =>
            text !== false && (
              <th key={text} scope="col" data-right="">
                {text}
              </th>
            ),
        )}
      </tr>
    </thead>
  );
}
