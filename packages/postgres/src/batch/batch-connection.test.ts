import { expect, test } from 'vitest'
import type { Database } from '../connection/database.ts'
import { endSession, type Lane } from './batch-connection.ts'

const lane = { name: 'quipu-lane-a' } as Lane

/** A database that answers so, one time after the other, whether the session has ended. */
const answering = (...answers: boolean[]): Database =>
  ({ query: async () => [{ ended: answers.shift() }] }) as unknown as Database

test('a session that leaves by itself while it is being ended has ended', async () => {
  await expect(endSession(answering(false, true), lane)).resolves.toBeUndefined()
})

test('a session that does not end is not taken for ended', async () => {
  const never = endSession(answering(false, false, true), lane)
  await expect(never).rejects.toThrow('session quipu-lane-a could not be ended')
})
