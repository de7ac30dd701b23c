import type { PayoutHistoryJson, TimelineEntryJson } from '@quipu/wire'
import type { VNode } from 'preact'
import { useLive } from '../../api/live.ts'
import { useSay, language, textOf } from '../../text/text.ts'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { Facts } from '../../ui/facts.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import { Section } from '../../ui/section.tsx'
import { Status } from '../../ui/status.tsx'
import { Amount, Copy, CopyId, Nothing, Time } from '../../ui/values.tsx'
import type { PageProps } from '../page.ts'
import { PayoutActions, RefundAction } from './payout-actions.tsx'
import { TenantLink } from '../tenant/tenant-link.tsx'
import { PayoutStatus } from './payout-status.tsx'
import { payoutTexts, timelineTexts } from './payout-texts.ts'
import { CaseWork } from '../case/case.tsx'
import { useStore } from '../../store.ts'

/** One payout: what it is, what happened to it, and what an operator can do about it. */
export function Payout({ title, parameters }: PageProps): VNode {
  const live = useLive<PayoutHistoryJson>(`/payouts/${encodeURIComponent(parameters['id'] ?? '')}`)
  const { data } = live
  return (
    <>
      <PageHead title={title} live={live}>
        {data?.payout.status === 'processing' && <PayoutActions payout={data.payout} />}
        {data?.payout.status === 'completed' && <RefundAction payout={data.payout} />}
      </PageHead>
      <Loaded live={live}>{(history) => <History {...history} />}</Loaded>
    </>
  )
}

function History({ payout, quote, ledger, timeline, network_case: support }: PayoutHistoryJson): VNode {
  const say = useSay()
  return (
    <>
      <div class="section">
        <PayoutFacts payout={payout} quote={quote} />
      </div>
      {payout.open && <Work open={payout.open} />}
      {support && <NetworkCase of={support} />}
      <CaseWork id={payout.id} />
      <section>
        <h2>{say(payoutTexts.timeline)}</h2>
        <Timeline entries={timeline} />
      </section>
      <section>
        <h2>{say(payoutTexts.ledger)}</h2>
        <DataTable
          caption={say(payoutTexts.ledger)}
          columns={ledgerColumns}
          rows={ledger}
          keyOf={({ type }) => type}
          empty={say(payoutTexts.noLedger)}
        />
      </section>
    </>
  )
}

/** A text in which people ask the network about the payout. */
function NetworkCase({ of }: { readonly of: NonNullable<PayoutHistoryJson['network_case']> }): VNode {
  const say = useSay()
  const text = say(of)
  return (
    <Section heading={payoutTexts.case} hint={payoutTexts.caseHint} actions={<Copy text={text} />}>
      <pre class="json" tabIndex={0}>
        {text}
      </pre>
    </Section>
  )
}

function PayoutFacts({ payout, quote }: Pick<PayoutHistoryJson, 'payout' | 'quote'>): VNode {
  const { source, target, qr, error } = payout
  const amountOf = (money: typeof source | typeof target): VNode =>
    money ? <Amount of={money.amount} currency={money.currency} /> : <Nothing />
  return (
    <Facts
      of={[
        [payoutTexts.status, <PayoutStatus key="status" of={payout.status} />],
        [payoutTexts.target, amountOf(target)],
        [payoutTexts.source, amountOf(source)],
        [payoutTexts.rate, quote ? <Amount key="rate" of={quote.rate} currency="BOB" /> : <Nothing />],
        [payoutTexts.merchant, qr.merchant?.name ?? <Nothing />],
        [payoutTexts.bank, qr.merchant?.bank_code ?? <Nothing />],
        [payoutTexts.id, <CopyId key="id" id={payout.id} />],
        [payoutTexts.tenant, <TenantLink key="tenant" id={payout.tenant_id} />],
        [payoutTexts.transactionId, payout.transaction_id],
        [payoutTexts.key, payout.key_id ? <CopyId key="key" id={payout.key_id} /> : <Nothing />],
        [payoutTexts.networkReference, payout.network_reference ?? <Nothing />],
        [payoutTexts.networkPayment, payout.network_payment_id ?? <Nothing />],
        [payoutTexts.created, <Time key="created" at={payout.created_at} />],
        [payoutTexts.ended, payout.ended_at ? <Time at={payout.ended_at} /> : <Nothing />],
        [payoutTexts.reason, error ? <ErrorText {...error} /> : <Nothing />],
      ]}
    />
  )
}

const ErrorText = ({ code, message }: { readonly code: string; readonly message: string }): VNode => (
  <>
    <code>{code}</code> <span lang="en">{message}</span>
  </>
)

type OpenPayout = NonNullable<PayoutHistoryJson['payout']['open']>

function Work({ open }: { readonly open: OpenPayout }): VNode {
  const say = useSay()
  return (
    <section>
      <div class="section-head">
        <h2>{say(payoutTexts.work)}</h2>
        <p class="muted">{say(payoutTexts.workHint)}</p>
      </div>
      <Facts
        of={[
          [payoutTexts.claims, open.claims],
          [payoutTexts.unanswered, open.unanswered],
          [payoutTexts.due, <Time key="due" at={open.due_at} />],
          [
            payoutTexts.alerts,
            open.alerts.length === 0 ? (
              <Nothing />
            ) : (
              open.alerts.map(({ code, detail }) => (
                <p key={code}>
                  <Status tone="warn">{code}</Status> <span lang="en">{detail}</span>
                </p>
              ))
            ),
          ],
        ]}
      />
    </section>
  )
}

type Posting = PayoutHistoryJson['ledger'][number]

const inUsdt = (amount: string): VNode => <Amount of={amount} currency="USDT" />

const ledgerColumns: readonly Column<Posting>[] = [
  { head: payoutTexts.at, cell: ({ at }) => <Time at={at} /> },
  { head: payoutTexts.posting, cell: ({ type }) => <code>{type}</code>, isName: true },
  { head: payoutTexts.detail, cell: ({ debit, credit }) => <code>{`${debit} → ${credit}`}</code> },
  { head: payoutTexts.amount, align: 'end', cell: ({ amount }) => inUsdt(amount) },
  { head: payoutTexts.availableAfter, align: 'end', cell: ({ available_after }) => inUsdt(available_after) },
  { head: payoutTexts.heldAfter, align: 'end', cell: ({ held_after }) => inUsdt(held_after) },
]

/** Events of a payout, oldest first. */
function Timeline({ entries }: { readonly entries: readonly TimelineEntryJson[] }): VNode {
  const say = useSay()
  const isSpanish = useStore(language) === 'es'
  return (
    <ol class="timeline" aria-label={say(payoutTexts.timeline)}>
      {entries.map(({ at, kind, id, actor, summary, summary_es }, index) => {
        const name = textOf(timelineTexts, kind)
        return (
          <li key={`${at} ${kind} ${id ?? index}`} class={`kind-${kind}`}>
            <Time at={at} />
            <span class="what">{name ? say(name) : kind}</span>
            <span class="summary">
              {isSpanish ? summary_es : <span lang="en">{summary}</span>}
              {actor !== null && (
                <span class="muted">
                  {' '}
                  · {say(payoutTexts.by)} {actor}
                </span>
              )}
            </span>
          </li>
        )
      })}
    </ol>
  )
}
