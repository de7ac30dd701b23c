import { beforeAll, describe, expect, test } from 'vitest'
import { onceSuite, payingSuite, qrSuite } from './black-box-paying.fixture.ts'
import { faucetSuite, listSuite, webhookSuite } from './black-box-reading.fixture.ts'
import { buyer, type Subject } from './checked-tenant.fixture.ts'

/**
 * What every server of the API does, seen from outside. Each answer is also held to the document
 * that the server serves, and every operation of it is asked for.
 */
export function blackBoxSuite(name: string, open: () => Promise<Subject>): void {
  describe(`black box: ${name}`, () => {
    const tenant = buyer()
    beforeAll(async () => tenant.open(await open()), 120_000)

    payingSuite(tenant)
    qrSuite(tenant)
    onceSuite(tenant)
    listSuite(tenant)
    webhookSuite(tenant)
    faucetSuite(tenant)

    test('it says that it is alive and ready, and every operation was asked for', async () => {
      expect(await tenant.get('/healthz')).toEqual({ status: 'ok' })
      expect(await tenant.get('/readyz')).toMatchObject({ status: 'ready' })
      const apart = [
        'GET /v1/openapi.json',
        ...tenant.operations().filter((at) => at.includes('/mock/')),
      ]
      expect([...tenant.asked(), ...apart].toSorted()).toEqual([...tenant.operations()].toSorted())
    })
  })
}
