import type { OperatorEventJson } from '@quipu/wire'
import { Link } from '../../route/link.tsx'
import { recordTexts } from '../../text/record-texts.ts'
import type { Column } from '../../ui/data-table.tsx'
import { Time } from '../../ui/values.tsx'
import { RecordLink } from '../record-link.tsx'
import { TenantLink } from '../tenant/tenant-link.tsx'
import { eventTexts } from './webhook-texts.ts'

/** The columns of events about one record. */
export const eventAboutColumns: readonly Column<OperatorEventJson>[] = [
  { head: eventTexts.recorded, cell: ({ recorded_at: at }) => <Time at={at} /> },
  {
    head: eventTexts.type,
    cell: ({ id, type }) => (
      <Link to={`/events/${id}`} title={id}>
        {type}
      </Link>
    ),
    isName: true,
  },
]

export const eventColumns: readonly Column<OperatorEventJson>[] = [
  ...eventAboutColumns,
  { head: recordTexts.subject, cell: ({ subject_id: id }) => <RecordLink id={id} isShort /> },
  { head: recordTexts.tenant, cell: ({ tenant_id: id }) => <TenantLink id={id} /> },
]
