import { expect, test } from 'vitest'
import { countingIds } from '../ids.fixture.ts'
import { defaultEndpointPolicy, type EncryptedSecret } from './endpoint.ts'
import { someEndpoint } from './endpoint.fixture.ts'
import { manageWebhooks, type ManageWebhooksPorts } from './manage-webhooks.ts'

const at = new Date('2026-11-21T12:00:00.000Z')
const input = { url: someEndpoint.url, events: null, description: null }
const nothing = (): never => {
  throw new Error('nothing may be written')
}
const revoked = async (): Promise<boolean> => false

function managing(webhooks: Partial<ManageWebhooksPorts['webhooks']>) {
  return manageWebhooks(
    {
      webhooks: { insert: nothing, update: nothing, rotate: nothing, get: nothing, ...webhooks },
      urlGuard: { check: async () => null },
      secretBox: {
        keyIds: ['k'],
        encrypt: (secret, context) => `k.${context}|${secret}`,
        decrypt: (text, context) => (text.startsWith(`k.${context}|`) ? text.slice(context.length + 3) : undefined),
      },
      ids: countingIds(),
      random: (size) => new Uint8Array(size),
      now: () => at,
    },
    defaultEndpointPolicy,
  )
}

test('a caller whose permission ends while the URL is checked changes nothing', async () => {
  const { create, update } = managing({})
  const refused = { type: 'refused', code: 'not_allowed' }
  expect(await create('ten_1', input, revoked)).toEqual(refused)
  expect(await update('ten_1', 'we_1', { url: input.url }, revoked)).toEqual(refused)
})

test('an endpoint that is deleted right after its rotation is not found', async () => {
  const { rotateSecret } = managing({ rotate: async () => 'committed', get: async () => undefined })
  expect(await rotateSecret('ten_1', 'we_1', 60)).toEqual({ type: 'refused', code: 'not_found' })
})

test('a rotation encrypts the old secret for its new expiry, and drops one of a lost key', async () => {
  const rotated: (readonly EncryptedSecret[] | undefined)[] = []
  const old: EncryptedSecret = { ciphertext: 'k.we_1 newest|old', lastFour: 'old', createdAt: at, expiresAt: null }
  for (const stored of [old, { ...old, ciphertext: 'lost' }]) {
    const { rotateSecret } = managing({
      rotate: async (_tenantId, _id, _at, rotate) => {
        rotated.push(rotate([stored]))
        return 'committed'
      },
      get: async () => ({ endpoint: someEndpoint, secrets: [] }),
    })
    const done = await rotateSecret('ten_1', 'we_1', 60)
    const secret = `whsec_${'00'.repeat(32)}`
    expect(done).toEqual({ type: 'done', endpoint: someEndpoint, secret })
  }
  const newest = {
    ciphertext: `k.we_1 newest|whsec_${'00'.repeat(32)}`,
    lastFour: '0000',
    createdAt: at,
    expiresAt: null,
  }
  const expiresAt = new Date('2026-11-21T12:01:00.000Z')
  const graced = { ...old, ciphertext: 'k.we_1 2026-11-21T12:01:00.000Z|old', expiresAt }
  expect(rotated).toEqual([[newest, graced], [newest]])
})
