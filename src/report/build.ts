import { openApiDocument } from '../spec/index.js';
import { type Circumstances, conclude, countsOf } from './conclusion.js';
import { casesOf, type Report, type ReportKind } from './frame.js';
import { toolVersion } from './version.js';

/** What a command knows. The rest of the frame follows from it. */
interface ReportContent<Kind extends ReportKind>
  extends Pick<Report, 'subject' | 'groups'>,
    Partial<Pick<Report, 'notes' | 'findings' | 'sections' | 'remarks' | 'details'>> {
  readonly kind: Kind;
  readonly startedAt: Date;
  /** Milliseconds. Default: those since `startedAt`. */
  readonly durationMs?: number;
  /** What the conclusion depends on besides the cases. */
  readonly circumstances?: Circumstances;
}

/** The frame of a report, without its summary: that depends on the conclusion, and each command words it. */
export function reportFrame<Kind extends ReportKind>({
  kind,
  subject,
  startedAt,
  durationMs = Date.now() - startedAt.getTime(),
  circumstances,
  groups,
  notes = [],
  findings = [],
  sections = [],
  remarks = [],
  details = [],
}: ReportContent<Kind>): Omit<Report, 'summary'> & { readonly kind: Kind } {
  return {
    reportVersion: 1,
    kind,
    toolVersion,
    interfaceVersion: openApiDocument.info.version,
    subject,
    startedAt: startedAt.toISOString(),
    durationMs: Math.round(durationMs),
    conclusion: conclude(casesOf({ groups }), circumstances),
    counts: countsOf(groups),
    groups,
    findings,
    notes,
    sections,
    remarks,
    ...(details.length > 0 && { details }),
  };
}
