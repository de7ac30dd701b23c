import { expect, test } from 'vitest'
import type { Database } from '../connection/database.ts'
import { endSession, type BatchConnection } from './batch-connection.ts'

const connection = { name: 'quipu-batch-a' } as BatchConnection

/** A database whose queries return these values of `ended`, one after the other. */
const answering = (...answers: boolean[]): Database =>
  ({ query: async () => [{ ended: answers.shift() }] }) as unknown as Database

test('endSession accepts a session that exits by itself between its two tries', async () => {
  await expect(endSession(answering(false, true), connection)).resolves.toBeUndefined()
})

test('endSession throws when the session is still there after two tries', async () => {
  const never = endSession(answering(false, false, true), connection)
  await expect(never).rejects.toThrow('session quipu-batch-a could not be ended')
})
