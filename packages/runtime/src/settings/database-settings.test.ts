import { expect, test } from 'vitest'
import { z } from 'zod'
import { databaseUrl, standbySettings } from './database-settings.ts'
import { standbyIssues } from './production-settings.ts'
import { readSettings } from './settings.ts'

const read = (DATABASE_URL: string) => readSettings(z.object({ DATABASE_URL: databaseUrl }), { DATABASE_URL })

test.each([
  'postgres://u:p@a:5432,b:5432/db',
  'postgresql://u:p@a,b/db',
  'postgres://a,b',
  'postgres://u:p@/db?host=a,b',
  'postgres://u:p@a/db?host=a&host=b,c',
  'postgres://u:p@/db?hostaddr=10.0.0.1,10.0.0.2',
  'postgres://u:p@a/db?port=5432,5433',
  'postgres://u:p@a/db?sslmode=require&target_session_attrs=read-write',
])('%s is refused with the reason', (url) => {
  expect(() => read(url)).toThrow('DATABASE_URL: must lead to one address')
})

test.each([
  'postgres://u:p,q@a:5432/db',
  'postgres://u@/db?host=/run/postgresql',
  'postgres://u@[2001:db8::1]:5432/db?application_name=a,b',
])('%s leads to one address', (url) => {
  expect(read(url)).toEqual({ DATABASE_URL: url })
})

test('one that is none says how one looks', () => {
  expect(() => read('mysql://a/b')).toThrow('DATABASE_URL: is required: postgres://user:password@host:port/database')
})

test('production requires a choice about the standby', () => {
  const ENVIRONMENT = 'production'
  expect(standbyIssues({ ENVIRONMENT })).toEqual([
    { variable: 'DATABASE_STANDBY', message: 'is required in production: required, managed, none' },
  ])
  expect(standbyIssues({ ENVIRONMENT: 'sandbox' })).toEqual([])
  for (const DATABASE_STANDBY of ['required', 'managed', 'none'])
    expect(standbyIssues({ ENVIRONMENT, DATABASE_STANDBY })).toEqual([])
  const other = { DATABASE_STANDBY: 'yes' }
  expect(() => readSettings(z.object(standbySettings), other)).toThrow('must be one of required, managed, none')
})
