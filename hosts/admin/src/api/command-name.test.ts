import { expect, test } from 'vitest'
import { aliasOf, argumentName, commandName, flagOf } from './command-name.ts'

test.each([
  ['createTenant', 'Tenants', 'tenants create'],
  ['listApiKeys', 'API keys', 'api-keys list'],
  ['verifyAuditLog', 'Audit log', 'audit-log verify'],
  ['rotateTopUpAddress', 'Deposits', 'deposits rotate-top-up-address'],
  ['proposeAdjustment', 'Proposals', 'proposals propose-adjustment'],
  ['getMetrics', 'Service', 'service get-metrics'],
  ['search', 'Search', 'search search'],
  ['listReconciliationRuns', 'Reconciliation', 'reconciliation list-runs'],
  ['listDifferences', 'Differences', 'differences list'],
  ['getOwnOperatorToken', 'Operator tokens', 'operator-tokens get-own'],
  ['listDeliveries', 'Webhook deliveries', 'webhook-deliveries list-deliveries'],
])('%s of %s is %s', (operationId, tag, expected) => {
  const { group, verb } = commandName(operationId, tag)
  expect(`${group} ${verb}`).toBe(expected)
})

test('a group in the plural has the singular as its second name', () => {
  expect(aliasOf('tenants')).toBe('tenant')
  expect(aliasOf('deliveries')).toBe('delivery')
  expect(aliasOf('audit-log')).toBeUndefined()
})

test('an id is named for what it identifies', () => {
  expect(argumentName('/operator/v1/tenants/{id}/api-keys', 'id')).toBe('tenant-id')
  expect(argumentName('/operator/v1/deliveries/{id}', 'id')).toBe('delivery-id')
  expect(argumentName('/operator/v1/sweep/batches/{id}', 'id')).toBe('batch-id')
  expect(argumentName('/operator/v1/sweep/addresses/{id}', 'id')).toBe('address-id')
  expect(argumentName('/operator/v1/webhooks/{id}/deliveries/{delivery_id}', 'delivery_id')).toBe('delivery-id')
})

test('an option is the dotted path of its member', () => {
  expect(flagOf('technical_contact.name')).toBe('technical-contact-name')
})
