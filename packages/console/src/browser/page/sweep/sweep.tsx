import type { SweepBatchJson, SweepImportJson } from '@quipu/wire'
import type { VNode } from 'preact'
import { useLive } from '../../api/live.ts'
import { useRight } from '../../session/use-session.ts'
import { recordTexts } from '../../text/record-texts.ts'
import { useSay } from '../../text/text.ts'
import { ActionDialog } from '../../ui/action-dialog.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { Facts } from '../../ui/facts.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import { Section } from '../../ui/section.tsx'
import { CopyId, Time } from '../../ui/values.tsx'
import type { PageProps } from '../page.ts'
import { transferColumns, trx, usdt } from './sweep-columns.tsx'
import { signatureTexts, sweepActionTexts, sweepTexts } from './sweep-texts.ts'

const pathOf = (id: string): string => `/sweep/batches/${encodeURIComponent(id)}`

/** One batch: what it moves, what its transfers wait for, and its way to the offline signer and back. */
export function Sweep({ title, parameters: { id = '' } }: PageProps): VNode {
  const live = useLive<SweepBatchJson>(pathOf(id))
  const { data } = live
  return (
    <>
      <PageHead title={title} live={live}>
        {data && <SweepActions batch={data} />}
      </PageHead>
      <Loaded live={live}>{(batch) => <Batch {...batch} />}</Loaded>
    </>
  )
}

function Batch(batch: SweepBatchJson): VNode {
  const say = useSay()
  return (
    <>
      <div class="section">
        <Facts
          of={[
            [recordTexts.amount, usdt(batch.amount)],
            [sweepTexts.treasury, <code key="treasury">{batch.treasury}</code>],
            [sweepTexts.trxNeeded, trx(batch.trx_needed)],
            [sweepTexts.trxMissing, trx(batch.trx_missing)],
            [sweepTexts.threshold, usdt(batch.threshold)],
            [sweepTexts.createdBy, batch.created_by],
            [recordTexts.created, <Time key="created" at={batch.created_at} />],
            [recordTexts.expires, <Time key="expires" at={batch.expires_at} />],
            [recordTexts.id, <CopyId key="id" id={batch.id} />],
          ]}
        />
      </div>
      <Section heading={sweepTexts.transfers}>
        <DataTable
          caption={say(sweepTexts.transfers)}
          columns={transferColumns}
          rows={batch.transfers}
          keyOf={({ id }) => id}
          empty={say(sweepTexts.noTransfer)}
        />
      </Section>
    </>
  )
}

/** Takes the batch to the offline signer, and its signatures back. */
function SweepActions({ batch: { id, transfers } }: { readonly batch: SweepBatchJson }): VNode | null {
  const say = useSay()
  const canSign = useRight('operator')
  if (transfers.every(({ status }) => status !== 'planned' && status !== 'signed')) return null
  return (
    <>
      {canSign && (
        <a class="button" href={`/operator/v1${pathOf(id)}/unsigned`} download={`${id}.json`}>
          {say(sweepActionTexts.export)}
        </a>
      )}
      <ActionDialog<SweepImportJson>
        label={say(sweepActionTexts.import)}
        right="operator"
        fields={[{ name: 'signed', kind: 'file', label: sweepActionTexts.file }]}
        change={({ signed = '' }) => ({ path: `${pathOf(id)}/signed`, body: jsonOf(signed) })}
        done={({ transfers: results }) =>
          say(sweepActionTexts.imported, countsOf(results.map(({ result }) => say(signatureTexts[result]))))
        }
      >
        {say(sweepActionTexts.importHint)}
      </ActionDialog>
    </>
  )
}

/** `3 accepted, 1 of another key`. */
function countsOf(results: readonly string[]): string {
  const counts = Map.groupBy(results, (result) => result)
  return [...counts].map(([result, same]) => `${same.length} ${result}`).join(', ')
}

/** A file that is no JSON goes to the API as text, which says what it expects. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return text
  }
}
