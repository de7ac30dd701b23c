import type { Course, Reply } from '@quipu/simulators'
import { expect, test } from 'vitest'
import { contradictionOf, endOf, type Plant, simulatedHub } from './hub.fixture.ts'
import { plants } from './planted-faults.fixture.ts'

/** The mistakes of an adapter at the simulator’s worst; none for a right one. */
async function faultsOf(plant: Plant): Promise<readonly string[]> {
  const found: string[] = []
  const courses: readonly [Reply, Course, string?][] = [
    ['normal', 'paid'],
    ['normal', 'in_process_rejected'],
    ['14', 'paid'],
    ['lost', 'unconfirmed_paid'],
    ['lost', 'unpaid', 'other_transaction'],
    ['401', 'paid'],
  ]
  for (const [confirm, course, status] of courses) {
    const world = await simulatedHub({ later_ms: 90_000 }, plant)
    const order = await world.order({ confirm, course, ...(status && { status: status as Reply }) })
    const end = await endOf(world, order)
    await world.advance(600_000)
    const wrong = contradictionOf(world, order, end)
    if (wrong !== undefined) found.push(`${confirm} ${course}: ${wrong}`)
    const sent = world.hub.requests(order.reference).reduce((sum, { confirm: times }) => sum + times, 0)
    if (sent > 1) found.push(`${confirm} ${course}: sent ${sent} times`)
    if (end.type === 'not_sent') found.push(`${confirm} ${course}: the reading was not known`)
  }
  const world = await simulatedHub({}, plant)
  const order = await world.order()
  await world.network.pay(order)
  const [from, to] = [new Date('2026-11-21T00:00:00Z'), new Date('2026-11-21T04:00:00Z')]
  const row = (await world.rows(from, to)).find(({ reference }) => reference === order.reference)
  if (!row) found.push('an evening’s payment is not in the statement')
  else if (Math.abs(row.paidAt.getTime() - world.now().getTime()) > 300_000) found.push('a payment has another time')
  return found
}

test('nothing is found wrong with the adapter', async () => {
  expect(await faultsOf((network) => network)).toEqual([])
})

/** By fault: what is found. */
const finds: Readonly<Record<string, string>> = {
  'code 14 is a refusal': '14 paid: released though paid',
  'code 00 is paid': 'normal in_process_rejected: completed unpaid',
  'code 04 is unpaid': 'lost unconfirmed_paid: released though paid',
  'a closed QR is ordered with its amount': 'normal paid: closed_amount_sent',
  'an order is sent again after 401': '401 paid: sent 2 times',
  'a status counts for any transaccionId': 'lost unpaid: completed unpaid',
  'ids are floats': 'normal paid: the reading was not known',
  'four hours are taken off, not added': 'a payment has another time',
  'debits are read by UTC dates': 'an evening’s payment is not in the statement',
}

test.each(Object.entries(plants))('found: %s', async (name, plant) => {
  expect(await faultsOf(plant)).toContain(finds[name])
})
