import 'react-pdf/dist/Page/AnnotationLayer.css';
import 'react-pdf/dist/Page/TextLayer.css';
import { useElementSize, useInViewport } from '@mantine/hooks';
import workerAddress from 'pdfjs-dist/build/pdf.worker.min.mjs?url';
import { useEffect, useState } from 'react';
import { Document, type DocumentProps, Page, PasswordResponses, pdfjs } from 'react-pdf';

// The worker comes from our own bundle: the Content-Security-Policy allows no other place.
pdfjs.GlobalWorkerOptions.workerSrc = workerAddress;

/** The reason why a file isn't drawn. */
export type Unshown = 'locked' | 'unreadable';

interface PdfPagesProps {
  file: Blob;
  /** 1 is as wide as the panel. */
  zoom: number;
  onUnshown: (reason: Unshown) => void;
}

type Loaded = Parameters<NonNullable<DocumentProps['onLoadSuccess']>>[0];

/** Rejects the document: without this, the library asks for the password in a prompt until it is right. */
const refusePassword: NonNullable<DocumentProps['onPassword']> = () => {
  throw new pdfjs.PasswordException('', PasswordResponses.NEED_PASSWORD);
};

/** Placeholders of more pages than this would fill a browser's memory. */
const MAX_PAGES = 2000;

/** Every page of a PDF, each as wide as the panel unless it is zoomed. Only pages in view are drawn. */
export default function PdfPages({ file, zoom, onUnshown }: PdfPagesProps) {
  const { ref, width } = useElementSize();
  const [loaded, setLoaded] = useState<{ file: Blob; pdf: Loaded; first: Sides }>();
  const onLoad = (pdf: Loaded) => {
    const fail = () => onUnshown('unreadable');
    sidesOf(pdf, 1).then((first) => setLoaded({ file, pdf, first }), fail);
  };
  const known = loaded?.file === file ? loaded : undefined;
  return (
    <div ref={ref}>
      {/* Suspended, the library throws what it can't read at the form around the pane. */}
      <Document
        suspense={false}
        file={file}
        className="ek-pdf"
        loading={<p role="status">Loading...</p>}
        error=""
        onPassword={refusePassword}
        onSourceError={() => onUnshown('unreadable')}
        onLoadError={({ name }) => onUnshown(name === 'PasswordException' ? 'locked' : 'unreadable')}
        onLoadSuccess={onLoad}
      >
        {known !== undefined && width > 0 && <Pages {...known} width={Math.floor(width * zoom)} />}
      </Document>
    </div>
  );
}

interface PagesProps {
  pdf: Loaded;
  /** px */
  width: number;
  /** The first page's: a page that was never in view is taken to be like it. */
  first: Sides;
}

function Pages({ pdf, width, first }: PagesProps) {
  const shown = Math.min(pdf.numPages, MAX_PAGES);
  return (
    <>
      {Array.from({ length: shown }, (_, index) => (
        <PageInView key={index} number={index + 1} {...{ pdf, width, first }} />
      ))}
      {shown < pdf.numPages && (
        <p>{`The first ${shown} of ${pdf.numPages} pages are shown. Download the file to see the others.`}</p>
      )}
    </>
  );
}

/** Points. */
interface Sides {
  width: number;
  height: number;
}

async function sidesOf(pdf: Loaded, number: number): Promise<Sides> {
  const { width, height } = (await pdf.getPage(number)).getViewport({ scale: 1 });
  return { width, height };
}

const FAILED = (
  <p role="status" className="ek-pdf-page-failed">
    This page can't be shown
  </p>
);

function PageInView({ pdf, number, width, first }: PagesProps & { number: number }) {
  const { ref, inViewport } = useInViewport<HTMLDivElement>();
  const [sides, setSides] = useState<Sides>();
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    if (!inViewport) return undefined;
    let isLive = true;
    sidesOf(pdf, number).then(
      (own) => isLive && setSides(own),
      () => isLive && setFailed(true),
    );
    return () => void (isLive = false);
  }, [inViewport, pdf, number]);
  const { width: across, height: down } = sides ?? first;
  const height = Math.floor((width * down) / across);
  return (
    <div
      ref={ref}
      className="ek-pdf-page"
      style={{ width, height }}
      role="group"
      aria-label={`Page ${number} of ${pdf.numPages}`}
    >
      {failed && FAILED}
      {inViewport && !failed && sides !== undefined && (
        <Page
          pageNumber={number}
          width={width}
          devicePixelRatio={sharpness(width, height)}
          loading=""
          error={FAILED}
          onRenderError={() => setFailed(true)}
        />
      )}
    </div>
  );
}

/** The most dots that browsers draw, in all and along a side. */
const MAX_DOTS = 4096 * 4096;
const MAX_SIDE = 16_384;

/** Dots of a drawn px: a page as large as a house is drawn less sharply. */
function sharpness(width: number, height: number): number {
  return Math.min(
    globalThis.devicePixelRatio,
    Math.sqrt(MAX_DOTS / (width * height)),
    MAX_SIDE / Math.max(width, height),
  );
}
