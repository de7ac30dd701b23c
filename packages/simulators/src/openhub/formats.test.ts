import { expect, test } from 'vitest'
import { account, accountsPath, nit, qrPath, startOpenHubFixture } from './openhub.fixture.ts'
import type { SwitchesPatch } from './switches/switches.ts'

async function scanText(switches: SwitchesPatch, amount = '1.50'): Promise<string> {
  const { hub, askText } = await startOpenHubFixture({ switches })
  const { content } = hub.issueQr({ amount_mode: 'closed', amount })
  return askText('POST', `${qrPath}/scan`, { imagen: content })
}

test.each<readonly [SwitchesPatch, string]>([
  [{}, '"importe":1.5,'],
  [{ amounts: 'number' }, '"importe":1.50,'],
  [{ amounts: 'string' }, '"importe":"1.50",'],
  [{}, '"numeroReferencia":"547261120000000001"'],
  [{ ids: 'number' }, '"numeroReferencia":547261120000000001,'],
  [{}, '"glosa":"",'],
  [{ empty: 'null' }, '"glosa":null,'],
  [{ empty: 'N/A' }, '"glosa":"N/A",'],
  [{ empty: 'absent' }, '"moneda":"BOB","numeroReferencia"'],
  [{ renamed: { glosa: 'descripcion' } }, '"descripcion":"",'],
  [{}, '"fechaVencimiento":"2026-11-21"'],
  [{ expiry: 'compact' }, '"fechaVencimiento":"20261121"'],
])('with %j scan answers %s', async (switches, part) => {
  expect(await scanText(switches)).toContain(part)
})

test('an id with leading zeros stays a text', async () => {
  const { hub, askText } = await startOpenHubFixture({ switches: { ids: 'number' } })
  hub.addMovements([{ amount: '1.00' }])
  const range = { nit, numeroCuenta: [account], fechaInicio: '2026-11-20', fechaFin: '2026-11-20', tipo: 'D' }
  const text = await askText('POST', `${accountsPath}/debitos`, range)
  expect(text).toContain('"codigoBancoOrigen":140,')
  expect(text).toContain('"numeroReferencia":"00000000000001"')
})

test.each([
  ['documented', '2026-11-20T22:00:00.320', '2026-11-20T22:00:00'],
  ['milliseconds', '2026-11-20T22:00:00.320', '2026-11-20T22:00:00.320'],
  ['seconds', '2026-11-20T22:00:00', '2026-11-20T22:00:00'],
] as const)('times in the form %s are %s in confirm and %s in debits', async (times, confirmed, listed) => {
  const { pay, debits } = await startOpenHubFixture({ switches: { times } })
  expect((await pay('po_1')).body).toMatchObject({ data: { fechaHoraTransaccion: confirmed } })
  expect(await debits('2026-11-20')).toMatchObject([{ fechaHoraTransaccion: listed }])
})
