import type { LookupAddress, LookupOptions } from 'node:dns'
import { expect, test } from 'vitest'
import { checkedLookup, guardedConnector } from './guarded-connector.ts'
import { hostileAnswers } from './hostile-targets.fixture.ts'
import { isPublicAddress } from './public-address.ts'

/** Calls the lookup as a socket does. */
function lookUp(answer: readonly string[], options: LookupOptions): Promise<unknown> {
  const lookup = checkedLookup({ resolve: () => Promise.resolve(answer), isAllowed: isPublicAddress })
  return new Promise((resolve, reject) => {
    const callback = (error: Error | null, address: string | LookupAddress[], family?: number): void =>
      error ? reject(error) : resolve(family === undefined ? address : [address, family])
    lookup('hooks.example.com', options, callback)
  })
}

test('a socket gets the public addresses of a name, all or the first', async () => {
  const answer = ['8.8.8.8', '2606:4700::1111', '1.1.1.1']
  expect(await lookUp(answer, { all: true })).toEqual([
    { address: '8.8.8.8', family: 4 },
    { address: '2606:4700::1111', family: 6 },
    { address: '1.1.1.1', family: 4 },
  ])
  expect(await lookUp(answer, {})).toEqual(['8.8.8.8', 4])
  expect(await lookUp(answer.slice(1), {})).toEqual(['2606:4700::1111', 6])
})

test('a socket gets no address of a name with an address that is not public', async () => {
  for (const answer of hostileAnswers)
    for (const all of [true, false])
      await expect(lookUp(answer, { all }), answer.join()).rejects.toMatchObject({ code: 'ADDRESS_BLOCKED' })
})

test('the error of a blocked or unknown host names it', async () => {
  const fault = (answer: readonly string[]): Promise<unknown> => lookUp(answer, { all: true }).catch(String)
  expect(await fault(['8.8.8.8', '10.0.0.1'])).toContain('hooks.example.com leads to 10.0.0.1')
  expect(await fault([])).toContain('hooks.example.com has no address')
  const connect = guardedConnector({ isAllowed: isPublicAddress, resolve: () => Promise.resolve([]), timeoutMs: 1_000 })
  const blocked = Promise.withResolvers<Error | null>()
  const target = { hostname: '10.0.0.1', protocol: 'https:', port: '443' }
  connect(target, (...[error]) => blocked.resolve(error))
  expect(String(await blocked.promise)).toContain('10.0.0.1 is not a public address')
})

test('a lookup that fails has the error of the resolver as its cause', async () => {
  const cause = new Error('SERVFAIL')
  const lookup = checkedLookup({ resolve: () => Promise.reject(cause), isAllowed: () => true })
  const failed = Promise.withResolvers<Error | null>()
  lookup('gone.example.com', {}, failed.resolve)
  const message = 'gone.example.com does not resolve'
  expect(await failed.promise).toMatchObject({ code: 'NAME_NOT_FOUND', message, cause })
})
