import { createHash, randomUUID } from 'node:crypto'

type Entry = { readonly Id: string; readonly MessageBody: string }
type SendRequest = { readonly Entries: readonly Entry[] }
type Successful = {
  readonly Id: string
  readonly MessageId: string
  readonly MD5OfMessageBody: string
}
export type SendAnswer = { readonly Successful: readonly Successful[] }
type ReceiveAnswer = { readonly Messages?: readonly unknown[] }

export type Counts = { readonly dropped: number; readonly duplicated: number }

/** What is still to go wrong, and what has. */
export type SqsFaults = {
  drop(messages: number): void
  duplicate(messages: number): void
  reorder(on: boolean): void
  loseAnswers(requests: number): void
  /** Takes one of the answers that are to be lost. */
  losesAnswer(): boolean
  counts(): Counts
  /** What becomes of a batch on its way to the queue. */
  split(body: string): SplitBatch
  /** The same answer, its messages in another order. */
  shuffle(body: string): string
}

export type SplitBatch = {
  /** The requests to make in its place, none when every message is dropped. */
  readonly requests: readonly string[]
  /** The messages that the sender is told were taken, and were not. */
  readonly pretended: readonly Successful[]
}

export function createSqsFaults(): SqsFaults {
  let drops = 0
  let duplicates = 0
  let answers = 0
  let backwards = false
  let counts: Counts = { dropped: 0, duplicated: 0 }
  return {
    drop: (messages) => void (drops += messages),
    duplicate: (messages) => void (duplicates += messages),
    reorder: (on) => void (backwards = on),
    loseAnswers: (requests) => void (answers += requests),
    losesAnswer: () => answers > 0 && answers-- > 0,
    counts: () => counts,
    split(body) {
      const request = JSON.parse(body) as SendRequest
      const dropped = request.Entries.slice(0, drops)
      const kept = request.Entries.slice(dropped.length)
      const repeated = kept.slice(0, duplicates)
      drops -= dropped.length
      duplicates -= repeated.length
      counts = {
        dropped: counts.dropped + dropped.length,
        duplicated: counts.duplicated + repeated.length,
      }
      const batches = [kept, repeated].filter(({ length }) => length > 0)
      return {
        requests: batches.map((Entries) => JSON.stringify({ ...request, Entries })),
        pretended: dropped.map(pretend),
      }
    },
    shuffle(body) {
      if (!backwards) return body
      const answer = JSON.parse(body) as ReceiveAnswer
      return JSON.stringify({ ...answer, Messages: answer.Messages?.toReversed() })
    },
  }
}

/** Senders check the digest of what they sent. */
const pretend = ({ Id, MessageBody }: Entry): Successful => ({
  Id,
  MessageId: randomUUID(),
  MD5OfMessageBody: createHash('md5').update(MessageBody).digest('hex'),
})
