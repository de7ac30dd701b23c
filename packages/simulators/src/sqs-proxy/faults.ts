import { createHash, randomUUID } from 'node:crypto'

type Entry = { readonly Id: string; readonly MessageBody: string }
type SendRequest = { readonly Entries: readonly Entry[] }
type Successful = { readonly Id: string; readonly MessageId: string; readonly MD5OfMessageBody: string }
export type SendAnswer = { readonly Successful: readonly Successful[] }
type ReceiveAnswer = { readonly Messages?: readonly unknown[] }

/** Messages since the start. */
export type Counts = { readonly dropped: number; readonly duplicated: number }

/** Pending faults and counts of past ones. */
export type SqsFaults = {
  drop(messages: number): void
  duplicate(messages: number): void
  reorder(on: boolean): void
  loseAnswers(requests: number): void
  /** Decreases the number of answers to lose. @returns false if it was 0 */
  takeLostAnswer(): boolean
  counts(): Counts
  /** Applies faults to a batch. */
  split(body: string): SplitBatch
  /** Reverses the messages of an answer, if `reorder` is on. */
  reverse(body: string): string
}

export type SplitBatch = {
  /** The requests to send instead; none if every message is dropped. */
  readonly requests: readonly string[]
  /** Success results for the dropped messages. */
  readonly falseResults: readonly Successful[]
}

export function createSqsFaults(): SqsFaults {
  let drops = 0
  let duplicates = 0
  let answers = 0
  let reversed = false
  let counts: Counts = { dropped: 0, duplicated: 0 }
  return {
    drop: (messages) => void (drops += messages),
    duplicate: (messages) => void (duplicates += messages),
    reorder: (on) => void (reversed = on),
    loseAnswers: (requests) => void (answers += requests),
    takeLostAnswer: () => answers > 0 && answers-- > 0,
    counts: () => counts,
    split(body) {
      const request = JSON.parse(body) as SendRequest
      const dropped = request.Entries.slice(0, drops)
      const kept = request.Entries.slice(dropped.length)
      const repeated = kept.slice(0, duplicates)
      drops -= dropped.length
      duplicates -= repeated.length
      counts = { dropped: counts.dropped + dropped.length, duplicated: counts.duplicated + repeated.length }
      const batches = [kept, repeated].filter(({ length }) => length > 0)
      return {
        requests: batches.map((Entries) => JSON.stringify({ ...request, Entries })),
        falseResults: dropped.map(falseResult),
      }
    },
    reverse(body) {
      if (!reversed) return body
      const answer = JSON.parse(body) as ReceiveAnswer
      return JSON.stringify({ ...answer, Messages: answer.Messages?.toReversed() })
    },
  }
}

/** Includes the body's digest, which senders check. */
const falseResult = ({ Id, MessageBody }: Entry): Successful => ({
  Id,
  MessageId: randomUUID(),
  MD5OfMessageBody: createHash('md5').update(MessageBody).digest('hex'),
})
