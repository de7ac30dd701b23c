import { expect, test } from 'vitest'
import { gatewayFinding } from './check-gateway.ts'

test('production without a gateway of alerts is a warning', () => {
  expect(gatewayFinding({ ENVIRONMENT: 'production' })).toMatchObject({ check: 'alerts.gateway', status: 'warn' })
  expect(gatewayFinding({ ENVIRONMENT: 'sandbox' })).toMatchObject({
    status: 'ok',
    detail: expect.stringContaining('not set'),
  })
  const url = 'https://alerts.internal/quipu?token=1'
  expect(gatewayFinding({ ENVIRONMENT: 'production', OPERATOR_ALERT_URL: url })).toMatchObject({
    status: 'ok',
    detail: 'alerts are sent to alerts.internal',
  })
})
