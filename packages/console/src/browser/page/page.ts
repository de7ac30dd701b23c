import type { ComponentType } from 'preact'
import type { Right } from '../session/use-session.ts'
import type { Text } from '../text/text.ts'

/** Properties of a page's component. */
export type PageProps = {
  /** The parts of the path that its pattern names, decoded. */
  readonly parameters: Readonly<Record<string, string>>
  readonly query: URLSearchParams
  /** In the person's language. */
  readonly title: string
}

/** A page of the console. */
export type Page = {
  /** The pattern of its path, such as `/payouts/:id`. */
  readonly path: string
  readonly title: Text
  readonly component: ComponentType<PageProps>
  /** The group of the navigation that lists it; left out: none does. */
  readonly group?: 'watch' | 'money' | 'reports' | 'tenants' | 'control'
  /** Beside its entry of the navigation: how much waits there for the person. */
  readonly count?: ComponentType
  /** The navigation entry that is current while the page is shown; its own path unless it says so. */
  readonly within?: string
  /** The role that reads it; left out: every role does. */
  readonly right?: Right
}
