import type { OperatorDepositDetailJson, ProposalJson, TenantJson } from '@quipu/wire'
import { expect, test } from 'vitest'
import type { ConsoleSystem } from './console.fixture.ts'
import { openWithKeyboard, operatorReads } from './operator-reads.fixture.ts'
import { phone } from './site.fixture.ts'

/** Cases of screening, and the erasure of a contact, by keyboard alone. */
export function screeningTests(system: () => ConsoleSystem): void {
  const { one, list } = operatorReads(() => system().api)
  const open = (path: string) => openWithKeyboard(system(), path, phone)
  const acts = () => system().seed.control.acts

  test('a screening case is decided by a proposal with evidence', async () => {
    const { press, type, attach, shows, close } = await open(`/screening/${system().seed.control.screeningCase}`)
    await press('Decide')
    await type('decision', 'Cleared')
    await type('reason', 'Another company of this name.')
    await type('evidence.note', 'Register of commerce.')
    await attach('File of the evidence', 'page')
    await press('Decide')
    await shows('Proposed: another person has to approve it')
    const [proposal] = await list<ProposalJson>('/proposals?status=open&action=decide_screening')
    expect(proposal?.details).toMatchObject({ decision: 'cleared', list: 'sanctions: fraud' })
    await close()
  })

  test('the sender of a deposit is screened again', async () => {
    const path = `/deposits/${acts().unscreened}`
    const { press, shows, close } = await open(path)
    await press('Screen again')
    await press('Screen again')
    await shows('The deposit is due.')
    const { attempts } = await one<OperatorDepositDetailJson>(path)
    expect(Date.parse(attempts?.next_at ?? '')).toBeLessThanOrEqual(Date.now())
    await close()
  })

  test('the contact of a tenant is erased when its name is typed', async () => {
    const { tenant_id: id } = await one<OperatorDepositDetailJson>(`/deposits/${acts().unscreened}`)
    const { legal_name: name } = await one<TenantJson>(`/tenants/${id}`)
    const { press, type, shows, close } = await open(`/tenants/${id}`)
    await press('Erase the contact')
    await type('typed_name', name)
    await press('Erase the contact')
    await shows('The contact was erased.')
    expect((await one<TenantJson>(`/tenants/${id}`)).technical_contact.name).toBe('erased')
    await close()
  })
}
