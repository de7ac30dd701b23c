import { sha256 } from '@quipu/core/adapter'
import type { CaseWorkJson, ProposalJson, SecondFactorJson, SessionRecordJson } from '@quipu/wire'
import { expect, test } from 'vitest'
import { codeOf } from '@quipu/core/operator'
import { secretOf } from '../harness/second-factor.fixture.ts'
import type { ConsoleSystem, Shown } from './console.fixture.ts'
import { keyboardOf } from './keyboard.fixture.ts'
import { openWithKeyboard, operatorReads } from './operator-reads.fixture.ts'
import type { ControlActs } from './seed-control.fixture.ts'
import { phone } from './site.fixture.ts'

/** Who works on what, and who is signed in, by keyboard alone. */
export function peopleTests(system: () => ConsoleSystem): void {
  const { one, list } = operatorReads(() => system().api)
  const acts = (): ControlActs => system().seed.control.acts
  const open = (path: string, shown: Shown = {}) => openWithKeyboard(system(), path, { ...phone, ...shown })

  test('a proposal of another person is rejected with a reason', async () => {
    const { rejected } = acts()
    const { press, type, shows, close } = await open(`/proposals/${rejected}`)
    await press('Reject')
    await shows('Available now, USDT')
    await type('reason', 'The evidence is of another day.')
    await press('Reject')
    await shows('The proposal is now: Rejected.')
    expect((await one<ProposalJson>(`/proposals/${rejected}`)).rejected_by).toBe('olivia')
    await close()
  })

  test.each(['deposits', 'payouts', 'differences'])(
    'one of the %s is taken, gets a note, and is released',
    async (list) => {
      const { frozen: deposits, drift: differences } = acts()
      const { disputed: payouts } = system().seed.acts
      const id = { deposits, payouts, differences }[list] ?? ''
      const { press, type, shows, visit, close } = await open(`/${list}/${id}`)
      await press('Take')
      await press('Take')
      await shows('Taken by: olivia')
      await press('Add a note')
      await type('note', 'The bank answers on Monday.')
      await press('Add a note')
      await shows('The bank answers on Monday.')
      await visit(list === 'differences' ? '/differences?check=ledger' : `/${list}`) // Others fill the first page.
      await shows(/^olivia$/)
      await visit(`/${list}/${id}`)
      await press('Release')
      await press('Release')
      await shows('Taken by: nobody')
      expect(await one<CaseWorkJson>(`/cases/${id}`)).toMatchObject({ taken_by: null, notes: [{ person: 'olivia' }] })
      await close()
    },
  )

  test('a person sets up a second factor; an admin removes it, which ends the session, and ends another', async () => {
    const { api } = system()
    const [person, token] = ['carla', 'Zk3vQ0s-81xTn_0yJQ2m-carla']
    const expires_at = new Date(Date.now() + 86_400_000).toISOString()
    const issued = { person, label: 'test', role: 'viewer', hash: sha256(token), expires_at, reason: 'Joined.' }
    expect((await api.operator('POST', '/operator/v1/operator-tokens', issued)).status).toBe(201)
    const opened = await system().open('/', { ...phone, role: null })
    const { page, shows, visit, close } = opened
    const { press, type } = keyboardOf(opened)
    await page.locator('input:focus').waitFor()
    await page.keyboard.type(token)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
    await visit('/access')
    await press('Set up an app')
    await press('Set up an app')
    const uri = (await page.locator('dialog[open] .secret').textContent()) ?? ''
    await page.locator('dialog[open] svg.qr').waitFor()
    await press('I have stored it')
    await press('Confirm by a code')
    const secret = secretOf(/otpauth:\S+issuer=Quipu/.exec(uri)?.[0] ?? '')
    await type('code', codeOf(secret, Math.floor(Date.now() / 30_000)))
    await press('Confirm by a code')
    await shows('Required at each sign-in since')
    await close()
    const admin = await open('/access')
    await admin.press('Remove a lost one')
    await admin.type('person', person)
    await admin.press('Remove a lost one')
    await admin.shows('The second factor was removed.')
    const sessions = await list<SessionRecordJson>('/sessions?limit=100')
    expect(sessions.some((session) => session.person === person)).toBe(false)
    const headers = { 'Sec-Fetch-Site': 'same-origin', 'Content-Type': 'application/json', 'User-Agent': 'phone' }
    const body = JSON.stringify({ token })
    const signIn = await fetch(`${system().sites.sandbox.url}/operator/v1/session`, { method: 'POST', headers, body })
    expect(signIn.status).toBe(201)
    await admin.visit('/access')
    await admin.press(`End ${person}, 127.0.0.1`)
    await admin.press('End')
    await admin.shows('The session has ended.')
    const after = await list<SessionRecordJson>('/sessions?limit=100')
    expect(after.some((session) => session.person === person)).toBe(false)
    expect(await one<SecondFactorJson>('/second-factor')).toEqual({ confirmed_at: null })
    await admin.close()
  })
}
