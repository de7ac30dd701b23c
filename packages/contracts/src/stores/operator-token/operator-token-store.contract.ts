import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  auditProposal,
  auditProposalStep,
  type NewOperatorToken,
  newOperatorToken,
  type OpenProposal,
  type OperatorRole,
  operatorTokenDaysMax,
  operatorTokenIssued,
  operatorTokenRevoked,
} from '@quipu/core/operator'
import { usdt } from '@quipu/core'
import { auditEntries } from '../../fixtures/audit-entries.ts'
import { someInstant } from '../../fixtures/instants.ts'
import { openProposalOf } from '../../fixtures/proposal/approve-action.ts'
import { type OpenHarness, useWorld, type World } from '../../fixtures/harness.ts'
import { type Person, credentialOf, tokenHashOf, authorOf, originOf } from '../../fixtures/proposal/operators.ts'

type Needed = 'operatorTokens' | 'proposals' | 'audit'

const day = 86_400_000
const days = (count: number): Date => new Date(someInstant.getTime() + count * day)
const author = authorOf('ben', someInstant)

/** The contract of an `OperatorTokenStore`. The harness starts with `testOperatorTokens`. */
export function operatorTokenStoreContract(name: string, open: OpenHarness<Needed>): void {
  describe(`operator token store in ${name}`, () => {
    const w = useWorld(open, 'each')

    test('a token that only reads is active when it is issued, with an audit entry', async () => {
      const made = make(w, 'viewer', 'new')
      expect(await w.operatorTokens.issue(made, credentialOf('ben'))).toBe('committed')
      expect(await w.operatorTokens.find(made.token.id)).toEqual(made.token)
      expect(await w.operatorTokens.authenticate(made.hash, days(1))).toEqual(made.token)
      expect(await auditOf(w, made)).toEqual([operatorTokenIssued(made.token, author, null)])
      expect(await w.operatorTokens.find('opt_00000000000000000000000000')).toBeUndefined()
    })

    test('only an admin with an active token issues', async () => {
      for (const person of ['ana', 'vic', 'aud', 'nobody']) {
        const made = make(w, 'auditor', 'new')
        expect(await w.operatorTokens.issue(made, credentialOf(person))).toBe('unauthorized')
        const proposed = make(w, 'operator', 'new')
        const proposal = proposalOf(w, proposed)
        const result = await w.operatorTokens.propose(proposed, proposal, credentialOf(person))
        expect(result).toBe('unauthorized')
        expect(await w.operatorTokens.find(made.token.id)).toBeUndefined()
        expect(await w.proposals.find(proposal.id)).toBeUndefined()
      }
    })

    test('a token that writes is never issued by one person', async () => {
      for (const role of ['operator', 'admin'] as const)
        await expect(w.operatorTokens.issue(make(w, role, role), credentialOf('ben'))).rejects.toThrow()
      const viewer = make(w, 'viewer', 'new')
      const proposal = proposalOf(w, make(w, 'operator', 'new'))
      await expect(w.operatorTokens.propose(viewer, proposal, credentialOf('ben'))).rejects.toThrow()
    })

    test('a token that writes is active from the approval of another admin on', async () => {
      const made = make(w, 'operator', 'new')
      const proposal = proposalOf(w, made)
      await w.operatorTokens.propose(made, proposal, credentialOf('ben'))
      expect(await w.operatorTokens.find(made.token.id)).toEqual(made.token)
      expect(await auditOf(w, proposal)).toEqual([auditProposal(proposal, originOf('ben'))])
      expect(await w.operatorTokens.authenticate(made.hash, days(1))).toBeUndefined()
      const approve = (by: Person) => {
        const approval = { at: days(1), by }
        return w.proposals.commit({ ...proposal, status: 'approved', approval }, credentialOf(by))
      }
      expect(await approve('ana')).toBe('unauthorized') // an operator
      await expect(approve('ben')).rejects.toThrow()
      expect(await w.operatorTokens.authenticate(made.hash, days(1))).toBeUndefined()
      expect(await approve('ada')).toBe('committed')
      const active = { ...made.token, activatedAt: days(1) }
      expect(await w.operatorTokens.authenticate(made.hash, days(1))).toEqual(active)
      expect(await w.proposals.find(proposal.id)).toMatchObject({
        status: 'executed',
        executedAt: days(1),
        approval: { by: 'ada' },
      })
      const issued = operatorTokenIssued(active, authorOf('ben', days(1)), proposal.id)
      expect(await auditOf(w, made)).toEqual([issued])
    })

    test('two tokens never have one hash', async () => {
      expect(await w.operatorTokens.issue(make(w, 'viewer', 'new'), credentialOf('ben'))).toBe('committed')
      const other = make(w, 'viewer', 'new')
      expect(await w.operatorTokens.issue(other, credentialOf('ben'))).toBe('hash_used')
      const proposed = make(w, 'operator', 'new')
      const proposal = proposalOf(w, proposed)
      expect(await w.operatorTokens.propose(proposed, proposal, credentialOf('ben'))).toBe('hash_used')
      expect(await w.proposals.find(proposal.id)).toBeUndefined()
    })

    test('a second token of a person is the same person', async () => {
      const made = make(w, 'admin', 'second')
      const second = { ...made, token: { ...made.token, person: 'ada' } }
      const first = proposalOf(w, second)
      await w.operatorTokens.propose(second, first, credentialOf('ben'))
      const approval = { at: days(1), by: 'ada' }
      await w.proposals.commit({ ...first, status: 'approved', approval }, credentialOf('ada'))
      const third = make(w, 'operator', 'third')
      const proposal = { ...proposalOf(w, third), proposedBy: 'ada' }
      const byAda = { ...third, token: { ...third.token, createdBy: 'ada' } }
      await w.operatorTokens.propose(byAda, proposal, credentialOf('ada'))
      const own = { ...proposal, status: 'approved', approval } as const
      await expect(w.proposals.commit(own, { tokenHash: second.hash })).rejects.toThrow()
      const invented = { ...own, approval: { at: days(1), by: 'eva' } }
      await expect(w.proposals.commit(invented, { tokenHash: second.hash })).rejects.toThrow()
      expect(await w.proposals.find(proposal.id)).toEqual(proposal)
    })

    test('a revocation counts at once, once and for good', async () => {
      const made = make(w, 'viewer', 'new')
      await w.operatorTokens.issue(made, credentialOf('ben'))
      const { id } = made.token
      await expect(w.operatorTokens.revoke(id, credentialOf('eva'), days(1))).rejects.toThrow()
      expect(await w.operatorTokens.revoke(id, credentialOf('nobody'), days(1))).toBe('unauthorized')
      const results = await Promise.all(
        [{ tokenHash: made.hash }, ...['ben', 'ada', 'ben'].map(credentialOf)].map((by) =>
          w.operatorTokens.revoke(id, by, days(1)),
        ),
      )
      expect(results.filter((result) => result === 'committed')).toHaveLength(1)
      expect(await w.operatorTokens.authenticate(made.hash, days(0))).toBeUndefined()
      const { revocation } = (await w.operatorTokens.find(id)) ?? {}
      const by = revocation?.by ?? ''
      const own = { actor: by, tokenId: id, address: null, session: null, at: days(1) }
      const revoked = by === made.token.person ? own : authorOf(by, days(1))
      expect((await auditOf(w, made))[0]).toEqual(operatorTokenRevoked({ id }, revoked))
      expect(await auditOf(w, made)).toHaveLength(2)
      expect(await w.operatorTokens.revoke(id, credentialOf('ben'), days(2))).toBe('stale')
    })

    test('a revoked token ends its proposals: the open ones are withdrawn, the approved ones have failed', async () => {
      const propose = async (status: 'open' | 'approved', by: Person) => {
        const made = openProposalOf(
          { id: w.ids.next('prp', someInstant), tenantId: null, actor: by, reason: 'test' },
          { type: 'adjust_wallet', tenantId: 'ten_1', direction: 'in', amount: usdt(1n) },
        )
        expect(await w.proposals.insert(made, credentialOf(by))).toBe('committed')
        if (status === 'open') return made
        const approval = { at: someInstant, by: 'luz' }
        const approved = { ...made, status, approval } as const
        expect(await w.proposals.commit(approved, credentialOf('luz'))).toBe('committed')
        return approved
      }
      const [open, approved] = [await propose('open', 'ana'), await propose('approved', 'ana')]
      const [byOther, ofOther] = [await propose('approved', 'eva'), await propose('open', 'eva')]
      const idOf = (person: string) => originOf(person).tokenId ?? ''
      expect(await w.operatorTokens.revoke(idOf('ana'), credentialOf('ben'), days(1))).toBe('committed')
      const statusOf = async ({ id }: { id: string }) => (await w.proposals.find(id))?.status
      const failure = { at: days(1), code: 'TOKEN_REVOKED' }
      expect(await w.proposals.find(open.id)).toMatchObject({
        status: 'withdrawn',
        withdrawal: { at: days(1), by: 'ben' },
      })
      expect(await w.proposals.find(approved.id)).toMatchObject({ status: 'failed', failure })
      expect([await statusOf(byOther), await statusOf(ofOther)]).toEqual(['approved', 'open'])
      const withdrawn = await w.proposals.find(open.id)
      const failed = await w.proposals.find(approved.id)
      if (withdrawn?.status !== 'withdrawn' || failed?.status !== 'failed') throw new Error('open')
      expect((await auditOf(w, open))[0]).toEqual(auditProposalStep(withdrawn, originOf('ben')))
      expect((await auditOf(w, approved))[0]).toEqual(auditProposalStep(failed, originOf('ben')))
      // So is what a revoked token approved.
      await w.operatorTokens.revoke(idOf('luz'), credentialOf('ben'), days(1))
      expect(await w.proposals.find(byOther.id)).toMatchObject({ status: 'failed', failure })
      expect(await statusOf(ofOther)).toBe('open')
    })

    test('the last active token of an admin is not revoked, nor two at once', async () => {
      const revoke = (person: string, by: string) =>
        w.operatorTokens.revoke(originOf(person).tokenId ?? '', credentialOf(by), days(1))
      const both = await Promise.all([revoke('ada', 'ada'), revoke('ben', 'ben')])
      expect(both.toSorted()).toEqual(['committed', 'last_admin'])
      const left = both[0] === 'committed' ? 'ben' : 'ada'
      expect(await revoke(left, left)).toBe('last_admin')
      expect(await w.operatorTokens.authenticate(tokenHashOf(left), days(1))).toBeDefined()
      expect(await revoke('vic', left)).toBe('committed')
    })

    test('a token is found by its hash, also when it is revoked', async () => {
      const { id } = (await w.operatorTokens.findByHash(tokenHashOf('vic'))) ?? {}
      expect(id).toBe(originOf('vic').tokenId)
      await w.operatorTokens.revoke(id ?? '', credentialOf('ben'), days(1))
      const found = await w.operatorTokens.findByHash(tokenHashOf('vic'))
      expect(found?.revocation).toEqual({ at: days(1), by: 'ben' })
      expect(await w.operatorTokens.findByHash(tokenHashOf('nobody'))).toBeUndefined()
    })

    test('a revoked or expired token neither proposes nor approves', async () => {
      const made = make(w, 'operator', 'new')
      const proposal = proposalOf(w, made)
      await w.operatorTokens.propose(made, proposal, credentialOf('ben'))
      const { items } = await w.operatorTokens.list({ limit: 100 })
      const ada = items.find(({ person }) => person === 'ada')?.id ?? ''
      expect(await w.operatorTokens.revoke(ada, credentialOf('ben'), days(1))).toBe('committed')
      const approval = { at: days(1), by: 'ada' }
      const approved = { ...proposal, status: 'approved', approval } as const
      expect(await w.proposals.commit(approved, credentialOf('ada'))).toBe('unauthorized')
      expect(await w.proposals.find(proposal.id)).toEqual(proposal)
    })

    test('a token authenticates exactly until it expires', async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.integer({ min: 1, max: operatorTokenDaysMax * day }),
          fc.integer({ min: -2, max: 2 }),
          async (lifeMs, offMs) => {
            const expiresAt = new Date(someInstant.getTime() + lifeMs)
            const made = make(w, 'auditor', w.ids.next('opt', someInstant), expiresAt)
            await w.operatorTokens.issue(made, credentialOf('ben'))
            const at = new Date(expiresAt.getTime() + offMs)
            const found = await w.operatorTokens.authenticate(made.hash, at)
            expect(found?.id).toBe(offMs < 0 ? made.token.id : undefined)
          },
        ),
        { numRuns: 20 },
      )
    })

    test('lists newest first, in pages', async () => {
      const { items } = await w.operatorTokens.list({ limit: 100 })
      const first = await w.operatorTokens.list({ limit: 3 })
      expect(first.items).toEqual(items.slice(0, 3))
      const rest = await w.operatorTokens.list({ limit: 100, ...(first.next && { after: first.next }) })
      expect([...first.items, ...rest.items]).toEqual(items)
      expect(rest.next).toBeNull()
    })
  })
}

