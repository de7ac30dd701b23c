import { beforeAll, describe, expect, test } from 'vitest'
import { onceSuite, payingSuite, qrSuite } from './black-box-paying.fixture.ts'
import { faucetSuite, keySuite, listSuite, webhookSuite } from './black-box-reading.fixture.ts'
import { checkedTenant, type ApiTarget } from './checked-tenant.fixture.ts'

/**
 * The behaviour of every server of the API over HTTP. Each answer is validated against the OpenAPI
 * document that the server serves, and every operation of the document is called.
 */
export function blackBoxSuite(name: string, open: () => Promise<ApiTarget>): void {
  describe(`black box: ${name}`, () => {
    const tenant = checkedTenant()
    beforeAll(async () => tenant.open(await open()), 120_000)

    payingSuite(tenant)
    qrSuite(tenant)
    onceSuite(tenant)
    keySuite(tenant)
    listSuite(tenant)
    webhookSuite(tenant)
    faucetSuite(tenant)

    test('health and readiness are ok, and every operation was called', async () => {
      expect(await tenant.get('/healthz')).toEqual({ status: 'ok' })
      expect(await tenant.get('/readyz')).toMatchObject({ status: 'ready' })
      const notCalled = ['GET /v1/openapi.json', ...tenant.operations().filter((at) => at.includes('/mock/'))]
      expect([...tenant.called(), ...notCalled].toSorted()).toEqual([...tenant.operations()].toSorted())
    })
  })
}
