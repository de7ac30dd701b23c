import type { ClaimedPayout, PaymentOrder, PayoutClaim, PayoutCommit } from '@quipu/core/adapter'
import type { GatedProcess } from '../gated-process.fixture.ts'
import { type Report, statusOf } from '../payout-state.fixture.ts'
import type { Commit } from './database.fixture.ts'
import type { Context } from './context.fixture.ts'
import { type ModelCommit, type Step, worker } from './model-state.fixture.ts'

export const reportText = ({ ref, status }: Report): string => `${ref} ${status}`

export function refOf({ idOf }: Pick<Context, 'idOf'>, id: string): number {
  for (const [ref, each] of idOf) if (each === id) return ref
  throw new Error(`no request applied ${id}`)
}

/** The rows that these commits of the model make. */
export function rowsOf(commits: readonly ModelCommit[]): readonly string[] {
  const rows = new Map<number, string>()
  for (const commit of commits) {
    if (commit === 'Confirmed') continue
    if (commit.tag === 'Settled') rows.set(commit.value.ref, commit.value.status)
    else if (commit.tag === 'Applied') rows.set(commit.value, 'Processing')
  }
  return Array.from(rows, ([ref, status]) => reportText({ ref, status })).toSorted()
}

/** A commit of the model. */
export function textOf(commit: ModelCommit): string {
  if (commit === 'Confirmed') return commit
  return `${commit.tag} ${commit.tag === 'Settled' ? reportText(commit.value) : commit.value}`
}

/** A real commit, in the model's words. */
export function commitText(context: Context, { entry, result }: Commit): string {
  if (entry === undefined) return 'Confirmed'
  const { method, args } = entry
  const [first] = args.first
  if (method.name === 'commit') {
    const { kind, step } = first as PayoutCommit
    const ref = refOf(context, step.payout.id)
    return kind === 'apply' ? `Applied ${ref}` : `Settled ${ref} ${statusOf(step.payout)}`
  }
  const claims = method.name === 'claimDue' ? (result as readonly ClaimedPayout[]) : []
  const { payoutId } = claims[0]?.claim ?? (first as PayoutClaim)
  return `Claimed ${refOf(context, payoutId)}`
}

/** What a process of the model waits for. A lost answer has ended the request, or the work at a claim. */
export function nextCall(name: string, step: Step): string {
  if (step === 'Idle' || step.tag === 'Lost') return 'Idle'
  const { tag, value } = step
  if (tag === 'Waiting') return `acknowledged ${value.place}`
  if (tag === 'Read') return `confirm ${value.timeline}`
  if (tag === 'Requested') return `sent ${name === worker ? 'cancel' : 'pay'} ${value}`
  const { ref, status, owns, asked } = value
  if (!owns || status !== 'Processing') return `report ${reportText(value)}`
  return `${name !== worker ? 'pay' : asked ? 'cancel' : 'status'} ${ref}`
}

/** What a real process waits for. */
export function callOf(context: Context, name: string, gates: GatedProcess): string {
  const [call, ...others] = gates.waiting()
  if (others.length > 0) return [call, ...others].join(' and ')
  if (call === undefined) return gates.isRunning() ? 'a timer' : 'Idle'
  const [first] = gates.argsOf(call)
  if (call === 'report') return `report ${reportText(first as Report)}`
  if (call === 'acknowledged' || call === 'confirm') return `${call} ${String(first)}`
  const isSent = context.sent.has(name)
  return `${isSent ? 'sent ' : ''}${call} ${refOf(context, referenceIn(first))}`
}

/** The reference in a call to the network. */
export const referenceIn = (first: unknown): string =>
  typeof first === 'string' ? first : (first as PaymentOrder).reference
