import { newOperatorToken, type OperatorToken } from '@quipu/core/operator'
import { expect, test } from 'vitest'
import { checkOperators } from './check-operators.ts'

const now = new Date('2026-11-20T15:04:05.000Z')
const hour = 3_600_000

function token(
  person: string,
  role: OperatorToken['role'],
  changes: Partial<OperatorToken> = {},
): OperatorToken {
  const expiresAt = new Date(now.getTime() + hour)
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
  const finding = await checked(token('ana', 'admin'), token('omar', 'admin'))
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
  expect(await checked(...tokens)).toMatchObject({
    check: 'operators',
    status: 'warn',
    mend: expect.stringContaining('token create'),
  })
})
