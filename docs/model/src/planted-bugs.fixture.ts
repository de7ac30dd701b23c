import type { ModelName } from './quint.fixture.ts'

/** A bug of a protocol, as a change of one line of its model. */
export type PlantedBug = {
  readonly model: ModelName
  /** The bug of the protocol. */
  readonly bug: string
  /** The line, without its indentation, and what it becomes. */
  readonly line: string
  readonly becomes: string
  /** Where the samples start; `init` by default. */
  readonly init?: string
  /** The number of samples; one that finds the bug soon. 3 by default. */
  readonly seed?: number
  /** The invariants that it violates, each alone. */
  readonly violates: readonly string[]
}

export const plantedBugs: readonly PlantedBug[] = [
  {
    model: 'failOver',
    bug: 'acts on visible rows, as the first version did',
    line: 'becomes(p, Read({ timeline: timeline, seen: seenNow(seen.ref) }))',
    becomes: 'becomes(p, Durable(seen.with("status", visibleStatus(seen.ref))))',
    violates: ['paidAtMostOncePerTransactionId', 'reportedIsDurable', 'requestedIsDurable'],
  },
  {
    model: 'failOver',
    bug: 'confirms a read on another server than the one that it read',
    line: 'if (readAt != timeline) becomes(p, Lost(seen))',
    becomes: 'if (false) becomes(p, Lost(seen))',
    violates: ['reportedIsDurable'],
  },
  {
    model: 'failOver',
    bug: 'takes a cancelled wait for the standby as an acknowledgement',
    line: "steps' = steps.set(p, Lost(seen)),",
    becomes: "steps' = steps.set(p, Durable(seen)),",
    violates: ['paidAtMostOncePerTransactionId'],
  },
  {
    model: 'failOver',
    bug: 'orders under a mark that the standby may not have',
    init: 'initWithoutCancel',
    line: "steps' = steps.set(p, Lost(seen)),",
    becomes: "steps' = steps.set(p, Durable(seen)),",
    seed: 4,
    violates: ['heldUntilFinal'],
  },
  {
    model: 'failOver',
    bug: 'marks an order without the fencing token',
    init: 'initWithoutCancel',
    line: 'val isClaimed = visible.isIn(Claimed(seen.ref))',
    becomes: 'val isClaimed = false',
    violates: ['heldUntilFinal'],
  },
  {
    model: 'payout',
    bug: 'releases the hold of an order that the network has not seen, without cancelling it',
    line: '| ByCancel => s.with("call", Extending)',
    becomes: '| ByCancel => { ...s, call: Settling, status: Cancelled }',
    seed: 10,
    violates: ['heldUntilFinal'],
  },
  {
    model: 'payout',
    bug: 'releases the hold of an order that a network without cancel has not seen',
    init: 'initWithoutCancel',
    line: '| ByPeople => s.with("call", Yielding)',
    becomes: '| ByPeople => { ...s, call: Settling, status: Cancelled }',
    violates: ['heldUntilFinal'],
  },
  {
    model: 'payout',
    bug: 'marks an order after it has left',
    init: 'initWithoutCancel',
    line: 'pure def mayLeave(call: Call): bool = call == Paying',
    becomes: 'pure def mayLeave(call: Call): bool = Set(Marking, Paying).contains(call)',
    violates: ['heldUntilFinal'],
  },
  {
    model: 'payout',
    bug: 'marks an order without the fencing token',
    init: 'initWithoutCancel',
    line: 'val isOwner = isCurrent(s)',
    becomes: 'val isOwner = true',
    violates: ['heldUntilFinal'],
  },
  {
    model: 'payout',
    bug: 'sends an order of a network without cancel again when its answer is lost',
    init: 'initWithoutCancel',
    line: 'if (not(isHeard) or not(isFinal(order))) s.with("call", Yielding)',
    becomes: 'if (not(isHeard) or not(isFinal(order))) s.with("call", Paying)',
    violates: ['orderIsSentAtMostOnce'],
  },
  {
    model: 'payout',
    bug: 'takes the absence from a statement with a gap for a proof',
    init: 'initInDoubt',
    line: 'val hasWitnesses = isComplete',
    becomes: 'val hasWitnesses = true',
    violates: ['heldUntilFinal'],
  },
  {
    model: 'payout',
    bug: 'takes the absence from a statement for a proof before its time has passed',
    init: 'initInDoubt',
    line: 'val isPast = rows.get(s.ref).isPast',
    becomes: 'val isPast = true',
    violates: ['heldUntilFinal'],
  },
  {
    model: 'payout',
    bug: 'takes a lost answer as a refusal',
    line: 'if (not(isHeard) or not(isFinal(order))) s.with("call", Yielding)',
    becomes:
      'if (not(isHeard)) { ...s, call: Settling, status: Failed } else if (not(isFinal(order))) s.with("call", Yielding)',
    violates: ['heldUntilFinal'],
  },
  {
    model: 'payout',
    bug: 'releases the hold when it cancels, whatever the network answers',
    init: 'initCancelling',
    line: "steps' = steps.set(p, afterHearing(s, isHeard, order)),",
    becomes: "steps' = steps.set(p, { ...s, call: Settling, status: Cancelled }),",
    violates: ['heldUntilFinal'],
  },
  {
    model: 'payout',
    bug: 'accepts without the unique index of transaction_id',
    line: 'if (rows.keys() == Set()) all {',
    becomes: 'if (true) all {',
    violates: ['storedOncePerTransactionId'],
  },
  {
    model: 'payout',
    bug: 'settles without a guard on state and claim',
    init: 'initCancelling',
    line: 'val isFirst = isCurrent(s)',
    becomes: 'val isFirst = true',
    violates: ['ledgerMatchesPayouts'],
  },
  {
    model: 'payout',
    bug: 'sends an order again when its answer is lost',
    line: 'if (not(isHeard) or not(isFinal(order))) s.with("call", Yielding)',
    becomes: 'if (not(isHeard) or not(isFinal(order))) s.with("call", Paying)',
    violates: ['orderIsSentAtMostOnce'],
  },
  {
    model: 'payout',
    bug: 'publishes the event outside the commit',
    line: "events' = if (isFirst) events.append({ ref: s.ref, status: status }) else events,",
    becomes: "events' = events.append({ ref: s.ref, status: status }),",
    violates: ['eventsMatchPayouts'],
  },
  {
    model: 'payout',
    bug: 'reports the answer of the network although another claim has settled the payout',
    line: 'val status = if (isFirst) s.status else rows.get(s.ref).status',
    becomes: 'val status = s.status',
    violates: ['reportedIsStored'],
  },
  {
    model: 'deposit',
    bug: 'credits a transfer that only the head shows',
    line: 'if (w.view == Head) known',
    becomes: 'if (w.view == Head) confirmedIn(known, w.block)',
    violates: ['creditedOnlyIfSolid'],
  },
  {
    model: 'deposit',
    bug: 'moves the cursor before the commit of what the block adds',
    line: "scans' = scans.setBy(Solid, s => { ...s, token: token, isLeased: true }),",
    becomes: "scans' = scans.setBy(Solid, s => { token: token, isLeased: true, at: s.at.append(block) }),",
    violates: ['cursorNeverSkips'],
  },
  {
    model: 'deposit',
    bug: 'moves the cursor two blocks at once',
    line: '...scan, at: scan.at.append(w.block), isLeased: scan.isLeased and not(isAnswered)',
    becomes: '...scan, at: scan.at.append(chain[solid - 1]), isLeased: scan.isLeased and not(isAnswered)',
    violates: ['cursorFollowsSolidBlocks'],
  },
  {
    model: 'deposit',
    bug: 'writes a block under a claim and a cursor that have passed',
    line: 'val isCurrent = scan.token == w.token and positionOf(w.view).id == w.from.id',
    becomes: 'val isCurrent = w != noWrite',
    violates: ['cursorFollowsSolidBlocks'],
  },
  {
    model: 'deposit',
    bug: 'rules a transfer out before it has expired',
    line: 'lastBlocks.get(t) <= block.number,',
    becomes: 'true,',
    violates: ['goneIsFinal'],
  },
  {
    model: 'deposit',
    bug: 'rules out a transfer that the same block confirms',
    line: 'not(block.transfers.contains(t)),',
    becomes: 'true,',
    violates: ['goneIsFinal'],
  },
  {
    model: 'deposit',
    bug: 'credits under a claim that has passed',
    line: 'val isCurrent = d.token == s.token and d.status == InPending',
    becomes: 'val isCurrent = true',
    violates: ['creditedOnce'],
  },
  {
    model: 'delivery',
    bug: 'commits a fact without its event, and dies before it writes the event',
    line: "deliveries' = deliveries.setBy(event, d => queued(d)),",
    becomes: "deliveries' = deliveries,",
    violates: ['everyFactHasItsEvent'],
  },
  {
    model: 'delivery',
    bug: 'records an attempt without the fencing token',
    line: 'if (isNewest(s)) all {',
    becomes: 'if (true) all {',
    violates: ['deliveredIsFinal'],
  },
  {
    model: 'delivery',
    bug: 'takes a lost answer as success',
    line: "steps' = steps.set(p, { ...s, call: Recording, isAccepted: result == Accepted }),",
    becomes: "steps' = steps.set(p, { ...s, call: Recording, isAccepted: result != Rejected }),",
    violates: ['deliveredWasAccepted'],
  },
  {
    model: 'delivery',
    bug: 'claims with the token of the claim before',
    line: '...d, token: d.token + 1, attempt: attempt, generation: generation, isOut: true, isClaimable: false',
    becomes: '...d, attempt: attempt, generation: generation, isOut: true, isClaimable: false',
    violates: ['claimHasOneOwner'],
  },
  {
    model: 'delivery',
    bug: 'counts the attempts of before the reactivation',
    line: 'val attempt = if (d.generation < generation) 1 else d.attempt',
    becomes: 'val attempt = d.attempt',
    violates: ['exhaustedHadAllAttempts'],
  },
]
