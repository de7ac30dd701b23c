import { operatorToken, testOperatorTokens, credentialOf, tokenHashOf } from '@quipu/contracts'
import { databaseOwner } from '@quipu/core/operator'
import { expect, test } from 'vitest'
import { openOtherSession, type OtherSession, untilWaiting } from '../test/other-session.fixture.ts'
import { useStoreHarness } from '../test/stores.fixture.ts'
import { bootstrapOperatorToken } from './bootstrap-operator-token.ts'

/** Who issues and revokes operator tokens, also at the same time. */
const harness = useStoreHarness()

const at = new Date()
const tokens = testOperatorTokens()
const idOf = (person: string): string => tokens.find(({ token }) => token.person === person)?.token.id ?? expect.fail()
const isActive = async (person: string) =>
  (await harness.stores.operatorTokens.authenticate(tokenHashOf(person), at)) !== undefined

test('a person without further rights revokes the own token, and no other', async () => {
  const { operatorTokens } = harness.stores
  const byViewer = (person: string) => operatorTokens.revoke(idOf(person), credentialOf('vic'), at)
  await expect(byViewer('ana')).rejects.toThrow(/only an admin revokes/)
  expect(await byViewer('vic')).toBe('committed')
  expect([await isActive('vic'), await isActive('ana')]).toEqual([false, true])
})

const revoke = 'select quipu.revoke_operator_token($1, $2, $3) as result'
const revokedBy = async ({ sql }: OtherSession, id: string | undefined, hash?: string) =>
  (await sql(revoke, [id, JSON.stringify({ token_hash: hash }), at]))[0]?.['result']

test.each([
  ['reads both tokens', [0, 1], 'share'],
  ['changes the first', [0], 'no key update'],
  ['changes the second', [1], 'no key update'],
])(
  'of two admins who revoke each other’s tokens while another session %s, one does, and neither fails',
  async (_, places, lock) => {
    const name = `zoe-${places.join('')}`
    const admins = [operatorToken(name, 'admin'), operatorToken(`${name}-2`, 'admin')]
    for (const admin of admins) await bootstrapOperatorToken(harness.stores.url, admin)
    admins.sort((a, b) => (a.token.id < b.token.id ? -1 : 1))
    const ids = admins.map(({ token }) => token.id)

    await using holder = await openOtherSession(harness.stores.url)
    await using one = await openOtherSession(harness.stores.url)
    await using two = await openOtherSession(harness.stores.url)
    await holder.sql('begin')
    const held = `select from quipu.operator_token where id = any ($1) for ${lock}`
    await holder.sql(held, [places.map((place) => ids[place])])
    const bySecond = revokedBy(two, ids[0], admins[1]?.hash)
    await untilWaiting(harness.sql, 1, bySecond)
    const byFirst = revokedBy(one, ids[1], admins[0]?.hash)
    await untilWaiting(harness.sql, 2, bySecond, byFirst)
    await holder.sql('rollback')
    const results = await Promise.all([byFirst, bySecond])
    expect(results.filter((result) => result === 'committed')).toHaveLength(1)
    expect(results.filter((result) => result === 'unauthorized')).toHaveLength(1)
    const found = await Promise.all(ids.map((id) => harness.stores.operatorTokens.find(id)))
    expect(found.filter((token) => token?.revocation === null)).toHaveLength(1)
  },
)

test('a revocation waits for what its tokens are doing, and for no other token', async () => {
  await using one = await openOtherSession(harness.stores.url)
  await using holder = await openOtherSession(harness.stores.url)
  await holder.sql('begin')
  await holder.sql('select from quipu.operator_token where person = $1 for update', ['ana'])
  expect(await revokedBy(one, idOf('eva'), tokenHashOf('ada'))).toBe('committed')
  const waiting = revokedBy(one, idOf('ana'), tokenHashOf('ada'))
  await untilWaiting(harness.sql, 1, waiting)
  await holder.sql('rollback')
  expect(await waiting).toBe('committed')
})

test('a bootstrapped token is active, and the audit log has it', async () => {
  const made = operatorToken('zita', 'admin')
  await bootstrapOperatorToken(harness.stores.url, made)
  const found = await harness.stores.operatorTokens.authenticate(made.hash, at)
  expect(found).toEqual(made.token)
  const entries = await harness.stores.audit.list({ subject: made.token.id, limit: 2 })
  const { person, label, role, fingerprint, expiresAt } = made.token
  expect(entries).toMatchObject([
    {
      actor: databaseOwner,
      action: 'operator_token.issue',
      tenantId: null,
      before: null,
      after: { person, label, role, fingerprint, expires_at: expiresAt.toISOString() },
    },
  ])
})
