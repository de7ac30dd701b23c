import { newOperatorToken, type OperatorToken, tokenEndsSoonDays } from '@quipu/core/operator'
import { expect, test } from 'vitest'
import { checkOperators } from './check-operators.ts'

const now = new Date('2026-11-20T15:04:05.000Z')
const day = 86_400_000

function token(person: string, role: OperatorToken['role'], changes: Partial<OperatorToken> = {}): OperatorToken {
  const expiresAt = new Date(now.getTime() + 30 * day)
  const request = { person, label: 'laptop', role, hash: '5e'.repeat(32), expiresAt }
  const made = { id: `opt_${person}`, createdAt: now, createdBy: 'x', activatedAt: now }
  return { ...newOperatorToken(request, made), ...changes }
}

/** One token a page. */
const checked = (...tokens: readonly OperatorToken[]) =>
  checkOperators(
    {
      list: async ({ after }) => {
        const index = after === undefined ? 0 : Number(after.id)
        const [item] = tokens.slice(index)
        const next = index + 1 < tokens.length ? { createdAt: now, id: String(index + 1) } : null
        return { items: item ? [item] : [], next }
      },
    },
    now,
  )

test('two admins are enough', async () => {
  const [finding] = await checked(token('ana', 'admin'), token('omar', 'admin'))
  expect(finding).toMatchObject({ status: 'ok', detail: expect.stringContaining(': 2 who may') })
})

test.each([
  ['nobody', []],
  ['one person with two tokens', [token('ana', 'admin'), token('ana', 'operator')]],
  ['no admin', [token('ana', 'operator'), token('omar', 'operator')]],
  ['one admin and an operator', [token('ana', 'admin'), token('omar', 'operator')]],
  ['a second person who only reads', [token('ana', 'admin'), token('omar', 'auditor')]],
  [
    'a second person whose token has expired, or is not approved',
    [
      token('ana', 'admin'),
      token('omar', 'admin', { expiresAt: now }),
      token('rosa', 'admin', { activatedAt: null }),
      token('pedro', 'admin', { revocation: { at: now, by: 'ana' } }),
    ],
  ],
])('%s is a warning', async (_, tokens) => {
  const [finding] = await checked(...tokens)
  expect(finding).toMatchObject({ check: 'operators', status: 'warn', mend: expect.stringContaining('token create') })
})

test.each([
  ['late enough', tokenEndsSoonDays * day, 0, 'ok'],
  ['a second earlier', tokenEndsSoonDays * day - 1_000, 0, 'warn'],
  ['earlier, with a successor of the same role', day, 30 * day, 'ok'],
  ['earlier, as does its successor', day, 2 * day, 'warn'],
] as const)('a token that ends %s', async (_, ends, successorEnds, status) => {
  const endsAt = (ms: number) => ({ expiresAt: new Date(now.getTime() + ms) })
  const successors = successorEnds === 0 ? [] : [token('ana', 'admin', endsAt(successorEnds))]
  const [, finding] = await checked(
    token('ana', 'admin', endsAt(ends)),
    token('omar', 'admin'),
    ...successors,
    // Neither of another person nor of another role: those do not replace it.
    token('ana', 'viewer'),
  )
  expect(finding).toMatchObject({ check: 'operator-tokens', status })
  if (status === 'warn') expect(finding?.detail).toContain('opt_ana of ana (admin) at 2026-1')
})

test('a token that is revoked, or has ended, is not said to end soon', async () => {
  const [, finding] = await checked(
    token('ana', 'admin', { expiresAt: now }),
    token('omar', 'admin', { expiresAt: new Date(now.getTime() + day), revocation: { at: now, by: 'ana' } }),
  )
  expect(finding).toMatchObject({ status: 'ok' })
})
