import type { QrNetworkJson } from '@quipu/wire'
import type { ComponentChildren, VNode } from 'preact'
import { type Text, useSay } from '../../text/text.ts'
import { Facts } from '../../ui/facts.tsx'
import { Section } from '../../ui/section.tsx'
import { abilityTexts, yesNoTexts } from './network-texts.ts'

type Configured = QrNetworkJson['configured']
type Capabilities = Configured['capabilities']
type Shown = Exclude<keyof Capabilities, 'unpaid_after_seconds'>

/** Abilities and proofs of the API’s network. */
export function Abilities({ of: { identity, capabilities } }: { readonly of: Configured }): VNode {
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
