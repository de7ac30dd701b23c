import { memoryStores } from '@quipu/memory'
import { manageTenants } from '@quipu/core/operator'
import { expect, test } from 'vitest'
import { priceOf100 } from './readme.fixture.ts'
import { systemPorts } from './system-ports.ts'

test('the program of the README prices BOB 100.00', async () => {
  const { now, ids } = systemPorts()
  const stores = memoryStores({ now })
  const technicalContact = { name: 'Rosa Quispe', email: 'rosa@pagos.example' }
  const tenant = await manageTenants({ ...stores, now, ids }).create('me', {
    ...{ legalName: 'Pagos del Sur S.R.L.', technicalContact },
    pricing: { marginBps: 150 },
  })
  expect(await priceOf100(stores, tenant)).toBe('10.203353')
})
