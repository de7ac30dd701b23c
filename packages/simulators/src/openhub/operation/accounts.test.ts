import { expect, test } from 'vitest'
import { account, accountsPath, nit, startOpenHubFixture } from '../openhub.fixture.ts'

const hour = 3_600_000

test('a day of debits is a Bolivian day, and both dates are included', async () => {
  const { pay, debits, movements, step, renew } = await startOpenHubFixture()
  await pay('po_1') // 22:00 of the 20th
  step(2 * hour - 321)
  await renew()
  await pay('po_2') // 23:59:59.999
  step(1)
  await pay('po_3') // midnight
  const ids = (rows: unknown): unknown[] => (rows as { transactionId: string }[]).map((row) => row.transactionId).sort()
  expect(ids(await debits('2026-11-19'))).toEqual([])
  expect(ids(await debits('2026-11-20'))).toEqual(['po_1', 'po_2'])
  expect(ids(await debits('2026-11-21'))).toEqual(['po_3'])
  const both = await movements('D', '2026-11-20', { fechaFin: '2026-11-21' })
  expect(ids(both.body['data'])).toEqual(['po_1', 'po_2', 'po_3'])
})

test('debits appear after their lag', async () => {
  const { pay, debits, step } = await startOpenHubFixture({ switches: { statement_lag_seconds: 60 } })
  await pay('po_1')
  step(59_999)
  expect(await debits('2026-11-20')).toEqual([])
  step(1)
  expect(await debits('2026-11-20')).toHaveLength(1)
})

test.each([
  ['part', '100.50', [{ importe: 100, importeComision: 0.5, importeTotal: 100.5 }]],
  [
    'row',
    '100.50',
    [
      { importe: 100, importeTotal: 100 },
      { tipoOperacion: 'COMISION', importe: 0.5 },
    ],
  ],
] as const)('a commission as %s is taken from the balance', async (commission_as, lost, rows) => {
  const { hub, pay, debits } = await startOpenHubFixture({
    switches: { commission: '0.50', commission_as, debits_unsorted: false },
  })
  await pay('po_1')
  expect(await debits('2026-11-20')).toMatchObject(rows)
  expect(hub.ledger().accounts[0]).toMatchObject({ lost, debits: lost })
})

test('a returned payment stays in the debits and appears in the credits', async () => {
  const { hub, pay, debits, movements } = await startOpenHubFixture()
  await pay('po_1')
  expect(hub.settle('po_1', 'REVERTIDO')).toMatchObject({ state: 'REVERTIDO' })
  expect(await debits('2026-11-20')).toMatchObject([{ transactionId: 'po_1', importe: 100 }])
  const credits = await movements('C', '2026-11-20')
  expect(credits.body['data']).toMatchObject([{ transactionId: 'po_1', tipoOperacion: 'REVERSION', importe: 100 }])
  expect(hub.ledger().accounts[0]).toMatchObject({ lost: '0.00', debits: '100.00', credits: '100.00' })
})

test('a range, a merchant and an account that are wrong have their codes, with HTTP 200', async () => {
  const { ask, movements } = await startOpenHubFixture()
  const wrong = [
    [{ fechaFin: '2026-12-22' }, '02'],
    [{ fechaFin: '2026-11-19' }, '02'],
    [{ numeroCuenta: [account, '7010999002'] }, '02'],
    [{ tipo: 'C' }, '02'],
    [{ nit: '1029384757' }, '17'],
    [{ numeroCuenta: ['7010999003'] }, '15'],
  ] as const
  for (const [more, code] of wrong)
    expect(await movements('D', '2026-11-20', more)).toMatchObject({
      status: 200,
      body: { code, data: code === '02' ? [expect.any(String)] : null },
    })
  expect((await movements('D', '2026-11-20', { fechaFin: '2026-12-21' })).body).toMatchObject({ code: '00' })
  const balance = await ask('POST', `${accountsPath}/saldos`, { nit, numeroCuentas: ['7010999003'] })
  expect(balance).toMatchObject({ status: 200, body: { code: '15', data: null } })
})
