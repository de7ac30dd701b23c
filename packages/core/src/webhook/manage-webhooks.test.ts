import { expect, test } from 'vitest'
import { countingIds } from '../ids.fixture.ts'
import { defaultEndpointPolicy } from './endpoint.ts'
import { someEndpoint } from './endpoint.fixture.ts'
import { manageWebhooks } from './manage-webhooks.ts'

test('a caller whose permission ends while the URL is checked changes nothing', async () => {
  const nothing = (): never => {
    throw new Error('nothing may be written')
  }
  const { create, update } = manageWebhooks(
    {
      webhooks: { insert: nothing, update: nothing, rotate: nothing, get: nothing },
      urlGuard: { check: async () => null },
      secretBox: { keyIds: ['k'], encrypt: nothing, decrypt: nothing },
      ids: countingIds(),
      random: (size) => new Uint8Array(size),
      now: () => new Date(0),
    },
    defaultEndpointPolicy,
  )
  const revoked = async (): Promise<boolean> => false
  const { url } = someEndpoint
  const refused = { type: 'refused', code: 'not_allowed' }
  expect(await create('ten_1', { url, events: null, description: null }, revoked)).toEqual(refused)
  expect(await update('ten_1', 'we_1', { url }, revoked)).toEqual(refused)
})