function make<R extends OperatorRole>(
  w: World<Needed>,
  role: R,
  name: string,
  expiresAt: Date = days(90),
): NewOperatorToken & { readonly token: { readonly role: R } } {
  const hash = tokenHashOf(name)
  const id = w.ids.next('opt', someInstant)
  const activatedAt = role === 'operator' || role === 'admin' ? null : someInstant
  const made = { id, createdAt: someInstant, createdBy: 'ben', activatedAt }
  const request = { person: 'carla', label: 'computadora ñ', role, hash, expiresAt }
  return { token: { ...newOperatorToken(request, made), role }, hash }
}

function proposalOf(
  w: World<Needed>,
  { token }: { readonly token: NewOperatorToken['token'] & { readonly role: 'operator' | 'admin' } },
): OpenProposal {
  const { id: tokenId, person, label, role, fingerprint, expiresAt } = token
  const details = { person, label, role, fingerprint, expiresAt }
  return {
    id: w.ids.next('prp', someInstant),
    tenantId: null,
    reason: 'se incorpora',
    evidence: null,
    proposedBy: 'ben',
    createdAt: someInstant,
    status: 'open',
    action: { type: 'issue_operator_token', tokenId, ...details },
    expiresAt: days(3),
  }
}

const auditOf = ({ audit }: World<Needed>, of: { readonly id: string } | NewOperatorToken) =>
  auditEntries(audit, { subject: 'token' in of ? of.token.id : of.id, limit: 10 })
