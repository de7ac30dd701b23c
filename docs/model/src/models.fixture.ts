import type { ModelName } from './quint.fixture.ts'

/** The claims of a model, and the evidence that its samples reach the protocol's rare states. */
export type ModelClaims = {
  readonly invariants: readonly string[]
  /** The actions that make a first state, each with witnesses that samples from it must see. */
  readonly starts: Readonly<Record<string, readonly string[]>>
}

export const models: Readonly<Record<ModelName, ModelClaims>> = {
  failOver: {
    invariants: ['paidAtMostOncePerTransactionId', 'reportedIsDurable', 'requestedIsDurable', 'heldUntilFinal'],
    starts: {
      init: ['isPaidAfterAnAcceptanceVanished', 'isCompletedAndReported', 'isCancelledAndReported'],
      initWithoutCancel: ['isCompletedAndReported', 'isCancelledUnsent'],
    },
  },
  payout: {
    invariants: [
      'storedOncePerTransactionId',
      'paidAtMostOncePerTransactionId',
      'heldUntilFinal',
      'capturedOnlyIfPaid',
      'ledgerMatchesPayouts',
      'orderIsSentAtMostOnce',
      'reportedIsStored',
      'eventsMatchPayouts',
    ],
    starts: {
      init: ['isRepeatedWhileOwned', 'isSettledTooLate'],
      initCancelling: ['isCompletedByWorker', 'isCancelledWhileOrderTravels'],
      initWithoutCancel: ['isCancelledUnsent'],
      initInDoubt: ['isCompletedByWorker', 'isCancelledByAbsence'],
    },
  },
  deposit: {
    invariants: [
      'creditedOnlyIfSolid',
      'creditedOnce',
      'cursorNeverSkips',
      'cursorFollowsSolidBlocks',
      'headIsLinked',
      'goneIsFinal',
    ],
    starts: { init: ['isWrittenTooLate', 'isRewound', 'isCredited'] },
  },
  delivery: {
    invariants: [
      'everyFactHasItsEvent',
      'deliveredWasAccepted',
      'deliveredIsFinal',
      'exhaustedHadAllAttempts',
      'pausesAfterFailures',
      'claimHasOneOwner',
    ],
    starts: { init: ['isRecordedTooLate', 'isDeliveredAfterPause'] },
  },
}

export const modelNames = Object.keys(models) as readonly ModelName[]
