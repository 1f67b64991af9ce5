import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { saveFile } from '../hooks/saveFile.ts';
import { ICON_SMALL } from '../show/icons.ts';
import { FileView } from './FileView.tsx';
import { SideDrawer } from './SideDrawer.tsx';

export interface PdfPanelProps {
  /** The document. Null closes the panel. */
  file: Blob | null;
  title: string;
  /** The name used for saving the file, for example `invoice-10436.pdf`. */
  fileName: string;
  onClose: () => void;
}

/** The viewer panel for PDFs and pictures. The library loads with the first PDF. */
export function PdfPanel({ file, title, fileName, onClose }: PdfPanelProps) {
  const download = file !== null && (
    <Button variant="default" leftSection={<IconDownload {...ICON_SMALL} />} onClick={() => saveFile(fileName, [file])}>
      Download
    </Button>
  );
  return (
    <SideDrawer opened={file !== null} onClose={onClose} title={title} width={760} pdf tools={download}>
      {file !== null && <FileView file={file} name={fileName} />}
    </SideDrawer>
  );
}
