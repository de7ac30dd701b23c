import { Unavailable } from '@quipu/core'
import type { StatementRow } from '@quipu/core/adapter'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anOrder, code, debitOf, type Gateway, listed, startGateway } from './gateway.fixture.ts'

const at = (text: string): Date => new Date(text)
/** The Bolivian date 20 November, and some hours around it. */
const [from, to] = [at('2026-11-20T00:00:00Z'), at('2026-11-21T12:00:00Z')]

async function rowsOf({ network }: Gateway, begin = from, end = to): Promise<StatementRow[]> {
  const rows = []
  for await (const row of network.statement(begin, end)) rows.push(row)
  return rows
}

/** Only that date has debits. */
async function withDebits(...rows: readonly object[]): Promise<Gateway> {
  const gateway = await startGateway()
  gateway.answers.debitos = ({ body }) => (body.includes('"fechaInicio":"2026-11-20"') ? listed(...rows) : listed())
  return gateway
}

describe('a statement', () => {
  test('has the payments of its instants, oldest first, of dates in Bolivia', async () => {
    const times = ['23:59:59.999', '00:00:00', '20:30:00', '03:59:59', '12:00:00']
    const debits = times.map((time, n) => ({
      ...debitOf(anOrder().reference),
      fechaHoraTransaccion: `2026-11-20T${time}`,
      numOrdenAch: `${n}`,
    }))
    const gateway = await withDebits(...debits)
    gateway.advance(86_400_000)
    const paidAt = (await rowsOf(gateway)).map((row) => row.paidAt.toISOString())
    expect(paidAt).toEqual([
      '2026-11-20T04:00:00.000Z',
      '2026-11-20T07:59:59.000Z',
      '2026-11-20T16:00:00.000Z',
      '2026-11-21T00:30:00.000Z',
      '2026-11-21T03:59:59.999Z',
    ])
    const evening = await rowsOf(gateway, at('2026-11-21T00:00:00Z'), at('2026-11-21T03:59:59Z'))
    expect(evening.map(({ paymentId }) => paymentId)).toEqual(['2'])
  })

  test('requests one date each, and none that has not begun', async () => {
    const gateway = await startGateway()
    await rowsOf(gateway, at('2026-11-18T03:59:59Z'), at('2026-12-01T00:00:00Z'))
    const dates = gateway.of('debitos').map(({ body }) => JSON.parse(body) as { fechaInicio: string; fechaFin: string })
    expect(dates.map(({ fechaInicio }) => fechaInicio)).toEqual([
      '2026-11-17',
      '2026-11-18',
      '2026-11-19',
      '2026-11-20',
    ])
    for (const { fechaInicio, fechaFin } of dates) expect(fechaFin).toBe(fechaInicio)
  })

  test('reads a date that is complete once, and another one each time', async () => {
    const gateway = await startGateway()
    for (let n = 0; n < 48; n++) await rowsOf(gateway, at('2026-11-19T10:00:00Z'), at('2026-11-20T10:00:00Z'))
    const dates = gateway.of('debitos').map(({ body }) => (JSON.parse(body) as { fechaInicio: string }).fechaInicio)
    expect(dates.filter((date) => date === '2026-11-19')).toHaveLength(1)
    expect(dates.filter((date) => date === '2026-11-20')).toHaveLength(48)
  })

  test('a date is complete only when no order of it can be paid any more', async () => {
    const gateway = await startGateway({ unpaidAfterSeconds: 86_400 })
    expect(gateway.network.capabilities.unpaidProof).toEqual({ by: 'statement', afterSeconds: 86_400 })
    for (let n = 0; n < 2; n++) await rowsOf(gateway, at('2026-11-19T10:00:00Z'), at('2026-11-19T11:00:00Z'))
    expect(gateway.of('debitos')).toHaveLength(2)
  })

  test.each([
    ['no id of ours', { transactionId: '' }, 'openhub:14262611200249000042'],
    ['N/A', { transactionId: 'N/A' }, 'openhub:14262611200249000042'],
    ['only a reference', { transactionId: null, numOrdenAch: null }, 'openhub:20261120140507'],
    ['another id', { transactionId: 'LOTE-7' }, 'LOTE-7'],
    ['an id with a NUL', { transactionId: 'a\0b' }, 'a\uFFFDb'],
  ])('shows a debit with %s', async (_name, members, reference) => {
    const [row] = await rowsOf(await withDebits({ ...debitOf('po_x'), ...members }))
    expect(row).toMatchObject({ type: 'payment', reference, amount: { minor: 42_50n } })
  })

  test('two debits that nothing distinguishes are two rows', async () => {
    const bare = { ...debitOf(''), numOrdenAch: null, numeroReferencia: 'N/A' }
    expect(new Set((await rowsOf(await withDebits(bare, bare))).map(({ reference }) => reference)).size).toBe(2)
  })

  test('leaves out other operations by name, but none with the id of a payout or without a name', async () => {
    const gateway = await startGateway({ qrOperations: ['PAYOUT QR'] })
    const { reference } = anOrder()
    const named = (tipoOperacion: string | null, transactionId: string) => ({
      ...debitOf(transactionId),
      tipoOperacion,
    })
    gateway.answers.debitos = ({ body }) =>
      body.includes('"2026-11-20"')
        ? listed(named('payout qr ', 'a'), named('PAYOUT ACH', 'b'), named('PAGO', reference), named(null, 'c'))
        : listed()
    expect((await rowsOf(gateway)).map((row) => row.reference)).toEqual(['a', reference, 'c'])
  })

  test('has the credits that give a payment back, and a payment whose state says so', async () => {
    const { reference } = anOrder()
    const gateway = await withDebits(
      { ...debitOf(reference), estado: 'REVERTIDO' },
      { ...debitOf('r'), estado: 'RECHAZADO' },
    )
    const credit = (tipoOperacion: string, transactionId: string) => ({ ...debitOf(transactionId), tipoOperacion })
    gateway.answers.creditos = ({ body }) =>
      body.includes('"2026-11-20"')
        ? listed(credit('PAYIN ACH', ''), credit('REVERSION PAYOUT', ''), credit('PAYIN ACH', anOrder().reference))
        : listed()
    const types = (await rowsOf(gateway)).map(({ type }) => type)
    expect(types.toSorted()).toEqual(['payment', 'return', 'return', 'return'])
  })

  test.each([
    ['no amount', { importe: null }],
    ['a negative amount', { importe: -1 }],
    ['three decimals', { importe: 1.005 }],
    ['dollars', { moneda: 'USD' }],
    ['no time', { fechaHoraTransaccion: '' }],
    ['a day that is none', { fechaHoraTransaccion: '2026-02-30T00:00:00' }],
  ])('with a row of %s is Unavailable, and names the row', async (_name, members) => {
    const gateway = await withDebits(debitOf('a'), { ...debitOf('b'), ...members })
    await expect(rowsOf(gateway)).rejects.toThrow(/debitos of 2026-11-20: row 2 has no/)
  })

  test.each([
    ['a range error in HTTP 200', '{"data":["El rango no procede"],"code":"02","errorMessage":"El rango"}'],
    ['an object', '{"data":{},"code":"00"}'],
    ['no envelope', '[]'],
  ])('answered with %s is Unavailable', async (_name, body) => {
    const gateway = await startGateway()
    gateway.answers.creditos = () => [200, body]
    await expect(rowsOf(gateway)).rejects.toThrow(Unavailable)
    gateway.answers.creditos = () => listed()
    expect(await rowsOf(gateway)).toEqual([])
  })
})

