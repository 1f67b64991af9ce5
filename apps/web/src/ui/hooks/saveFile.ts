import { makeRepeats } from './once.ts';

const isRepeated = makeRepeats();

/**
 * Downloads a file under a name, without the characters that file systems don't allow. A double-click on any download
 * or export button saves one file.
 */
export function saveFile(name: string, parts: BlobPart[]): void {
  const file = new Blob(parts);
  if (isRepeated(`${name} ${file.size}`)) return;
  const address = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = address;
  link.download = name.replace(/[/\\:*?"<>|]/g, '');
  link.click();
  // The click has started the download, and the browser needs the URL only until it has read the file.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
