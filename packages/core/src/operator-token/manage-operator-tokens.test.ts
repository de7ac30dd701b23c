import { describe, expect, test } from 'vitest'
import { countingIds } from '../ids.fixture.ts'
import { manageOperatorTokens } from './manage-operator-tokens.ts'
import { type Operator, type OperatorRole, Unauthorized } from '../access/operator.ts'
import { inDays, now, request, token } from './operator-token.fixture.ts'
import { type OperatorToken, operatorTokenDaysMax } from './operator-token.ts'
import type { IssueRefusal } from './ports.ts'

const ana: Operator = { person: 'ana', role: 'admin', tokenHash: 'hash of ana' }
const note = { reason: 'Joined support.', evidence: null }
const approvableSeconds = 3_600

type Stored = {
  /** The presented token; left out when it is not active. */
  readonly own?: OperatorToken
  /** The token of `carla`. */
  readonly held?: OperatorToken
  readonly issued?: 'committed' | IssueRefusal
  readonly revoked?: 'committed' | 'stale' | 'unauthorized'
}

/** Tokens over a store with the token of `carla`, and what was written to it. */
function harness({ own, held = token, issued = 'committed', revoked = 'committed' }: Stored = {}) {
  const written: unknown[] = []
  const reads: unknown[] = []
  let stored = held
  const write = async (name: string, ...args: unknown[]) => {
    written.push([name, ...args])
    return issued
  }
  const tokens = manageOperatorTokens(
    {
      operatorTokens: {
        authenticate: async (...args) => {
          reads.push(args)
          return own
        },
        find: async (id) => (id === stored.id ? stored : undefined),
        findByHash: () => expect.fail('no hash is looked up'),
        list: () => expect.fail('it is not listed'),
        issue: (...args) => write('issue', ...args),
        propose: (...args) => write('propose', ...args),
        revoke: async (...args) => {
          written.push(['revoke', ...args])
          if (revoked === 'committed') stored = revokedToken
          return revoked
        },
      },
      ids: countingIds(),
      now: () => now,
    },
    { approvableSeconds },
  )
  return { tokens, written, reads }
}
const revokedToken: OperatorToken = { ...token, revocation: { at: now, by: 'ana' } }
const refused = (code: string) => ({ type: 'refused', code })
const idOf = (prefix: string): unknown => expect.stringMatching(new RegExp(`^${prefix}_.{26}$`))

describe('issuing', () => {
  test.each<OperatorRole>(['viewer', 'auditor'])(
    'a token of the role %s, which only reads, makes it active at once',
    async (role) => {
      const { tokens, written } = harness()
      const record = { ...token, role, id: idOf('opt') }
      const asked = { ...request, role }
      expect(await tokens.issue(ana, asked, note)).toEqual({ type: 'token', token: record })
      const issued = { token: record, hash: request.hash }
      expect(written).toEqual([['issue', issued, ana]])
    },
  )

  test.each<OperatorRole>(['operator', 'admin'])(
    'a token of the role %s, which writes, proposes it for an hour',
    async (role) => {
      const { tokens, written } = harness()
      const answer = await tokens.issue(ana, { ...request, role }, note)
      const { person, label, fingerprint, expiresAt } = token
      const proposal = {
        id: idOf('prp'),
        tenantId: null,
        ...note,
        proposedBy: 'ana',
        createdAt: now,
        action: { type: 'issue_operator_token', tokenId: idOf('opt'), person, label, role, fingerprint, expiresAt },
        expiresAt: new Date('2026-11-21T13:00:00.000Z'),
        status: 'open',
      }
      expect(answer).toEqual({ type: 'proposal', proposal })
      const record = { ...token, role, id: idOf('opt'), activatedAt: null }
      const proposed = { token: record, hash: request.hash }
      expect(written).toEqual([['propose', proposed, proposal, ana]])
    },
  )

  test.each<[string, Date, string]>([
    ['has expired', inDays(-1), 'already_expired'],
    ['expires now', now, 'already_expired'],
    ['lives a millisecond more than the longest time', afterMs(operatorTokenDaysMax, 1), 'expires_too_late'],
    ['lives for years', inDays(3_660), 'expires_too_late'],
  ])('writes no token that %s', async (_, expiresAt, code) => {
    const { tokens, written } = harness()
    expect(await tokens.issue(ana, { ...request, expiresAt }, note)).toEqual(refused(code))
    expect(written).toEqual([])
  })

  test('writes a token that lives a millisecond, and one that lives as long as may be', async () => {
    for (const expiresAt of [afterMs(0, 1), inDays(operatorTokenDaysMax)]) {
      const answer = await harness().tokens.issue(ana, { ...request, expiresAt }, note)
      expect(answer).toMatchObject({ type: 'token', token: { expiresAt } })
    }
  })
})

describe('revoking', () => {
  const other = (role: OperatorRole): OperatorToken => ({ ...token, id: 'opt_2', role })
  const revocation = ['revoke', 'opt_1', ana, now]

  test('the token of another person is for an admin', async () => {
    const { tokens, written, reads } = harness({ own: other('admin') })
    expect(await tokens.revoke(ana, 'opt_1')).toEqual({ type: 'token', token: revokedToken })
    expect(written).toEqual([revocation])
    expect(reads).toEqual([['hash of ana', now]])
  })

  test.each<OperatorRole>(['viewer', 'operator', 'auditor'])(
    'the presented token is for any role, another one not for the role %s',
    async (role) => {
      const own = harness({ own: { ...token, role } })
      const answer = await own.tokens.revoke(ana, 'opt_1')
      expect(answer).toEqual({ type: 'token', token: revokedToken })
      expect(own.written).toEqual([revocation])
      const { tokens, written } = harness({ own: other(role) })
      expect(await tokens.revoke(ana, 'opt_1')).toEqual(refused('not_own'))
      expect(written).toEqual([])
    },
  )

  test('is refused for an unknown token, and with a presented token that is not active', async () => {
    const { tokens, written } = harness()
    expect(await tokens.revoke(ana, 'opt_9')).toEqual(refused('not_found'))
    await expect(tokens.revoke(ana, 'opt_1')).rejects.toThrow(Unauthorized)
    expect(written).toEqual([])
  })
})

function afterMs(days: number, ms: number): Date {
  return new Date(inDays(days).getTime() + ms)
}