test('a list over the limit is refused', async () => {
  const gateway = await startGateway({ movementBytesMax: 20 })
  gateway.answers.debitos = () => listed(debitOf('po_x'))
  await expect(rowsOf(gateway)).rejects.toThrow(/debitos of 2026-11-\d+: answer over 20 bytes/)
})

test('every amount and id of a debit arrives as it was written, also as a number', async () => {
  const gateway = await startGateway()
  const digits = fc.stringMatching(/^[1-9]\d{14,19}$/)
  await fc.assert(
    fc.asyncProperty(fc.bigInt(0n, 99_999_999_999_999n), digits, fc.boolean(), async (minor, id, isText) => {
      const amount = `${minor / 100n}.${`${minor % 100n}`.padStart(2, '0')}`
      const quoted = (text: string): string => (isText ? `"${text}"` : text)
      const members = `"importe":${quoted(amount)},"numOrdenAch":${quoted(id)},"moneda":"BOB"`
      const body = `{"code":"00","data":[{${members},"fechaHoraTransaccion":"2026-11-20T10:00:00"}]}`
      gateway.answers.debitos = (call) => (call.body.includes('"2026-11-20"') ? [200, body] : code('00'))
      const [row] = await rowsOf(gateway)
      expect(row).toMatchObject({ paymentId: id, amount: { minor }, reference: `openhub:${id}` })
    }),
    { numRuns: 50 },
  )
})
