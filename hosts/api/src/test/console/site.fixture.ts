/** An operator listener that serves the console. */
export type Site = {
  readonly url: string
  /** Each operation that a page has called, `POST /operator/v1/tenants` for one. */
  readonly calls: Set<string>
}

/** `sandbox`: over PostgreSQL, as processes run it. `production`: over memory, with sweeps. */
export type SiteName = 'sandbox' | 'production'

export const viewports = { desktop: { width: 1440, height: 900 }, phone: { width: 360, height: 740 } } as const
type Width = keyof typeof viewports

/** The width and theme in which a page is shown. */
export type Variant = { readonly width: Width; readonly theme: 'light' | 'dark' }

/** Actions are done where there is the least room; each dialog is checked in the other width and theme, too. */
export const phone: Variant = { width: 'phone', theme: 'dark' }
