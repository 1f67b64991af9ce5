/** Files that users attach although a browser can show only part of them, or nothing. */

interface PdfParts {
  pages: number;
  /** The page size in points. */
  sides?: readonly [number, number];
  /** Whether the file requires an unknown password. */
  isLocked?: boolean;
}

/** Returns a PDF whose pages all contain "Delivery note". */
export function pdfOf({ pages, sides = [612, 792], isLocked = false }: PdfParts): Buffer {
  const text = 'BT /F1 36 Tf 72 680 Td (Delivery note) Tj ET';
  const kids = Array.from({ length: pages }, (_, index) => `${index + 4} 0 R`).join(' ');
  const resources = '/Resources << /Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >>';
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${kids}] /Count ${pages} /MediaBox [0 0 ${sides.join(' ')}] ${resources} >>`,
    `<< /Length ${text.length} >>\nstream\n${text}\nendstream`,
    ...Array.from({ length: pages }, () => '<< /Type /Page /Parent 2 0 R /Contents 3 0 R >>'),
  ];
  let body = '%PDF-1.4\n';
  const rows = objects.map((object, index) => {
    const at = body.length;
    body += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(at).padStart(10, '0')} 00000 n \n`;
  });
  const size = objects.length + 1;
  const [o, u] = ['1', '2'].map((digit) => `<${digit.repeat(64)}>`);
  const lock = isLocked ? `/Encrypt << /Filter /Standard /V 1 /R 2 /O ${o} /U ${u} /P -4 >> /ID [<00> <00>]` : '';
  const trailer = `trailer\n<< /Size ${size} /Root 1 0 R ${lock} >>\nstartxref\n${body.length}\n%%EOF`;
  return Buffer.from(`${body}xref\n0 ${size}\n0000000000 65535 f \n${rows.join('')}${trailer}`, 'latin1');
}

/** Returns the first bytes of a PNG without the rest of the picture. */
export const brokenPicture = (): Buffer => Buffer.from('\u0089PNG\r\n\u001a\nno picture at all', 'latin1');
