import { expect, test } from 'vitest'
import { account, clientSecret, nit, startGateway } from './gateway.fixture.ts'
import { available } from './readme.fixture.ts'

test('the program of the README reads the balance', async () => {
  const { url } = await startGateway()
  const gateway = { url, clientId: 'the-client', clientSecret, nit, sourceAccount: account }
  expect(await available(gateway)).toBe(81_250_75n)
})
