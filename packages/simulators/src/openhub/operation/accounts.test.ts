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

test('rows can lose their id and get another operation', async () => {
  const { pay, debits } = await startOpenHubFixture({
    switches: { debits_with_transaction_id: false, debits_operation: 'PAYOUT ACH', empty: 'N/A' },
  })
  await pay('po_1')
  expect(await debits('2026-11-20')).toMatchObject([{ transactionId: 'N/A', tipoOperacion: 'PAYOUT ACH' }])
})

test('a day has 20,000 rows in no order, and their sum is what the balance lost', async () => {
  const { hub, debits } = await startOpenHubFixture()
  hub.addMovements([{ amount: '1.25', transaction_id: 'x', times: 20_000, at: '2026-11-20T15:00:00Z' }])
  const rows = await debits('2026-11-20')
  expect(rows).toHaveLength(20_000)
  expect(rows.slice(0, 3).map((row) => row['transactionId'])).not.toEqual(['x1', 'x2', 'x3'])
  expect(hub.ledger().accounts[0]).toMatchObject({ lost: '25000.00', debits: '25000.00' })
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

test('the second account has a balance and debits of its own', async () => {
  const { hub, scan, confirm, debits, movements } = await startOpenHubFixture()
  const other = hub.accounts[1]
  const { data } = await scan()
  await confirm('po_1', data['numeroReferencia'], { cuentaOrigen: other })
  expect(hub.ledger().accounts).toMatchObject([{ lost: '0.00' }, { account: other, lost: '100.00' }])
  expect(await debits('2026-11-20')).toEqual([])
  const { body } = await movements('D', '2026-11-20', { numeroCuenta: [other] })
  expect(body['data']).toMatchObject([{ transactionId: 'po_1', cuentaOrigen: other }])
})

test('an account that is not active shows it, and pays nothing', async () => {
  const { ask, pay } = await startOpenHubFixture({ switches: { account_state: 'BLOQUEADA' } })
  const balance = await ask('POST', `${accountsPath}/saldos`, { nit, numeroCuentas: [account] })
  expect(balance.body).toMatchObject({ data: [{ estado: 'BLOQUEADA' }] })
  expect((await pay('po_1')).body).toMatchObject({ code: '15' })
})
