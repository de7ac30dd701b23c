import type { QrNetworkJson } from '@quipu/wire'
import type { VNode, ComponentChildren } from 'preact'
import { useLive } from '../../api/live.ts'
import { recordTexts } from '../../text/record-texts.ts'
import { useSay, type Text } from '../../text/text.ts'
import { ActionDialog } from '../../ui/action-dialog.tsx'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { Facts } from '../../ui/facts.tsx'
import type { Field } from '../../ui/fields.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { reasonField } from '../../ui/note-fields.ts'
import { PageHead } from '../../ui/page-head.tsx'
import { Section } from '../../ui/section.tsx'
import { Nothing, Time } from '../../ui/values.tsx'
import type { PageProps } from '../page.ts'
import { networkTexts, abilityTexts, yesNoTexts } from './network-texts.ts'

/** At which QR network payouts are ordered, what halts, and the confirmation of a move. */
export function Network({ title }: PageProps): VNode {
  const say = useSay()
  const live = useLive<QrNetworkJson>('/network')
  return (
    <>
      <PageHead title={title} live={live}>
        <ActionDialog
          label={say(networkTexts.confirm)}
          right="admin"
          isDanger
          fields={fields}
          change={({ identity, reason }) => ({ path: '/network/confirm', body: { identity, reason } })}
          done={() => say(networkTexts.confirmed)}
        >
          {say(networkTexts.confirmHint)}
        </ActionDialog>
      </PageHead>
      <Loaded live={live}>
        {({ identity, confirmed_at: at, confirmed_by: by, reason, halts, configured }) => (
          <>
            <div class="section">
              <Facts
                of={[
                  [networkTexts.identity, identity ?? <Nothing />],
                  [networkTexts.at, at === null ? <Nothing /> : <Time at={at} />],
                  [networkTexts.by, by ?? <Nothing />],
                  [recordTexts.reason, reason ?? <Nothing />],
                ]}
              />
            </div>
            <Abilities of={configured} />
            <Section heading={networkTexts.halts}>
              <DataTable
                caption={say(networkTexts.halts)}
                columns={columns}
                rows={halts}
                keyOf={({ identity: key }) => key}
                empty={say(networkTexts.nothing)}
              />
            </Section>
          </>
        )}
      </Loaded>
    </>
  )
}

const fields: readonly Field[] = [
  { name: 'identity', kind: 'text', maxLength: 255, label: networkTexts.network },
  reasonField,
]

type Halt = QrNetworkJson['halts'][number]

function Why({ of: { payout_id: payout } }: { readonly of: Halt }): VNode {
  const say = useSay()
  if (payout === null) return <>{say(networkTexts.other)}</>
  return (
    <>
      {say(networkTexts.forgot)} {payout}
    </>
  )
}

const columns: readonly Column<Halt>[] = [
  { head: networkTexts.network, cell: ({ identity }) => identity, isName: true },
  { head: networkTexts.why, align: 'wide', cell: (halt) => <Why of={halt} /> },
  { head: networkTexts.at, cell: ({ since }) => <Time at={since} /> },
]

type Configured = QrNetworkJson['configured']
type Capabilities = Configured['capabilities']
type Shown = Exclude<keyof Capabilities, 'unpaid_after_seconds'>

/** Abilities and proofs of the API’s network. */
function Abilities({ of: { identity, capabilities } }: { readonly of: Configured }): VNode {
  const say = useSay()
  const yesNo = (is: boolean): string => say(is ? yesNoTexts.yes : yesNoTexts.no)
  const { unpaid_proof: proof, unpaid_after_seconds: after } = capabilities
  const proofs: Readonly<Record<Capabilities['unpaid_proof'], () => string>> = {
    cancel: () => say(abilityTexts.byCancel),
    statement: () => say(abilityTexts.byStatement, after ?? 0),
    people: () => say(abilityTexts.byPeople),
  }
  const facts: Readonly<Record<Shown, readonly [Text, ComponentChildren]>> = {
    unpaid_proof: [abilityTexts.unpaidProof, proofs[proof]()],
    identity_proof: [
      abilityTexts.identityProof,
      say(capabilities.identity_proof === 'status' ? abilityTexts.byStatus : abilityTexts.byList),
    ],
    repeatable_pay: [abilityTexts.repeatable, yesNo(capabilities.repeatable_pay)],
    single_use_reading: [abilityTexts.singleUse, yesNo(capabilities.single_use_reading)],
    reference_at_pay: [abilityTexts.newReference, yesNo(capabilities.reference_at_pay)],
    callbacks: [abilityTexts.callbacks, yesNo(capabilities.callbacks)],
    statement_grain: [
      abilityTexts.grain,
      say(capabilities.statement_grain === 'day' ? abilityTexts.byDay : abilityTexts.byInstant),
    ],
  }
  return (
    <Section heading={abilityTexts.heading}>
      <Facts of={[[abilityTexts.configured, identity], ...Object.values(facts)]} />
    </Section>
  )
}
