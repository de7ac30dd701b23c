import { expect, test } from 'vitest'
import { countingIds } from '../ids.fixture.ts'
import { makeOperatorToken } from './make-operator-token.ts'
import { now, request } from './operator-token.fixture.ts'

test('a token is 32 random bytes as digits, and the store keeps their hash alone', () => {
  const sizes: number[] = []
  const random = (size: number) => {
    sizes.push(size)
    return new Uint8Array(size).map((_, index) => index)
  }
  const { hash: _, ...asked } = { ...request, role: 'admin' as const }
  const ports = { ids: countingIds(), now: () => now, random }
  const { secret, issued } = makeOperatorToken(ports, asked)
  expect(sizes).toEqual([32])
  expect(secret).toBe('000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f')
  // `printf <the digits> | sha256sum`
  const hash = '6c86c6aac5fb24bcf5d9939cb7d7d5645ce39418f449e03b262dd4fa14b4b92b'
  expect(issued).toEqual({
    hash,
    token: {
      person: 'carla',
      label: 'laptop',
      role: 'admin',
      expiresAt: request.expiresAt,
      id: expect.stringMatching(/^opt_.{26}$/),
      fingerprint: '6c86c6aac5fb24bc',
      createdAt: now,
      createdBy: 'database owner',
      activatedAt: now,
      revocation: null,
    },
  })
})
