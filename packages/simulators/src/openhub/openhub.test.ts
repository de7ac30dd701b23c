import { expect, test } from 'vitest'
import { account, accountsPath, nit, qrPath, startOpenHubFixture } from './openhub.fixture.ts'

test('a closed QR is scanned, paid and shown by status, balance and debits', async () => {
  const { scan, confirm, status, ask, debits, step, hub } = await startOpenHubFixture({ liquidity: '500.00' })
  const { data } = await scan({ merchant_name: 'SALTEÑERÍA EL PRADO' })
  expect(data).toMatchObject({
    importe: 100,
    moneda: 'BOB',
    glosa: 'Almuerzo',
    numeroReferencia: '547261120000000001',
    titularDestino: 'SALTEÑERÍA EL PRADO',
    codigoBancoDestino: '1016',
    nombreBancoDestino: '',
    fechaVencimiento: '2026-11-21',
  })
  step(1_000)
  const paid = await confirm('po_1', data['numeroReferencia'])
  const order = {
    numeroReferencia: '547261120000000002',
    transaccionId: 'po_1',
    estado: 'APROBADA',
    importe: 100,
    moneda: 'BOB',
    numOrdenAch: '14262611200249000001',
    cuentaOrigen: account,
  }
  expect(paid).toMatchObject({
    status: 200,
    body: { code: '00', data: { ...order, fechaHoraTransaccion: '2026-11-20T22:00:01.320' } },
  })
  const shown = await status(order.numeroReferencia)
  expect(shown.body).toMatchObject({ code: '00', data: { ...order, fechaHoraTransaccion: '2026-11-20T22:00:01' } })

  const balance = await ask('POST', `${accountsPath}/saldos`, { nit, numeroCuentas: [account, '7010999002'] })
  expect(balance.body).toMatchObject({
    code: '00',
    errorMessage: '',
    data: [
      { numeroCuenta: account, estado: 'ACTIVA', tipoMoneda: 'BOB', saldoDisponible: 400 },
      { numeroCuenta: '7010999002', saldoDisponible: 500 },
    ],
  })
  expect(await debits('2026-11-20')).toMatchObject([
    {
      transactionId: 'po_1',
      tipoOperacion: 'PAYOUT QR',
      estado: 'COMPLETADO',
      importe: 100,
      importeTotal: 100,
      numOrdenAch: order.numOrdenAch,
    },
  ])
  expect(await debits('2026-11-21')).toEqual([])
  expect(hub.ledger()).toMatchObject({
    orders: [{ transaccion_id: 'po_1', state: 'APROBADA', amount: '100.00', paid_at: '2026-11-21T02:00:01.320Z' }],
    paid_twice: { by_transaction: [], by_reference: [] },
    breaches: { closed_amount_sent: 0 },
    accounts: [{ account, available: '400.00', lost: '100.00', debits: '100.00', credits: '0.00' }, { lost: '0.00' }],
  })
})

test('an open QR is paid with its amount and a description', async () => {
  const { scan, confirm } = await startOpenHubFixture()
  const { data } = await scan({ amount_mode: 'open', description: undefined })
  expect(data).toMatchObject({ importe: 0, glosa: '' })
  const reference = data['numeroReferencia']
  expect((await confirm('po_1', reference)).body).toMatchObject({ code: '11' })
  expect((await confirm('po_1', reference, { importe: 150.25 })).body).toMatchObject({ code: '12' })
  const paid = await confirm('po_1', reference, { importe: 150.25, glosa: 'Pago QR' })
  expect(paid.body).toMatchObject({ code: '00', data: { estado: 'APROBADA', importe: 150.25, glosa: 'Pago QR' } })
})

test('a call without the token or the client id is refused with a text', async () => {
  const { hub } = await startOpenHubFixture()
  const answer = await fetch(`${hub.url}${qrPath}/scan`, {
    method: 'POST',
    body: '{}',
    headers: { authorization: 'Bearer x' },
  })
  expect(answer.status).toBe(401)
  expect(answer.headers.get('content-type')).toContain('text/plain')
  expect(await answer.text()).toContain('access_token')
})

test('an unknown route and a wrong method are refused with a text', async () => {
  const { ask } = await startOpenHubFixture()
  const refused = { status: 404, body: { unparsable: 'Route without destination' } }
  expect(await ask('POST', `${qrPath}/status/1`)).toEqual(refused)
  expect(await ask('GET', '/nowhere')).toEqual(refused)
})
