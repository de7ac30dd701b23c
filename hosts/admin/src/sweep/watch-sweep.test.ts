import { expect, test } from 'vitest'
import { admin, apiServer } from '../test/admin.fixture.ts'

type State = readonly [status: string, problem?: string]
const batch = (...states: readonly State[]) => ({
  status: 200,
  body: {
    id: 'swb_1',
    transfers: states.map(([status, problem = null], index) => ({
      id: `swp_${index}`,
      amount: '25.000000',
      status,
      problem,
    })),
  },
})

test('shows each progress until every transfer is solid', async () => {
  await using server = await apiServer(
    batch(['planned'], ['planned']),
    batch(['signed', 'TRX_MISSING'], ['solid']),
    batch(['signed', 'TRX_MISSING'], ['solid']),
    batch(['solid'], ['solid']),
  )
  const { code, out, error } = await admin(['sweeps', 'watch', 'swb_1'], { env: server.env })
  expect(code).toBe(0)
  expect(error).toBe('2 planned\n1 signed, 1 solid; waiting for TRX_MISSING\n')
  expect(out).toMatch(/^ID +STATUS +PROBLEM +AMOUNT .*\nswp_0 +solid .*\nswp_1 +solid .*\n$/)
  expect(server.received).toHaveLength(4)
})

test('a transfer that did not reach the treasury is exit code 1', async () => {
  await using server = await apiServer(batch(['solid'], ['expired', 'TRX_MISSING'], ['failed']))
  const ended = await admin(['sweep', 'watch', 'swb_1', '--json'], { env: server.env })
  expect(ended.code).toBe(1)
  expect(ended.error).toMatch(/^Not swept: 2 of 3\. /)
  expect(JSON.parse(ended.out)).toMatchObject({ id: 'swb_1' })
})
