/** Downloads a file under a name, without the characters that file systems don't allow. */
export function saveFile(name: string, parts: BlobPart[]): void {
  const address = URL.createObjectURL(new Blob(parts));
  const link = document.createElement('a');
  link.href = address;
  link.download = name.replace(/[/\\:*?"<>|]/g, '');
  link.click();
  // The click has started the download, and the URL can be revoked once the browser has read it.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
