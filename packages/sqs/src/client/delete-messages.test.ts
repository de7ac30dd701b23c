import { setImmediate } from 'node:timers/promises'
import { Unavailable } from '@quipu/core'
import { expect, test } from 'vitest'
import type { SqsClient } from './connection.ts'
import { messageDeleter } from './delete-messages.ts'

/** A client whose server deletes every message, or fails. */
function countingClient() {
  const calls: number[] = []
  let isDown = false
  const call: SqsClient['call'] = async (request) => {
    if (isDown) throw new Unavailable('queue', 'down')
    const sqs = {
      deleteMessageBatch: ({ Entries }: { readonly Entries: readonly { Id: string }[] }) => {
        calls.push(Entries.length)
        return { Successful: Entries }
      },
    }
    return request(sqs as never, {} as never)
  }
  const fail = (down: boolean): void => void (isDown = down)
  return { client: { call, stop: () => undefined }, calls, fail }
}

/** Whether a promise is settled after the turns that a deletion takes. */
async function isDone(work: Promise<unknown>): Promise<boolean> {
  let done = false
  const settled = (): void => void (done = true)
  work.then(settled, settled)
  for (let turn = 0; turn < 20; turn++) await setImmediate()
  return done
}

test('a message that is acknowledged after the last request has ended starts another one', async () => {
  const { client, calls } = countingClient()
  const remove = messageDeleter(client, 'url')
  for (let message = 0; message < 6; message++) expect(await isDone(remove('receipt'))).toBe(true)
  expect(calls).toEqual([1, 1, 1, 1, 1, 1])
})

test('a message that is acknowledged after a failed request starts another one', async () => {
  const { client, calls, fail } = countingClient()
  const remove = messageDeleter(client, 'url')
  for (let message = 0; message < 6; message++) {
    fail(message < 5)
    const removing = remove('receipt')
    expect(await isDone(removing)).toBe(true)
    const outcome = await removing.catch((error: unknown) => error)
    expect(outcome instanceof Unavailable).toBe(message < 5)
  }
  expect(calls).toEqual([1])
})

test('messages that are acknowledged together share requests of ten', async () => {
  const { client, calls } = countingClient()
  const remove = messageDeleter(client, 'url')
  expect(await isDone(Promise.all(Array.from({ length: 25 }, () => remove('receipt'))))).toBe(true)
  expect(calls).toEqual([10, 10, 5])
})

test('a message that is gone counts as deleted; one that is refused for another reason does not', async () => {
  const answer = {
    Successful: [{ Id: '0' }],
    Failed: [
      { Id: '1', Code: 'ReceiptHandleIsInvalid', Message: 'The receipt handle is not valid.' },
      { Id: '2', Code: 'InternalError', Message: 'Try again.' },
    ],
  }
  const call: SqsClient['call'] = async (request) => request({ deleteMessageBatch: () => answer } as never, {} as never)
  const remove = messageDeleter({ call, stop: () => undefined }, 'url')
  const removed = await Promise.allSettled(['deleted', 'gone', 'refused'].map(remove))
  expect(removed.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected'])
  expect(removed[2]).toMatchObject({ reason: expect.any(Unavailable) })
})
