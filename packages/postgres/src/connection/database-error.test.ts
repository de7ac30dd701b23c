import { Unavailable } from '@quipu/core'
import pg from 'pg'
import { expect, test } from 'vitest'
import { isLost, storeError } from './database-error.ts'

test('a connect time-out does not count as a lost connection', () => {
  expect(isLost(new Error('Connection terminated unexpectedly'))).toBe(true)
  expect(isLost(new Unavailable('store', 'timeout expired'))).toBe(false)
})

const withState = (code: string): pg.DatabaseError =>
  Object.assign(new pg.DatabaseError(`state ${code}`, 1, 'error'), { code, severity: 'ERROR' })

test.each([
  ['a protocol violation, as a pooler refuses', '08P01'],
  ['too many connections', '53300'],
  ['a cancelled statement', '57014'],
  ['an I/O error', '58030'],
  ['a deadlock', '40P01'],
  ['a refused login', '28P01'],
  ['a lock timeout', '55P03'],
  ['a server that is set read-only', '25006'],
  ['a transaction that was aborted before', '25P02'],
  ['a transaction that was idle too long', '25P03'],
  ['a transaction that lasted too long', '25P04'],
  ['a missing database', '3D000'],
  ['a schema that is gone', '3F000'],
  ['rights that were taken', '42501'],
  ['a damaged table', 'XX001'],
  ['a damaged index', 'XX002'],
])('%s is an outage or an operator’s fault', (_, code) => {
  expect(storeError(withState(code))).toMatchObject({
    name: 'Unavailable',
    message: `store unavailable: state ${code}`,
  })
})

test.each(['22P02', '23505', '23514', '42601', '42703', '42883', '42P01', 'P0001', 'XX000'])(
  'the state %s is a bug',
  (code) => {
    const error = withState(code)
    expect(storeError(error)).toBe(error)
  },
)
