import type { ProposalJson } from '@quipu/wire'
import type { VNode } from 'preact'
import { useFormat } from '../../text/format.ts'
import { recordTexts } from '../../text/record-texts.ts'
import { type Text, useSay } from '../../text/text.ts'
import { Facts } from '../../ui/facts.tsx'
import { Nothing, Time } from '../../ui/values.tsx'
import { payoutStatusTexts } from '../../text/volume-texts.ts'
import { payoutActionTexts } from '../payout/payout-texts.ts'
import { RecordLink } from '../record-link.tsx'
import { TenantLink } from '../tenant/tenant-link.tsx'
import { directionTexts } from '../tenant/tenant-texts.ts'
import { actionTexts, detailTexts, proposalTexts } from './proposal-texts.ts'

type Details = ProposalJson['details']
type Name = keyof Details
type Value = NonNullable<Details[Name]> | null
type Fact = readonly [Text, VNode]

const detailNames = Object.keys(detailTexts) as readonly Name[]

/** The members that the action has, under their names; a changed one beside its present value. */
export const detailFacts = ({ details, present }: ProposalJson): readonly Fact[] =>
  detailNames.flatMap((name): readonly Fact[] => {
    const [now, next] = [present?.[name], details[name]]
    if (now === undefined && next === undefined) return []
    return [[detailTexts[name], <Detail key={name} name={name} now={now} next={next} />]]
  })

/** The subject and the effect of a proposal, in the dialog that decides on it. */
export function ProposedEffect({ proposal }: { readonly proposal: ProposalJson }): VNode {
  const say = useSay()
  return (
    <Facts
      of={[
        [proposalTexts.action, say(actionTexts[proposal.action])],
        [recordTexts.tenant, <TenantLink key="tenant" id={proposal.tenant_id} />],
        ...detailFacts(proposal),
      ]}
    />
  )
}

type DetailProps = { readonly name: Name; readonly now: Value | undefined; readonly next: Value | undefined }

function Detail({ name, now, next }: DetailProps): VNode {
  const say = useSay()
  const shown = useShown()
  if (now === undefined) return next === undefined ? <Nothing /> : <One name={name} value={next} />
  const word = (value: Value): string => (value === null ? say(proposalTexts.none) : shown(String(value)))
  return <>{next === undefined ? word(now) : `${word(now)} → ${word(next)}`}</>
}

const words: Readonly<Record<string, Readonly<Record<string, Text>>>> = {
  direction: directionTexts,
  outcome: payoutStatusTexts,
  contradicts_network: { true: payoutActionTexts.differs, false: payoutActionTexts.agrees },
}

/** Shows an amount or rate with the language's decimal mark, and other texts as they are. */
function useShown(): (text: string) => string {
  const { amount } = useFormat()
  return (text) => (/^-?\d+\.\d+$/.test(text) ? amount(text) : text)
}

function One({ name, value }: { readonly name: Name; readonly value: Value }): VNode {
  const say = useSay()
  const shown = useShown()
  if (value === null) return <Nothing />
  const text = typeof value === 'object' ? value.join(', ') : String(value)
  const word = words[name]?.[text]
  if (word) return <>{say(word)}</>
  if (name.endsWith('_at')) return <Time at={text} />
  return name === 'difference_id' || name === 'payout_id' ? <RecordLink id={text} /> : <>{shown(text)}</>
}
