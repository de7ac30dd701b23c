import type { Page, PagePosition } from '../page.ts'
import type { Screen } from '../screening/screen.ts'
import { tenantSubject } from '../screening/screening.ts'
import type { TenantStore } from './ports.ts'
import type { Tenant } from './tenant.ts'

/** The numbers of tenants that were screened, and those that nothing answered about. */
export type ScreenedTenants = { readonly screened: number; readonly unanswered: number }

/** Screens every tenant again, one after the other: lists grow. @throws Unavailable when the store cannot be read or written */
export async function screenAllTenants({
  tenants,
  screen,
}: {
  readonly tenants: Pick<TenantStore, 'list'>
  readonly screen: Screen
}): Promise<ScreenedTenants> {
  let unanswered = 0
  let screened = 0
  let after: PagePosition | null = null
  do {
    const page: Page<Tenant> = await tenants.list({ limit: 100, ...(after && { after }) })
    for (const tenant of page.items) {
      const { outcome } = await screen(tenantSubject(tenant), { tenantId: tenant.id, reference: tenant.id })
      screened += 1
      if (outcome === 'unanswered') unanswered += 1
    }
    after = page.next
  } while (after !== null)
  return { screened, unanswered }
}
