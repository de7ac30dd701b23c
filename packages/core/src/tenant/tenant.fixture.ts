import { noDailyLimits } from '../limit/daily-limits.ts'
import { defaultPricing, type Tenant } from './tenant.ts'

export const tenant: Tenant = {
  id: 'ten_1',
  legalName: 'Tienda',
  technicalContact: { name: 'Ana', email: 'ana@shop.example' },
  status: 'active',
  pricing: defaultPricing,
  dailyLimits: noDailyLimits,
  createdAt: new Date('2026-11-21T12:00:00.000Z'),
  revision: 1,
}
