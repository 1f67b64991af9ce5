/** The PDF reader needs a Promise function that is missing in the oldest supported Node version. */
function withResolvers() {
  const parts = {};
  const promise = new Promise((resolve, reject) => {
    Object.assign(parts, { resolve, reject });
  });
  return { promise, ...parts };
}
if (!('withResolvers' in Promise)) Object.assign(Promise, { withResolvers });
const { getDocument } = await import('pdfjs-dist/legacy/build/pdf.mjs');

/** Returns the text of each page in drawing order, without white space between the parts of a broken word. */
export async function pagesOf(pdf: Uint8Array): Promise<string[]> {
  const task = getDocument({ data: new Uint8Array(pdf), useSystemFonts: false, verbosity: 0 });
  const document = await task.promise;
  const pages: string[] = [];
  for (let number = 1; number <= document.numPages; number += 1) {
    const { items } = await (await document.getPage(number)).getTextContent();
    pages.push(items.map((item) => ('str' in item ? item.str : '')).join(' '));
  }
  await task.destroy();
  return pages;
}
