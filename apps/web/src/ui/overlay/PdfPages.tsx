import 'react-pdf/dist/Page/AnnotationLayer.css';
import 'react-pdf/dist/Page/TextLayer.css';
import { useElementSize } from '@mantine/hooks';
import workerAddress from 'pdfjs-dist/build/pdf.worker.min.mjs?url';
import { useState } from 'react';
import { Document, Page, pdfjs } from 'react-pdf';

// The worker comes from our own bundle: the Content-Security-Policy allows no other place.
pdfjs.GlobalWorkerOptions.workerSrc = workerAddress;

/** Every page of a PDF, each as wide as the panel. */
export default function PdfPages({ file }: { file: Blob }) {
  const { ref, width } = useElementSize();
  const [pages, setPages] = useState(0);
  return (
    <div ref={ref}>
      <Document
        file={file}
        className="ek-pdf"
        loading={<p role="status">Loading...</p>}
        error={<p role="alert">Error Loading Document</p>}
        onLoadSuccess={(document) => setPages(document.numPages)}
      >
        {width > 0 &&
          Array.from({ length: pages }, (_, index) => (
            <Page
              key={index}
              className="ek-pdf-page"
              pageNumber={index + 1}
              width={Math.floor(width)}
              aria-label={`Page ${index + 1} of ${pages}`}
            />
          ))}
      </Document>
    </div>
  );
}
