import type { OperatorDepositDetailJson, OperatorDepositJson, ProposalJson } from '@quipu/wire'
import type { VNode } from 'preact'
import { useLive } from '../../api/live.ts'
import { recordTexts } from '../../text/record-texts.ts'
import { type Text, useSay } from '../../text/text.ts'
import { ActionDialog } from '../../ui/action-dialog.tsx'
import { Facts } from '../../ui/facts.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { evidenceFields, noteOf, reasonField } from '../../ui/note-fields.ts'
import { PageHead } from '../../ui/page-head.tsx'
import { Amount, CopyId, Nothing, Time } from '../../ui/values.tsx'
import type { PageProps } from '../page.ts'
import { CaseWork } from '../case/case.tsx'
import { ProposalsAbout } from '../proposal/proposal-table.tsx'
import { RetireAddress } from '../tenant/retire-address.tsx'
import { TenantLink } from '../tenant/tenant-link.tsx'
import { EventsAbout } from '../webhook/events-about.tsx'
import { DepositStatus, isWaiting, Review } from './deposit-status.tsx'
import { depositActionTexts, depositTexts } from './deposit-texts.ts'

/** One deposit: what arrived, why it is in review, and what has been decided. */
export function Deposit({ title, parameters }: PageProps): VNode {
  const live = useLive<OperatorDepositDetailJson>(`/deposits/${encodeURIComponent(parameters['id'] ?? '')}`)
  const { data } = live
  return (
    <>
      <PageHead title={title} live={live}>
        {data && isWaiting(data) && <DepositActions id={data.id} />}
        {data?.review_code === 'SENDER_NOT_SCREENED' && data.attempts && <ScreenAgain id={data.id} />}
        {data?.review_code === 'ADDRESS_FROZEN' && <RetireAddress tenantId={data.tenant_id} />}
      </PageHead>
      <Loaded live={live}>
        {(deposit) => (
          <>
            <div class="section">
              <Facts of={factsOf(deposit)} />
            </div>
            <CaseWork id={deposit.id} />
            <ProposalsAbout subject={deposit.id} />
            <EventsAbout subject={deposit.id} />
          </>
        )}
      </Loaded>
    </>
  )
}

function factsOf(deposit: OperatorDepositDetailJson): readonly (readonly [Text, VNode | string | number])[] {
  const { attempts, closed, credited_at: credited } = deposit
  return [
    [recordTexts.status, <DepositStatus key="status" of={deposit} />],
    [recordTexts.amount, <Amount key="amount" of={deposit.amount} currency={deposit.currency} />],
    [recordTexts.tenant, <TenantLink key="tenant" id={deposit.tenant_id} />],
    [depositTexts.review, <Review key="review" code={deposit.review_code} />],
    [depositTexts.problem, attempts?.problem ?? <Nothing />],
    [depositTexts.nextAttempt, attempts ? <Time at={attempts.next_at} /> : <Nothing />],
    [depositTexts.screening, deposit.screening ?? <Nothing />],
    [recordTexts.id, <CopyId key="id" id={deposit.id} />],
    [depositTexts.from, <CopyId key="from" id={deposit.from_address} />],
    [depositTexts.to, <CopyId key="to" id={deposit.address} />],
    [recordTexts.hash, <CopyId key="hash" id={deposit.tx_hash} />],
    [depositTexts.transferIndex, deposit.transfer_index],
    [recordTexts.created, <Time key="created" at={deposit.created_at} />],
    [depositTexts.credited, credited === null ? <Nothing /> : <Time at={credited} />],
    [depositTexts.closed, closed ? <Time at={closed.at} /> : <Nothing />],
    [depositTexts.closedBy, closed?.actor ?? <Nothing />],
    [depositTexts.closeReason, closed?.reason ?? <Nothing />],
  ]
}

type DepositActionsProps = { readonly id: string }

/** Has a worker screen the sender at once, and not only when it is due. */
function ScreenAgain({ id }: DepositActionsProps): VNode {
  const say = useSay()
  return (
    <ActionDialog
      label={say(depositActionTexts.screen)}
      right="operator"
      change={() => ({ path: `/deposits/${id}/screen` })}
      done={() => say(depositActionTexts.screened)}
    >
      {say(depositActionTexts.screenHint)}
    </ActionDialog>
  )
}

type Answer = OperatorDepositJson | ProposalJson

/** Decisions of operators about a deposit in review. */
function DepositActions({ id }: DepositActionsProps): VNode {
  const say = useSay()
  const doneAs =
    (text: Text) =>
    (answer: Answer): string =>
      say('action' in answer ? recordTexts.proposed : text)
  return (
    <>
      <ActionDialog<Answer>
        label={say(depositActionTexts.credit)}
        right="operator"
        fields={[reasonField]}
        change={(values) => ({ path: `/deposits/${id}/credit`, body: noteOf(values) })}
        done={doneAs(depositActionTexts.credited)}
      >
        {say(depositActionTexts.creditHint)}
      </ActionDialog>
      <ActionDialog<Answer>
        label={say(depositActionTexts.close)}
        right="operator"
        isDanger
        fields={[reasonField]}
        change={(values) => ({ path: `/deposits/${id}/close`, body: noteOf(values) })}
        done={doneAs(depositActionTexts.closed)}
      >
        {say(depositActionTexts.closeHint)}
      </ActionDialog>
      <ActionDialog<ProposalJson>
        label={say(depositActionTexts.sendBack)}
        right="operator"
        isDanger
        fields={[
          { name: 'to_address', kind: 'text', maxLength: 34, label: depositActionTexts.toAddress },
          { name: 'tx_hash', kind: 'text', maxLength: 64, label: depositActionTexts.txHash },
          reasonField,
          ...evidenceFields,
        ]}
        change={(values) => ({
          path: `/deposits/${id}/return`,
          body: { to_address: values['to_address'], tx_hash: values['tx_hash'], ...noteOf(values) },
        })}
        done={() => say(recordTexts.proposed)}
      >
        {say(depositActionTexts.sendBackHint)}
      </ActionDialog>
    </>
  )
}
