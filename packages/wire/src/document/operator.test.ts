import { expect, test } from 'vitest'
import { operationsOf, served } from './document.fixture.ts'
import { operatorOpenApi } from './operator.ts'

test('every operation of operators needs the operator token, and only that', () => {
  const operations = operationsOf(served(operatorOpenApi())).filter(([at]) => at.includes('/operator/'))
  for (const [at, { security }] of operations) expect(security, at).toEqual([{ OperatorToken: [] }])
  // One that is lost from the document differs here.
  expect(operations).toHaveLength(108)
})

test('the period of the payouts’ activity is a day by default', () => {
  const operation = operatorOpenApi().paths?.['/operator/v1/payout-activity']?.get
  expect(operation?.parameters).toMatchObject([
    { in: 'query', name: 'hours', schema: { type: 'integer', minimum: 1, maximum: 168, default: 24, examples: [24] } },
  ])
})
