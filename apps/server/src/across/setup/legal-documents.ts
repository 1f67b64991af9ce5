import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pdfmake from 'pdfmake';
import { serverRoot } from '../../platform/root.ts';
import documents from './legal-text.json' with { type: 'json' };

// Draws the built-in terms and privacy documents into assets/. Run this file with `npx tsx` when their text changes.
// Changed terms are a new version that every user must accept.

function paragraph(text: string): { text: string; margin: [number, number, number, number] } {
  return { text, margin: [0, 0, 0, 10] };
}

async function draw(name: string, { title, paragraphs }: typeof documents.terms): Promise<void> {
  const bytes = await pdfmake
    .createPdf({
      info: { title },
      content: [{ text: title, fontSize: 20, margin: [0, 0, 0, 16] }, ...paragraphs.map(paragraph)],
      defaultStyle: { font: 'Helvetica', fontSize: 11, lineHeight: 1.3 },
      pageSize: 'LETTER',
      pageMargins: [72, 72, 72, 72],
    })
    .getBuffer();
  await writeFile(join(serverRoot(), 'assets', name), bytes);
}

pdfmake.setFonts({ Helvetica: { normal: 'Helvetica', bold: 'Helvetica-Bold' } });
pdfmake.setUrlAccessPolicy(() => false);
await draw('terms.pdf', documents.terms);
await draw('privacy.pdf', documents.privacy);
