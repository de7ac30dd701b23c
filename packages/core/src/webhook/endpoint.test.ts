import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  defaultEndpointPolicy,
  rotateSecrets,
  secretContext,
  shownSecrets,
  type EncryptedSecret,
  consecutiveFailuresAfter,
  validSecrets,
} from './endpoint.ts'

const start = new Date('2026-03-02T12:00:00.000Z')
const after = (seconds: number): Date => new Date(start.getTime() + seconds * 1_000)
const secret = (n: number, createdAt: Date, expiresAt: Date | null = null): EncryptedSecret => ({
  ciphertext: String(n),
  lastFour: `000${n}`,
  createdAt,
  expiresAt,
})
const first: readonly EncryptedSecret[] = [secret(0, start)]
const policy = defaultEndpointPolicy
const rotate = (
  secrets: readonly EncryptedSecret[],
  n: number,
  at: Date,
  graceSeconds: number,
  renew: Parameters<typeof rotateSecrets>[3] = ({ ciphertext }) => ciphertext,
) => rotateSecrets(secrets, secret(n, at), { graceSeconds, policy }, renew)

test('a rotated secret stays valid for exactly its grace period, behind the new one', () => {
  const rotated = rotate(first, 1, after(10), 60) ?? []
  expect(rotated).toEqual([secret(1, after(10)), secret(0, start, after(70))])
  expect(shownSecrets(rotated)).toEqual([
    { lastFour: '0001', expiresAt: null },
    { lastFour: '0000', expiresAt: after(70) },
  ])
  const names = (at: Date): string[] => validSecrets(rotated, at).map(({ ciphertext }) => ciphertext)
  expect(names(new Date(after(70).getTime() - 1))).toEqual(['1', '0'])
  expect(names(after(70))).toEqual(['1'])
})

test('encrypts a secret again for its expiry, and drops one that does not decrypt', () => {
  const renew = ({ ciphertext }: EncryptedSecret, expiresAt: Date): string | undefined =>
    ciphertext === '1' ? undefined : `${ciphertext} until ${expiresAt.toISOString()}`
  const twice = rotate(rotate(first, 1, start, 60) ?? [], 2, start, 60, renew)
  expect(twice?.map(({ ciphertext }) => ciphertext)).toEqual(['2', '0 until 2026-03-02T12:01:00.000Z'])
})

test('drops all secrets without an expiry when there are several', () => {
  const rotated = rotate(first, 1, start, 60) ?? []
  expect(rotate([...first, ...rotated], 2, after(10), 60)).toEqual([secret(2, after(10)), rotated[1]])
})

test('the context contains the endpoint and the expiry', () => {
  expect([secretContext('we_1', null), secretContext('we_1', start)]).toEqual([
    'we_1 newest',
    'we_1 2026-03-02T12:00:00.000Z',
  ])
})

test('no rotation but one without grace shortens a grace period, and exactly one secret is the newest', () => {
  const anyTurn = fc.record({
    wait: fc.integer({ min: 0, max: 3_000 }),
    grace: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 5_000 })),
  })
  fc.assert(
    fc.property(fc.array(anyTurn, { maxLength: 12 }), (turns) => {
      let [secrets, now] = [first, 0]
      const promised = new Map<string, Date>()
      for (const [n, { wait, grace }] of turns.entries()) {
        now += wait
        const rotated = rotate(secrets, n + 1, after(now), grace)
        if (!rotated) {
          expect(validSecrets(secrets, after(now)).length).toBeGreaterThanOrEqual(5)
          continue
        }
        if (grace === 0) promised.clear()
        else promised.set(secrets[0]?.ciphertext ?? '', after(now + grace))
        secrets = rotated
        expect(secrets.filter(({ expiresAt }) => expiresAt === null)).toEqual([secrets[0]])
        for (const { ciphertext, expiresAt } of secrets.slice(1)) expect(expiresAt).toEqual(promised.get(ciphertext))
        for (const [ciphertext, until] of promised)
          if (until > after(now)) expect(secrets.map((each) => each.ciphertext)).toContain(ciphertext)
      }
    }),
  )
})

test('spec §6.4 — a delivery resets the count of consecutive failures', () => {
  expect([consecutiveFailuresAfter(4, 'exhausted'), consecutiveFailuresAfter(4, 'delivered')]).toEqual([5, 0])
})
