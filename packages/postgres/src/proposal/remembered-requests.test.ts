import { operatorToken, someInstant, tokenHashOf } from '@quipu/contracts'
import { usdt } from '@quipu/core'
import { openProposal } from '@quipu/core/operator'
import { expect, test } from 'vitest'
import { bootstrapOperatorToken } from '../operator-token/bootstrap-operator-token.ts'
import { openTransaction, untilWaiting } from '../test/other-session.fixture.ts'
import { useStoreHarness } from '../test/stores.fixture.ts'

const harness = useStoreHarness()

test('a request whose token is revoked meanwhile is not remembered, as it opens no proposal', async () => {
  const revoked = operatorToken('zoe', 'operator')
  const renewed = operatorToken('zoe', 'operator', tokenHashOf('zoe again'))
  await bootstrapOperatorToken(harness.stores.url, revoked)
  await bootstrapOperatorToken(harness.stores.url, {
    ...renewed,
    token: { ...renewed.token, id: harness.ids.next('opt', someInstant) },
  })
  const { id: tenantId } = await harness.newTenant()
  const createdAt = new Date()
  const proposal = () =>
    openProposal(
      {
        id: harness.ids.next('prp', createdAt),
        tenantId,
        action: { type: 'adjust_wallet', tenantId, direction: 'in', amount: usdt(7n) },
        reason: 'funds',
        evidence: null,
        proposedBy: 'zoe',
        createdAt,
        expiresAt: new Date(createdAt.getTime() + 3_600_000),
      },
      usdt(0n),
    )
  const request = { key: 'k'.repeat(64), fingerprint: 'f' }
  const { proposals } = harness.stores

  const admin = await openTransaction(harness.stores.url)
  await admin.sql('select quipu.revoke_operator_token($1, $2, now())', [
    revoked.token.id,
    JSON.stringify({ token_hash: tokenHashOf('ada') }),
  ])
  const first = proposals.insert(proposal(), { tokenHash: revoked.hash }, request)
  await untilWaiting(harness.sql, 1, first)
  await admin.commit()
  expect(await first).toBe('unauthorized')
  expect(await proposals.insert(proposal(), { tokenHash: renewed.hash }, request)).toBe('committed')
})
