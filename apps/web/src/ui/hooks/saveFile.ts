/** Hands a file to the browser to be saved under a name; signs that no file system takes are left out of it. */
export function saveFile(name: string, parts: BlobPart[]): void {
  const address = URL.createObjectURL(new Blob(parts));
  const link = document.createElement('a');
  link.href = address;
  link.download = name.replace(/[/\\:*?"<>|]/g, '');
  link.click();
  // The download has begun with the click; the address may go once the browser has taken it.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
