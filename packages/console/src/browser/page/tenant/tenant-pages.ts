import type { Page } from '../page.ts'
import { Statement } from './statement.tsx'
import { Tenant } from './tenant.tsx'
import { statementTexts, tenantTexts } from './tenant-texts.ts'
import { Tenants } from './tenants.tsx'

export const tenantPages: readonly Page[] = [
  { path: '/tenants', title: tenantTexts.title, component: Tenants, group: 'tenants' },
  { path: '/tenants/:id', title: tenantTexts.one, component: Tenant, within: '/tenants' },
  { path: '/tenants/:id/statements/:period', title: statementTexts.title, component: Statement, within: '/tenants' },
]
